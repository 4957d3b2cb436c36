import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { parseControlFile } from './control-file.ts';
import type { FileSystemHooks } from './filesystem.ts';
import { RequestWriter } from './frontend-request.ts';
import { openPglite } from './pglite.ts';
import { compilePostgres } from './postgres-program.ts';
import {
  type OpenDatabase,
  type StreamRequest,
  type WorkerData,
  type WorkerMessage,
  type WorkerRequest,
  walFieldIndexes,
} from './protocol.ts';

/** Exit status of PGlite's build for an SQL error: the only throw that is safe to continue from. */
const SQL_ERROR_STATUS = 100;

/**
 * Number of WAL files (16 MB each) after which a checkpoint runs. PostgreSQL has a separate process
 * for this, which the embedded engine lacks: the WAL would grow until the disk is full, and
 * recovery after a kill would take as long as all of its writes.
 */
const CHECKPOINT_SEGMENTS = 8;

/** Size of the chunks of a streamed response; PostgreSQL itself emits 8 kB at a time. */
const CHUNK_BYTES = 256 * 1024;

let segments = 0;

function post(message: WorkerMessage): void {
  if (message instanceof Uint8Array) {
    parentPort?.postMessage(message, [message.buffer as ArrayBuffer]);
  } else if (typeof message === 'object' && 'chunk' in message) {
    parentPort?.postMessage(message, [message.chunk.buffer as ArrayBuffer]);
  } else parentPort?.postMessage(message);
}

/** Exits immediately: later responses of PostgreSQL cannot be trusted. */
function fatal(reason: string): never {
  post({ failed: reason });
  process.exit(1);
}

/**
 * PGlite swallows every throw of the main loop, including WebAssembly traps, which must be fatal.
 */
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

async function execute(
  database: PGlite,
  request: Uint8Array,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  try {
    // The other calls parse the response a second time here. Without syncToFs this call completes
    // before it returns, so that requests stay in order.
    await database.execProtocolRawStream(request, {
      syncToFs: false,
      // A view of WebAssembly memory that the next chunk overwrites.
      onRawData: (chunk) => onChunk(chunk.slice()),
    });
  } catch (error) {
    // A partial response must not be sent.
    fatal(String(error));
  }
}

async function respond(database: PGlite, request: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await execute(database, request, (chunk) => chunks.push(chunk));
  return join(chunks);
}

/** Sends chunks as PostgreSQL produces them, and blocks the database until the reader continues. */
async function streamResponse(
  database: PGlite,
  { request, credit }: StreamRequest,
): Promise<Uint8Array> {
  const allowed = new Int32Array(credit);
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  await execute(database, request, (chunk) => {
    if (bytes >= CHUNK_BYTES) {
      while (Atomics.load(allowed, 0) <= 0) Atomics.wait(allowed, 0, 0);
      Atomics.sub(allowed, 0, 1);
      post({ chunk: join(chunks) });
      chunks = [];
      bytes = 0;
    }
    chunks.push(chunk);
    bytes += chunk.length;
  });
  return join(chunks);
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  return new Uint8Array(Buffer.concat(chunks));
}

/** A response ends with ReadyForQuery, whose last byte is I outside a transaction. */
function isIdle(bytes: Uint8Array): boolean {
  return bytes.at(-1) === 'I'.charCodeAt(0);
}

async function serve(database: PGlite, request: Uint8Array | StreamRequest): Promise<void> {
  const isWhole = request instanceof Uint8Array;
  const bytes = isWhole
    ? await respond(database, request)
    : await streamResponse(database, request);
  const isCheckpointDue = segments >= CHECKPOINT_SEGMENTS && isIdle(bytes);
  post(bytes);
  if (!isCheckpointDue) return;
  segments = 0;
  await respond(database, new RequestWriter().query('checkpoint').drain());
}

async function close(database: PGlite): Promise<void> {
  try {
    await database.close();
    post('closed');
    process.exit(0);
  } catch (error) {
    fatal(String(error));
  }
}

try {
  const opening = once(parentPort as MessagePort, 'message') as Promise<[OpenDatabase]>;
  const program = (workerData as WorkerData).program ?? (await compilePostgres());
  const [task] = await opening;
  const fsyncs = new Int32Array(task.fsyncs);
  const wal = new BigInt64Array(task.wal);
  const hooks: FileSystemHooks = {
    onSync: () => Atomics.add(fsyncs, 0, 1),
    onWalSegment: () => {
      segments += 1;
    },
    onWalFlush: (lsn) => Atomics.store(wal, walFieldIndexes.flushed, lsn),
    onControlFileWrite: (bytes) =>
      Atomics.store(wal, walFieldIndexes.checkpoint, parseControlFile(bytes).checkpointLsn),
    onFatalError: fatal,
  };
  const database = await openPglite(task.folder, hooks, program);
  stopOnTrap(database);
  parentPort?.on('message', (message: WorkerRequest) => {
    void (message === 'close' ? close(database) : serve(database, message));
  });
  post({ program });
} catch (error) {
  fatal(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
