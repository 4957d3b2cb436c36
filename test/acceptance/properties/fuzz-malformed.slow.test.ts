import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, oneEngine } from '../../support/service.ts';
import { FuzzSession } from './fuzz-session.ts';
import { FuzzTarget, fuzzedRoutes } from './fuzz-target.ts';
import { malformedRequests } from './malformed-requests.ts';

describe.each(runCount<typeof engines>(oneEngine, engines))('whatever is sent on %s', (engine) => {
  let target: FuzzTarget;
  let session: FuzzSession;
  beforeAll(async () => {
    target = await FuzzTarget.start(engine);
    session = new FuzzSession(target);
  });
  afterAll(() => target.service.stop());

  it.each(fuzzedRoutes.map((route) => [route.id, route] as const))(
    '%s bears broken JSON, odd ids, odd queries and odd headers',
    async (_id, route) => {
      const wrong: string[] = [];
      for (const { name, request } of malformedRequests(route, target)) {
        const { violations } = await session.send(route, request);
        wrong.push(...violations.map((violation) => `${name}: ${violation}`));
      }
      wrong.push(...(await session.finish()));
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
