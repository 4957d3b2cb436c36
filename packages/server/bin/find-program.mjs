import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The URL of the program below the URL of an installation: the bundle that `prepare.mjs` makes, or
 * the sources if there is none, or if a file that it was made of has changed.
 */
export function findProgram(root) {
  const bundles = new URL('node_modules/.cache/mneme/program/', root);
  try {
    const { program, files } = JSON.parse(readFileSync(new URL('manifest.json', bundles), 'utf8'));
    // A URL for each of 1,400 files would take half of the time.
    const folder = fileURLToPath(root);
    // The layers of an image keep times in whole seconds.
    const isCurrent = files.every(([file, size, mtimeMs]) => {
      const now = statSync(folder + file);
      return now.size === size && Math.floor(now.mtimeMs / 1_000) === Math.floor(mtimeMs / 1_000);
    });
    if (isCurrent) return new URL(program, bundles).href;
  } catch {
    // No bundle, or not all of its files.
  }
  return new URL('packages/server/src/main.ts', root).href;
}
