import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath } from './sync-files.ts';
import { findEndOfWalRecords } from './wal-page.ts';

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

/**
 * The internals of Emscripten's NODEFS that this file uses; valid for the pinned version of PGlite.
 */
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

export interface FileSystemHooks {
  /** Called after each completed fsync. */
  onSync(): void;
  /** Called when the write-ahead log continues in a new file of 16 MB. */
  onWalSegment(): void;
  /** Called when the write-ahead log is on disk up to an LSN. */
  onWalFlush(lsn: bigint): void;
  /** Called with the bytes of each write to the control file. */
  onControlFileWrite?(bytes: Buffer): void;
  /** Called when the database cannot continue: a failed fsync, an abort. Must not return. */
  onFatalError(reason: string): never;
}

/** PGlite's file system on a folder, with the missing fsync operation. */
export class DurableNodeFs extends NodeFS {
  readonly #hooks: FileSystemHooks;
  #lastErrorMessage = '';

  /** PostgreSQL's last PANIC or FATAL message; empty if there was none. */
  get lastErrorMessage(): string {
    return this.#lastErrorMessage;
  }

  constructor(folder: string, hooks: FileSystemHooks) {
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
          const [message] = /\b(?:PANIC|FATAL): .*/.exec(line) ?? [];
          if (message !== undefined) this.#lastErrorMessage = message;
        },
        onAbort: (reason: unknown) =>
          hooks.onFatalError(`PostgreSQL aborted: ${this.#lastErrorMessage || String(reason)}`),
      },
    };
  }
}

/** State of the written write-ahead log. */
interface WrittenWal {
  /** End of the last complete record that was written; null before the first. */
  end: bigint | null;
}

const isInWal = ({ node }: Stream): boolean => node.parent.name === 'pg_wal';
/** A new segment has another name until it is complete. */
const isSegment = (stream: Stream): boolean =>
  isInWal(stream) && /^[0-9A-F]{24}$/.test(stream.node.name);

function addFsync(nodeFs: NodeFileSystem, hooks: FileSystemHooks, wal: WrittenWal): void {
  nodeFs.stream_ops.fsync = (stream) => {
    try {
      if (stream.nfd === undefined) syncPath(nodeFs.realPath(stream.node));
      else fs.fsyncSync(stream.nfd);
    } catch (error) {
      // After a failed fsync the kernel may have dropped the pages, so a later success proves
      // nothing. PostgreSQL panics; this process stops before PostgreSQL can respond.
      hooks.onFatalError(`fsync failed: ${String(error)}`);
    }
    hooks.onSync();
    // A segment is synced before the next one is written, so this covers all earlier ones.
    if (wal.end !== null && isSegment(stream)) hooks.onWalFlush(wal.end);
    return 0;
  };
}

function watchWrites(nodeFs: NodeFileSystem, hooks: FileSystemHooks): WrittenWal {
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
      if (isSegment(stream)) wal.end = findEndOfWalRecords(pages) ?? wal.end;
    } else if (name === 'pg_control') {
      hooks.onControlFileWrite?.(Buffer.from(buffer.buffer, buffer.byteOffset + offset, length));
    }
    return write(stream, buffer, offset, length, position);
  };
  return wal;
}
