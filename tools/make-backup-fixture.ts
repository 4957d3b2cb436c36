/**
 * Makes the backups of one version for test/fixtures/backups, whose README says when:
 *
 *   node tools/make-backup-fixture.ts 0.2.0 ../checkout-of-0.2.0
 *
 * Without a folder it is the version of this checkout. MNEME_TEST_DATABASE_URL names the PostgreSQL
 * for the second of them.
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { backupEnv, downloadBackup } from '../test/acceptance/backup/backup-commands.ts';
import {
  type BackupFixture,
  backupFixtures,
  compressIfLarge,
  metadataFileOf,
} from '../test/acceptance/backup/fixtures.ts';
import {
  describeInstallation,
  fillInstallation,
  installationEnv,
} from '../test/acceptance/backup/installation.ts';
import { createDataLocation, startServerProcess } from '../test/support/server-process.ts';
import { engines } from '../test/support/service.ts';

const ownCheckout = fileURLToPath(new URL('..', import.meta.url));

async function make(version: string, checkout: string, engine: (typeof engines)[number]) {
  const name = `${version}-${engine.toLowerCase()}`;
  const file = path.join(backupFixtures, `${name}.backup`);
  const entry = path.join(path.resolve(checkout), 'packages/server/bin/start.mjs');
  const place = await createDataLocation(engine, { migrated: false });
  try {
    await using server = await startServerProcess(place, {
      command: [process.execPath, entry],
      env: { ...backupEnv, ...installationEnv },
    });
    const client = server.client();
    // Nothing listens there: the calls of the webhook fail, and wait to be repeated.
    await fillInstallation(client, 'http://127.0.0.1:1/hooks');
    await rm(file, { force: true });
    await downloadBackup(client, file);
    const known: BackupFixture = {
      takenAt: new Date().toISOString(),
      adminKey: server.adminKey,
      installation: await describeInstallation(client),
    };
    await writeFile(metadataFileOf(`${name}.backup`), `${JSON.stringify(known, null, 2)}\n`);
  } finally {
    await place.remove();
  }
  const kept = await compressIfLarge(file);
  process.stdout.write(`${kept}: ${(await stat(kept)).size} bytes\n`);
}

const [version, checkout = ownCheckout] = process.argv.slice(2);
if (version === undefined) throw new Error('Which version? See the head of this file.');
await mkdir(backupFixtures, { recursive: true });
for (const engine of engines) await make(version, checkout, engine);
