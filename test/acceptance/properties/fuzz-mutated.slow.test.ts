import { it } from 'vitest';
import { assertResponses, describeFuzz } from './fuzz-session.ts';
import { fuzzedRoutes } from './fuzzed-operations.ts';

describeFuzz((fuzz) => {
  it.each(fuzzedRoutes.map((route) => [route.id, route] as const))(
    '%s answers bent requests by its contract, and a refusal changes nothing',
    async (_id, route) => {
      await assertResponses(fuzz.session, route, fuzz.target.requests(route, true));
    },
  );
});
