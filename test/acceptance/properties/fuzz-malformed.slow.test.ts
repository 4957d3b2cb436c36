import { expect, it } from 'vitest';
import { describeFuzz } from './fuzz-session.ts';
import { fuzzedRoutes } from './fuzzed-operations.ts';
import { malformedRequests } from './malformed-requests.ts';

describeFuzz((fuzz) => {
  it.each(fuzzedRoutes.map((route) => [route.id, route] as const))(
    '%s bears broken JSON, odd ids, odd queries and odd headers',
    async (_id, route) => {
      const wrong: string[] = [];
      for (const { name, request } of malformedRequests(route, fuzz.target)) {
        const { violations } = await fuzz.session.send(route, request);
        wrong.push(...violations.map((violation) => `${name}: ${violation}`));
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
