import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@mneme/sdk';
import { openEngine } from '../../../packages/server/src/database/index.ts';
import { silentLog } from '../../../packages/server/src/database/testing.ts';
import { backupKind } from '../../../packages/server/src/domains/operations/index.ts';
import { enqueueJob } from '../../../packages/server/src/jobs/job-queue.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { createIds } from '../../../packages/server/src/kernel/ids.ts';
import { verifyArchive } from '../../../packages/server/src/providers/archive/index.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type DataLocation,
  type LaunchedProcess,
  launchServer,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import { backupEnv as settings } from './backup-commands.ts';
import { startWriteLoad } from './write-load.ts';

/** Kills backups, or the server that makes them, and looks at the files that are left. */

const cli = fileURLToPath(new URL('../../../packages/cli/bin/mneme.mjs', import.meta.url));
const timeoutMs = 60_000;
/** Before its first byte: no backup that is asked for has one much sooner or later. */
const firstByteMs = { command: 800, schedule: 1_100 };

type KillTarget = 'command' | 'server' | 'scheduled';
type KillMoment = 'before' | 'early' | 'late' | 'after';
const victims: readonly KillTarget[] = ['command', 'scheduled', 'server'];
const moments: readonly KillMoment[] = ['early', 'after', 'late', 'before'];

interface RoundReport {
  readonly victim: KillTarget;
  readonly moment: KillMoment;
  /** Of the file's bytes, at the kill; more than 1 where more was written since. */
  readonly share: number;
  readonly outcome: 'complete' | 'none';
  readonly seconds: number;
  readonly violations: readonly string[];
}

export interface KillRoundsResult {
  readonly reports: readonly RoundReport[];
  /** A whole archive from after the last kill. */
  readonly lastArchive: string;
  /** Ids of memories that it has. */
  readonly acknowledged: readonly string[];
  readonly adminKey: string;
}

interface KillRoundsContext {
  readonly place: DataLocation;
  readonly folder: string;
  readonly chance: SeededRandom;
  server: ServerProcess;
  readonly acknowledged: string[];
  /** Of the last whole archive. */
  bytes: number;
  readonly scheduledTo: string;
}

/** Runs rounds on one place. `use` is called before the files are removed. */
export async function backupKillRounds(
  engine: (typeof engines)[number],
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  use: (ended: KillRoundsResult) => Promise<void>,
): Promise<void> {
  const place = await createDataLocation(engine);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-kills-'));
  const reports: RoundReport[] = [];
  let scene: KillRoundsContext | null = null;
  try {
    scene = await startContext(place, folder, createSeededRandom(seed));
    for (let i = 0; i < rounds; i += 1) {
      const victim = victims[i % victims.length] as KillTarget;
      const moment = moments[i % moments.length] as KillMoment;
      reports.push(await runRound(scene, victim, moment));
    }
    const { acknowledged, server } = scene;
    const { file: last } = await nextBackup(scene);
    const faults = await verify(server.client());
    reports.push(
      ...faults.map((fault) => ({ ...(reports.at(-1) as RoundReport), violations: [fault] })),
    );
    await use({ reports, lastArchive: last, acknowledged, adminKey: server.adminKey });
  } finally {
    await scene?.server[Symbol.asyncDispose]();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startContext(
  place: DataLocation,
  folder: string,
  chance: SeededRandom,
): Promise<KillRoundsContext> {
  const scheduledTo = path.join(folder, 'scheduled');
  const server = await start(place, scheduledTo);
  await fillDatabase(server.client(), chance);
  const acknowledged: string[] = [];
  const parts = { place, folder, chance, scheduledTo, acknowledged };
  const scene: KillRoundsContext = { ...parts, server, bytes: 0 };
  scene.bytes = (await nextBackup(scene)).bytes;
  return scene;
}

const start = (place: DataLocation, folder: string): Promise<ServerProcess> =>
  // Vectors are not the subject.
  startServerProcess(place, {
    env: { ...settings, MNEME_EMBEDDING_PROVIDER: 'static', MNEME_BACKUP_DIR: folder },
  });

/**
 * So that a backup takes some hundred writes on every engine: text that compresses little, where no
 * index has to analyse it.
 */
async function fillDatabase(client: Client, chance: SeededRandom): Promise<void> {
  const word = (): string => chance.integer(0, 2 ** 31).toString(36);
  for (let i = 0; i < 10; i += 1) {
    const memories = Array.from({ length: 50 }, (_, n) => ({
      content: `Filler ${i * 50 + n}`,
      metadata: { words: Array.from({ length: 400 }, word).join(' ') },
    }));
    await client.memories.bulkCreate({ body: { memories } });
  }
}

async function runRound(
  scene: KillRoundsContext,
  victim: KillTarget,
  moment: KillMoment,
): Promise<RoundReport> {
  const wrong: string[] = [];
  const beganMs = performance.now();
  const folder = await mkdtemp(path.join(scene.folder, 'round-'));
  const { target, bytes: atKill } =
    victim === 'scheduled'
      ? await killScheduledBackup(scene, moment)
      : await killRequestedBackup(scene, victim, moment, path.join(folder, 'one.backup'));
  const outcome = await checkArchive(target, wrong);
  if (victim !== 'command') scene.server = await start(scene.place, scene.scheduledTo);
  if (victim === 'scheduled') wrong.push(...(await repeatScheduled(scene)));
  // Under the same name, where what was left of the killed one is found.
  const file = path.join(folder, 'one.backup');
  const next = await nextBackup(scene, file);
  const left = (await readdir(folder)).filter((name) => name !== path.basename(file));
  wrong.push(...left.map((name) => `${name} was left`));
  if (scene.place.databaseUrl === null) {
    const slot = path.join(scene.place.dataDir, 'pg/pg_replslot/mneme_backup');
    if (existsSync(slot)) wrong.push('the replication slot was left');
  }
  const share = Math.round((atKill / scene.bytes) * 100) / 100;
  scene.bytes = next.bytes;
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  return { victim, moment, share, outcome, seconds, violations: wrong };
}

/** Kills the command, or the server that it speaks to. */
async function killRequestedBackup(
  scene: KillRoundsContext,
  victim: 'command' | 'server',
  moment: KillMoment,
  file: string,
) {
  const load = startWriteLoad(scene.server.client(), scene.acknowledged);
  const command = backUp(scene, file);
  const bytes = await waitForMoment(scene, moment, path.dirname(file), firstByteMs.command);
  if (victim === 'command') await command.kill('SIGKILL');
  else await killServer(scene);
  const { code } = await command.ended;
  await load.stop();
  if (victim === 'server' && (code === 0) !== existsSync(file)) {
    throw new Error(`mneme backup ended with ${code}: ${command.output()}`);
  }
  return { target: path.dirname(file), bytes };
}

async function killScheduledBackup(scene: KillRoundsContext, moment: KillMoment) {
  const target = scene.scheduledTo;
  await mkdir(target, { recursive: true });
  await queueScheduled(scene);
  const load = startWriteLoad(scene.server.client(), scene.acknowledged);
  const bytes = await waitForMoment(scene, moment, target, firstByteMs.schedule);
  await killServer(scene);
  await load.stop();
  return { target, bytes };
}

async function killServer({ server }: KillRoundsContext): Promise<void> {
  await server.kill('SIGKILL', 'group');
}

/** The job that the schedule queues, now: a schedule has minutes only. */
async function queueScheduled(scene: KillRoundsContext): Promise<void> {
  const { databaseUrl, dataDir } = scene.place;
  // Nothing else can write to an embedded database while the server has it.
  if (databaseUrl === null) await killServer(scene);
  {
    await using engine = await openEngine(
      databaseUrl === null
        ? { kind: 'embedded', dataDir }
        : { kind: 'server', url: databaseUrl, poolMax: 1 },
      { log: silentLog },
    );
    const now = new Date();
    await engine.transaction(async (tx) => {
      // That of a killed server would come back at any moment of a later round.
      await tx.deleteFrom('jobs').where('kind', '=', backupKind).execute();
      await enqueueJob(tx, {
        id: createIds(systemClock).uuid(),
        accountId: null,
        kind: backupKind,
        payload: { at: now.toISOString() },
        spaces: null,
        runAt: now,
      });
    });
  }
  if (databaseUrl === null) scene.server = await start(scene.place, scene.scheduledTo);
}

/** The next scheduled backup is made, and removes what the killed one has left. */
async function repeatScheduled(scene: KillRoundsContext): Promise<string[]> {
  const { place, scheduledTo } = scene;
  // The embedded database has one worker, which repeats the job of a killed one at once.
  if (place.databaseUrl === null) await killServer(scene);
  for (const name of finished(scheduledTo)) await rm(path.join(scheduledTo, name));
  await queueScheduled(scene);
  await eventually(
    async () => finished(scheduledTo),
    ({ length }) => length > 0,
    timeoutMs,
  );
  const files = await eventually(
    () => readdir(scheduledTo),
    (names) => !names.some((name) => name.endsWith('.lock')),
  );
  await rm(scheduledTo, { recursive: true });
  return files.filter((name) => !name.endsWith('.backup')).map((name) => `${name} was left`);
}

const finished = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.backup')) : [];

/** Bytes of the file that is being written; null where there is none. */
function bytesWritten(folder: string): number | null {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name =
    names.find((one) => one.endsWith('.backup')) ?? names.find((one) => one.endsWith('.partial'));
  const found = name && statSync(path.join(folder, name), { throwIfNoEntry: false });
  return found ? found.size : null;
}

/** Waits for the moment of the kill; gives the bytes that are written by then. */
async function waitForMoment(
  { chance, bytes }: KillRoundsContext,
  moment: KillMoment,
  folder: string,
  firstMs: number,
): Promise<number> {
  const half = moment === 'late' ? 0.5 : 0;
  const share = half + chance.fraction() / 2;
  const untilMs = performance.now() + chance.fraction() * firstMs;
  const isNow = (): boolean => {
    const written = bytesWritten(folder);
    if (finished(folder).length > 0) return true;
    if (moment === 'before') return written !== null || performance.now() > untilMs;
    return moment !== 'after' && written !== null && written >= share * bytes;
  };
  const endMs = performance.now() + timeoutMs;
  while (!isNow()) {
    if (performance.now() > endMs) throw new Error(`no backup was made in ${folder}`);
    await wait(1);
  }
  return bytesWritten(folder) ?? 0;
}

/** What has the final name is whole. */
async function checkArchive(folder: string, wrong: string[]): Promise<'complete' | 'none'> {
  const files = finished(folder);
  for (const name of files) {
    try {
      await verifyArchive(path.join(folder, name));
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`);
    }
  }
  return files.length > 0 ? 'complete' : 'none';
}

function backUp({ place, server }: KillRoundsContext, file: string): LaunchedProcess {
  const command = [process.execPath, cli, 'backup', file, '--replace'];
  const env = { MNEME_URL: server.url, MNEME_API_KEY: server.adminKey };
  return launchServer(place, { command, env });
}

/** Also where the backup of a killed command is about to end. */
async function nextBackup(
  scene: KillRoundsContext,
  file = path.join(scene.folder, 'last.backup'),
): Promise<{ file: string; bytes: number }> {
  await eventually(
    async () => {
      await using command = backUp(scene, file);
      const { code } = await command.ended;
      const output = command.output();
      if (code !== 0 && !output.includes('A backup is already running')) throw new Error(output);
      return code;
    },
    (code) => code === 0,
    timeoutMs,
  );
  await verifyArchive(file);
  return { file, bytes: statSync(file).size };
}

async function verify({ admin }: Client): Promise<string[]> {
  const { job_id: id } = await admin.startVerification({ body: { deep: true } });
  const done = await eventually(
    () => admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    timeoutMs,
  );
  if (done.status === 'failed') return ['the verification failed'];
  return [...done.faults, ...(done.damaged_pages ?? [])].map((fault) => JSON.stringify(fault));
}
