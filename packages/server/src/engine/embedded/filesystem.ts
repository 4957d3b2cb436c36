import fs from 'node:fs';
import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];
type Module = Parameters<NonNullable<Awaited<ReturnType<Init>>['emscriptenOpts']['preRun']>[0]>[0];

/** The parts of Emscripten's NODEFS that we reach into; pinned with the version of PGlite. */
interface NodeFileSystem {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
}

export interface DurableHooks {
  /** Called after each completed fsync. */
  synced(): void;
  /** Called when the database cannot go on: a failed fsync, an abort. Must not return. */
  fatal(reason: string): never;
}

/** PGlite's file system on a folder, with the fsync operation that it lacks. */
export class DurableNodeFs extends NodeFS {
  readonly #hooks: DurableHooks;

  constructor(folder: string, hooks: DurableHooks) {
    super(folder);
    this.#hooks = hooks;
  }

  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const hooks = this.#hooks;
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), (module: Module) => addFsync(module, hooks)],
        onAbort: (reason: unknown) => hooks.fatal(`PostgreSQL aborted: ${String(reason)}`),
      },
    };
  }
}

function addFsync(module: Module, hooks: DurableHooks): void {
  const nodeFs = module.FS.filesystems.NODEFS as unknown as NodeFileSystem;
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

function syncPath(target: string): void {
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

export { syncPath };
