import { paginate } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { backupEnv, runRestore } from './backup-commands.ts';
import { backupKillRounds } from './kill-rounds.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? runCount(2, 20));

describe.each(engines)('backups beside writers that are killed on %s', (engine) => {
  it('leave a whole archive or none, a sound server, and nothing in the way', async () => {
    await backupKillRounds(engine, { rounds, seed: testSeed }, async (ended) => {
      const { reports, lastArchive, acknowledged, adminKey } = ended;
      const count = (outcome: string) => reports.filter((one) => one.outcome === outcome).length;
      process.stdout.write(
        `backup kills on ${engine}, seed ${testSeed}: ${count('complete')} complete, ` +
          `${count('none')} none: ${JSON.stringify(reports)}\n`,
      );
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
      expect(Math.min(count('complete'), count('none'))).toBeGreaterThan(0);
      const target = await createDataLocation(engine, { migrated: false });
      try {
        expect(await runRestore(target, lastArchive)).toMatchObject({ code: 0 });
        await using copy = await startServerProcess(target, { env: backupEnv });
        const kept = new Set<string>();
        const client = copy.client(adminKey);
        const pages = paginate((page) => client.memories.list({ query: { limit: 100, ...page } }));
        for await (const { id } of pages) kept.add(id);
        expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      } finally {
        await target.remove();
      }
    });
  }, 1_200_000);
});
