import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestDatabase } from '../../packages/server/src/database/testing.ts';
import { killRounds } from '../acceptance/durability/kill-rounds.ts';
import { eventually } from '../support/eventually.ts';
import { isAvailable } from '../support/requirements.ts';
import { ownPostgres } from './own-postgres.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
const recoveryMs = 60_000;

describe.runIf(isAvailable('ownPostgres'))(
  `PostgreSQL itself, killed ${rounds} times under load`,
  () => {
    it('takes back nothing that was answered, and the service goes on by itself', async () => {
      const postgres = await ownPostgres();
      const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
      const database = await makeTestDatabase(postgres.url);
      const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-test-'));
      const place = {
        dataDir,
        databaseUrl: database.url,
        async remove() {
          await database.drop();
          await fs.rm(dataDir, { recursive: true, force: true });
        },
      };
      try {
        const reports = await killRounds('PostgreSQL', {
          rounds,
          seed,
          place,
          method: {
            kill: () => postgres.kill(),
            async restart(server) {
              await postgres.start();
              const health = () => server.client().request({ method: 'GET', path: '/health' });
              await eventually(health, ({ status }) => status === 200, recoveryMs);
              return server;
            },
            returnsErrors: true,
          },
        });
        process.stdout.write(`kill of PostgreSQL, seed ${seed}: ${JSON.stringify(reports)}\n`);
        expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
      } finally {
        postgres.stop();
      }
    });
  },
);
