import { afterAll, beforeAll, describe, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, oneEngine } from '../../support/service.ts';
import { assertResponses, FuzzSession } from './fuzz-session.ts';
import { FuzzTarget, fuzzedRoutes } from './fuzz-target.ts';

describe.each(runCount<typeof engines>(oneEngine, engines))('whatever is sent on %s', (engine) => {
  let target: FuzzTarget;
  let session: FuzzSession;
  beforeAll(async () => {
    target = await FuzzTarget.start(engine);
    session = new FuzzSession(target);
  });
  afterAll(() => target.service.stop());

  it.each(fuzzedRoutes.map((route) => [route.id, route] as const))(
    '%s answers bent requests by its contract, and a refusal changes nothing',
    async (_id, route) => {
      await assertResponses(session, route, target.requests(route, true));
    },
  );
});
