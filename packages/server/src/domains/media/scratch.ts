import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '../ctx.ts';

/** The folder for files that external programs read or write. */
const scratchRoot = ({ config }: Pick<App, 'config'>): string =>
  path.join(config.dataDir, 'scratch');

/** Creates a temporary folder, which is removed with its contents on disposal. */
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

/** Job: removes folders that crashed processes left, once they are too old to be in use. */
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
