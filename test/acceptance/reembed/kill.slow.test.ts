import { describe, expect, it } from 'vitest';
import { testSeed } from '../../support/run-count.ts';
import { engines } from '../../support/service.ts';
import { killWhileReembedding } from './kill-rounds.ts';

describe.each(engines)('a change of the embedding model on %s', (engine) => {
  it('goes on after a kill where it was, and searches are right before and after it', async () => {
    const report = await killWhileReembedding(engine, { memories: 200, kills: 1, seed: testSeed });
    process.stdout.write(`reembed and kill on ${engine}: ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ violations: [], faults: 0 });
    expect(report.embeddedTwice).toBeLessThanOrEqual(report.embeddedTwiceMax);
  });
});
