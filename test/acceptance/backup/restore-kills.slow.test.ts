import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import {
  backupEnv,
  downloadBackup,
  killAfter,
  launchCommand,
  runRestore,
} from './backup-commands.ts';
import { describeInstallation, fillInstallation, installationEnv } from './installation.ts';

const settings = { ...backupEnv, ...installationEnv, MNEME_EMBEDDING_PROVIDER: 'static' };
/** What a restore says as it begins a step, and how long after it it is killed at the latest. */
const steps = [
  ['Restoring the database', 2_500],
  ['Verifying', 500],
  ['Restoring files', 50],
  ['Checking the archive', 100],
] as const;

interface Archive {
  readonly file: string;
  readonly adminKey: string;
  readonly before: unknown;
}

async function makeArchive(engine: (typeof engines)[number], folder: string): Promise<Archive> {
  const place = await createDataLocation(engine);
  const file = path.join(folder, `${engine}.backup`);
  try {
    await using server = await startServerProcess(place, { env: settings });
    const client = server.client();
    await fillInstallation(client, 'http://127.0.0.1:1/');
    const before = await describeInstallation(client);
    await downloadBackup(client, file);
    return { file, adminKey: server.adminKey, before };
  } finally {
    await place.remove();
  }
}

/** Kills a restore; `unfinished`: a server refuses to start on what there is. */
async function kill(place: DataLocation, file: string, chance: SeededRandom, round: number) {
  const [label, delayMsMax] = steps[round % steps.length] as (typeof steps)[number];
  const delayMs = Math.round(chance.fraction() * delayMsMax);
  await using killed = launchCommand(place, ['restore', file], settings);
  const code = await killAfter(killed, new RegExp(label), delayMs);
  const names = await readdir(place.dataDir);
  if (code === 0) return { label, delayMs, left: 'complete' };
  const isUnfinished = names.includes('restore-in-progress.json');
  return { label, delayMs, left: isUnfinished ? 'unfinished' : 'nothing' };
}

let folder: string;
const archives: Archive[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-restores-'));
  // By default one round for each target, with the archive of the first engine.
  for (const from of engines.slice(0, runCount(1, engines.length)))
    archives.push(await makeArchive(from, folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(engines)('a restore into %s that is killed', (to) => {
  it('is refused by a server, and completed by the next with the same file', async () => {
    const chance = createSeededRandom(testSeed);
    const reports: object[] = [];
    for (let round = 0; round < runCount(1, 16); round += 1) {
      const { file, adminKey, before } = archives[
        (round + Math.floor(round / 4)) % archives.length
      ] as Archive;
      const target = await createDataLocation(to, { migrated: false });
      try {
        const report = await kill(target, file, chance, round);
        reports.push(report);
        if (report.left === 'unfinished') {
          await using refusing = launchServer(target, { env: settings });
          expect((await refusing.ended).code).toBe(1);
          expect(refusing.output()).toContain(
            `A restore into ${target.dataDir} is incomplete: run \`mneme restore\` with the ` +
              'same file again, or empty the folder.',
          );
        }
        if (report.left !== 'complete') {
          const { code, output } = await runRestore(target, file, settings);
          expect(code, output).toBe(0);
        }
        await using copy = await startServerProcess(target, { env: settings });
        expect(await describeInstallation(copy.client(adminKey))).toEqual(before);
      } finally {
        await target.remove();
      }
    }
    process.stdout.write(
      `restores killed on ${to}, seed ${testSeed}: ${JSON.stringify(reports)}\n`,
    );
    expect(reports).toContainEqual(expect.objectContaining({ left: 'unfinished' }));
  }, 1_200_000);
});
