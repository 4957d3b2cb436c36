import fs from 'node:fs';
import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { findEndOfRecords } from './wal-page.ts';

type Init = NodeFS['init'];
type Module = Parameters<NonNullable<Awaited<ReturnType<Init>>['emscriptenOpts']['preRun']>[0]>[0];

interface Node {
  name: string;
  parent: Node;
}

interface Stream {
  nfd?: number;
  node: Node;
}

/** The parts of Emscripten's NODEFS that we reach into; pinned with the version of PGlite. */
interface NodeFileSystem {
  realPath(node: Node): string;
  stream_ops: {
    fsync?: (stream: Stream) => number;
    write: (
      stream: Stream,
      buffer: Uint8Array,
      offset: number,
      length: number,
      position?: number,
    ) => number;
  };
}

export interface FileHooks {
  /** Called after each completed fsync. */
  onSync(): void;
  /** Called when the write-ahead log goes on in another file of 16 MB. */
  onWalSegment(): void;
  /** Called when the write-ahead log is on the disk up to an LSN. */
  onWalFlush(lsn: bigint): void;
  /** Called with the bytes of the control file when it is written. */
  onControlFileWrite?(bytes: Buffer): void;
  /** Called when the database cannot go on: a failed fsync, an abort. Must not return. */
  onFatalError(reason: string): never;
}

/** PGlite's file system on a folder, with the fsync operation that it lacks. */
export class DurableNodeFs extends NodeFS {
  readonly #hooks: FileHooks;
  #lastWords = '';

  /** What PostgreSQL said of why it cannot go on; empty where it said nothing. */
  get lastErrorMessage(): string {
    return this.#lastWords;
  }

  constructor(folder: string, hooks: FileHooks) {
    super(folder);
    this.#hooks = hooks;
  }

  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const hooks = this.#hooks;
    function addHooks(module: Module): void {
      const nodeFs = module.FS.filesystems.NODEFS as unknown as NodeFileSystem;
      const wal = watchWrites(nodeFs, hooks);
      addFsync(nodeFs, hooks, wal);
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), addHooks],
        printErr: (line: string) => {
          const [said] = /\b(?:PANIC|FATAL): .*/.exec(line) ?? [];
          if (said !== undefined) this.#lastWords = said;
        },
        onAbort: (reason: unknown) =>
          hooks.onFatalError(`PostgreSQL aborted: ${this.#lastWords || String(reason)}`),
      },
    };
  }
}

/** What is known of the write-ahead log. */
interface WrittenWal {
  /** Where the last whole record ends that was written; null before the first. */
  end: bigint | null;
}

const isInWal = ({ node }: Stream): boolean => node.parent.name === 'pg_wal';
/** One that is being made has another name until it is whole. */
const isSegment = (stream: Stream): boolean =>
  isInWal(stream) && /^[0-9A-F]{24}$/.test(stream.node.name);

function addFsync(nodeFs: NodeFileSystem, hooks: FileHooks, wal: WrittenWal): void {
  nodeFs.stream_ops.fsync = (stream) => {
    try {
      if (stream.nfd === undefined) syncPath(nodeFs.realPath(stream.node));
      else fs.fsyncSync(stream.nfd);
    } catch (error) {
      // After a failed fsync the kernel may have dropped the pages, so a second try that succeeds
      // proves nothing. PostgreSQL panics; we stop before it can answer anything.
      hooks.onFatalError(`fsync failed: ${String(error)}`);
    }
    hooks.onSync();
    // A segment is synced before the next one is written, so this one stands for all before it.
    if (wal.end !== null && isSegment(stream)) hooks.onWalFlush(wal.end);
    return 0;
  };
}

function watchWrites(nodeFs: NodeFileSystem, hooks: FileHooks): WrittenWal {
  const { write } = nodeFs.stream_ops;
  const wal: WrittenWal = { end: null };
  let current = '';
  nodeFs.stream_ops.write = (stream, buffer, offset, length, position) => {
    const { name } = stream.node;
    if (isInWal(stream)) {
      if (name !== current) {
        current = name;
        hooks.onWalSegment();
      }
      const pages = Buffer.from(buffer.buffer, buffer.byteOffset + offset, length);
      if (isSegment(stream)) wal.end = findEndOfRecords(pages) ?? wal.end;
    } else if (name === 'pg_control') {
      hooks.onControlFileWrite?.(Buffer.from(buffer.buffer, buffer.byteOffset + offset, length));
    }
    return write(stream, buffer, offset, length, position);
  };
  return wal;
}

/** Syncs one file or folder. */
export function syncPath(target: string): void {
  const descriptor = fs.openSync(target, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Syncs every file and folder below a folder, and the folder itself. */
export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(target);
    else if (entry.isFile()) syncPath(target);
  }
  syncPath(folder);
}
