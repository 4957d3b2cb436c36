import fs from 'node:fs';
import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

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
    write: (stream: Stream, ...parameters: unknown[]) => number;
  };
}

export interface FileHooks {
  /** Called after each completed fsync. */
  synced(): void;
  /** Called when the write-ahead log goes on in another file of 16 MB. */
  walSegment(): void;
  /** Called when the database cannot go on: a failed fsync, an abort. Must not return. */
  fatal(reason: string): never;
}

/** PGlite's file system on a folder, with the fsync operation that it lacks. */
export class DurableNodeFs extends NodeFS {
  readonly #hooks: FileHooks;

  constructor(folder: string, hooks: FileHooks) {
    super(folder);
    this.#hooks = hooks;
  }

  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const hooks = this.#hooks;
    function addHooks(module: Module): void {
      const nodeFs = module.FS.filesystems.NODEFS as unknown as NodeFileSystem;
      addFsync(nodeFs, hooks);
      watchWal(nodeFs, hooks);
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), addHooks],
        onAbort: (reason: unknown) => hooks.fatal(`PostgreSQL aborted: ${String(reason)}`),
      },
    };
  }
}

function addFsync(nodeFs: NodeFileSystem, hooks: FileHooks): void {
  nodeFs.stream_ops.fsync = (stream) => {
    try {
      if (stream.nfd === undefined) syncPath(nodeFs.realPath(stream.node));
      else fs.fsyncSync(stream.nfd);
    } catch (error) {
      // After a failed fsync the kernel may have dropped the pages, so a second try that succeeds
      // proves nothing. PostgreSQL panics; we stop before it can answer anything.
      hooks.fatal(`fsync failed: ${String(error)}`);
    }
    hooks.synced();
    return 0;
  };
}

function watchWal(nodeFs: NodeFileSystem, hooks: FileHooks): void {
  const { write } = nodeFs.stream_ops;
  let current = '';
  nodeFs.stream_ops.write = (stream, ...parameters) => {
    const { name, parent } = stream.node;
    if (name !== current && parent.name === 'pg_wal') {
      current = name;
      hooks.walSegment();
    }
    return write(stream, ...parameters);
  };
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
