import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '../ctx.ts';

/** Where files stand while a program reads or writes them. */
const scratchRoot = ({ config }: Pick<App, 'config'>): string =>
  path.join(config.dataDir, 'scratch');

/** A folder of its own, gone with all that is in it when it is disposed of. */
export async function createScratchFolder(
  app: Pick<App, 'config'>,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const root = scratchRoot(app);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(root, 'media-'));
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export const sweepScratchKind = 'media.scratch';
const abandonedAfterMs = 24 * 3_600_000;

/** Job: what processes that died have left, once nobody can be at work on it any more. */
export async function sweepScratch(app: Pick<App, 'config' | 'clock'>): Promise<void> {
  const root = scratchRoot(app);
  const before = app.clock.now().getTime() - abandonedAfterMs;
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const entry = await stat(path.join(root, name)).catch(() => null);
    if (entry && entry.mtimeMs < before) {
      await rm(path.join(root, name), { recursive: true, force: true });
    }
  }
}
