import { describe, expect, it } from 'vitest';
import { killRounds } from './kill-rounds.ts';

const seed = 20_261_121;

// On a server's database, where leases run out first, it takes a minute more: test/long has it.
describe('kill -9 while webhooks are told', () => {
  it("loses no event, and keeps the order of first attempts and each delivery's id", async () => {
    const report = await killRounds('embedded', { rounds: 3, seed });
    process.stdout.write(`webhooks under kills, seed ${seed}: ${JSON.stringify(report)}\n`);
    expect(report.violations).toEqual([]);
    expect(report.stored).toBeGreaterThanOrEqual(30);
    expect(report.duplicates).toBeGreaterThan(0);
  }, 240_000);
});
