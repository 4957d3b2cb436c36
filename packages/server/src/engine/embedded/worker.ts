import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, syncPath, syncTree } from './filesystem.ts';
import type { FromWorker, ToWorker, WorkerTask } from './protocol.ts';

/** Exit status by which PGlite's build says "an SQL error was raised": the only harmless throw. */
const SQL_ERROR_STATUS = 100;

const START_PARAMETERS = [
  // -F is fsync=off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on'],
  // The default fdatasync does nothing in this build; fsync reaches our file system class.
  ...['-c', 'wal_sync_method=fsync'],
  ...['-c', 'shared_buffers=32MB'],
  ...['-c', 'max_wal_size=256MB'],
  ...['-c', 'TimeZone=UTC'],
];

const task = workerData as WorkerTask;
const fsyncs = new Int32Array(task.fsyncs);

function post(message: FromWorker): void {
  if (message instanceof Uint8Array)
    parentPort?.postMessage(message, [message.buffer as ArrayBuffer]);
  else parentPort?.postMessage(message);
}

/** Ends this thread on the spot: nothing that PostgreSQL would say from here on can be trusted. */
function fatal(reason: string): never {
  post({ failed: reason });
  process.exit(1);
}

function open(folder: string): Promise<PGlite> {
  const synced = () => {
    Atomics.add(fsyncs, 0, 1);
  };
  return PGlite.create({
    fs: new DurableNodeFs(folder, { synced, fatal }),
    startParams: START_PARAMETERS,
  });
}

/** Makes the folder complete under another name first, so that a kill leaves all or nothing. */
async function initialise(folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  const database = await open(unfinished);
  await database.close();
  syncTree(unfinished);
  fs.renameSync(unfinished, folder);
  syncPath(path.dirname(folder));
}

/** PGlite swallows every throw of the main loop, a trap of WebAssembly included. We must not. */
function stopOnTrap(database: PGlite): void {
  const module = database.Module;
  const once = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if ((error as { status?: number }).status !== SQL_ERROR_STATUS) fatal(String(error));
      throw error;
    }
  };
}

function answer(database: PGlite, request: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  // The stream call is used because the others parse the answer a second time in here; without
  // syncToFs it runs to its end before it returns.
  database
    .execProtocolRawStream(request, {
      syncToFs: false,
      // A view of WebAssembly's memory that the next chunk overwrites.
      onRawData: (chunk) => chunks.push(chunk.slice()),
    })
    .catch((error: unknown) => fatal(String(error)));
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  return new Uint8Array(Buffer.concat(chunks));
}

async function serve(folder: string): Promise<void> {
  const database = await open(folder);
  stopOnTrap(database);
  parentPort?.on('message', (message: ToWorker) => {
    if (message !== 'close') {
      post(answer(database, message));
      return;
    }
    database.close().then(
      () => {
        post('closed');
        process.exit(0);
      },
      (error: unknown) => fatal(String(error)),
    );
  });
  post('ready');
}

try {
  if (task.job === 'serve') await serve(task.folder);
  else {
    await initialise(task.folder);
    post('closed');
    process.exit(0);
  }
} catch (error) {
  fatal(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
