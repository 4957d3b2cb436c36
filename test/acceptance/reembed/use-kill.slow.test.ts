import { describe, expect, it } from 'vitest';
import { testSeed } from '../../support/run-count.ts';
import { engines } from '../../support/service.ts';
import { killWhileUsing } from './use-kill-rounds.ts';

describe.each(engines)('a change of the model while the service runs on %s', (engine) => {
  it('continues or is undone after a kill, there and back, and leaves one model', async () => {
    const report = await killWhileUsing(engine, { memories: 100, kills: 2, seed: testSeed });
    expect(report).toMatchObject({ violations: [], vectors: { 'static-en-192@1': 100 } });
  });
});
