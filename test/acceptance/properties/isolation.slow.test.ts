import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { type MemoryOperation, ModelHarness, operationKinds } from './model-harness.ts';

const act: fc.Arbitrary<MemoryOperation> = fc.record({
  actor: fc.nat(3),
  kind: fc.constantFrom(...operationKinds),
  memories: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  space: fc.nat(6),
  word: fc.nat(4),
  copy: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  flag: fc.boolean(),
  named: fc.boolean(),
});

describe.each(engines)('accounts and limited keys on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { env: { MNEME_EMAIL_DOMAIN: 'mail.test' } });
  });
  afterAll(() => service.stop());

  it('see, count and change what the model says, and nothing else', async () => {
    const statuses = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 80, maxLength: 110 }), async (acts) => {
        const world = await ModelHarness.make(service, statuses);
        for (const one of acts) await world.perform(one);
        await world.compareAll();
      }),
      { numRuns: runCount(6, 80), endOnFailure: true },
    );
    // Each refusal that the model knows was met; a run without them would prove nothing.
    for (const met of ['200', '201', '204', '403 space_access_denied', '404 memory_not_found']) {
      expect(statuses.get(met) ?? 0, met).toBeGreaterThan(10);
    }
    for (const met of [
      '404 space_not_found',
      '404 not_found',
      '404 cluster_not_found',
      '422 validation_error',
      'a delivery',
      'a job',
      'a hidden job',
      'a mail',
      'a hidden mail',
      'an audit log of another account',
      '409 duplicate_memory',
      '409 conflict',
      'a name of a space',
      'a name of no space or a hidden one',
    ]) {
      expect(statuses.get(met) ?? 0, met).toBeGreaterThan(0);
    }
  });
});
