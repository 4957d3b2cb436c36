import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../../packages/server/src/database/index.ts';
import { migrationsFolder } from '../../../packages/server/src/instance/open-database.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { verifyArchive } from '../../../packages/server/src/providers/archive/index.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import { runCount } from '../../support/run-count.ts';
import { createDataLocation, type DataLocation } from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { runRestore } from './backup-commands.ts';
import {
  type BackupFixture,
  backupFixtures,
  decompress,
  isBackup,
  metadataFileOf,
} from './fixtures.ts';
import {
  describeInstallation,
  expectedSearches,
  installationEnv,
  verifyInstallation,
} from './installation.ts';

const archives = readdirSync(backupFixtures).filter(isBackup);
const all = archives.flatMap((name) => engines.map((to) => ({ name, to })));
/** Into the other engine with a large budget: restore.slow.test.ts goes every way. */
const cases = runCount(
  all.filter(({ name, to }) => name.includes(to.toLowerCase())),
  all,
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-fixtures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** On the day of the backup: nothing that is kept for a time has run out. */
async function serveAt({ dataDir, databaseUrl }: DataLocation, takenAt: string) {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    MNEME_DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
    ...installationEnv,
  });
  const agoMs = Date.now() - Date.parse(takenAt);
  const clock = { ...systemClock, now: () => new Date(Date.now() - agoMs) };
  return serve(config, '0.0.0-test', { clock, log: createLog('silent') });
}

describe('the backups of earlier versions', () => {
  it('are there for each kind of database, and have migrations as they are today', async () => {
    const known = await readMigrations(migrationsFolder);
    const kinds = new Set<string>();
    for (const name of archives) {
      const { database } = (await verifyArchive(await decompress(name, folder))).manifest;
      kinds.add(database.kind);
      const applied = known.slice(0, database.migrations.length);
      expect(database.migrations).toEqual(
        applied.map((one) => ({ name: one.name, checksum: one.checksum })),
      );
    }
    expect([...kinds].sort()).toEqual(['files', 'tables']);
  });
});

describe.each(cases)('$name, restored into $to and upgraded', ({ name, to }) => {
  it('has everything, without faults, and finds what was found', async () => {
    const file = await decompress(name, folder);
    const known = JSON.parse(await readFile(metadataFileOf(name), 'utf8')) as BackupFixture;
    const place = await createDataLocation(to, { migrated: false });
    try {
      const { code, output } = await runRestore(place, file);
      expect({ code, output }).toMatchObject({ code: 0 });
      expect(output).toContain('The verification found no errors.');
      const running = await serveAt(place, known.takenAt);
      try {
        const client = createClient({ url: running.url, apiKey: known.adminKey, retries: 0 });
        // A later version may rank in another way.
        const { found: _, ...stored } = known.installation;
        expect(await describeInstallation(client)).toMatchObject(stored);
        for (const [q, content] of Object.entries(expectedSearches)) {
          const { results } = await client.search.get({ query: { q, limit: 3, threshold: 0 } });
          expect(results.map((one) => (one as { content?: string }).content)).toContain(content);
        }
        expect(await verifyInstallation(client)).toEqual([]);
      } finally {
        await running.stop();
      }
    } finally {
      await place.remove();
    }
  }, 120_000);
});
