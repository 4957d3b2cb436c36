import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where a bundle of the program has its threads, see `commands/program-bundle.ts`. */
export const bundledThreadsFolder = 'threads';

/**
 * The URL of a script: JavaScript next to the bundle that runs, TypeScript in the repository,
 * JavaScript in a build. A thread that has to read TypeScript takes 20 MB more.
 */
export function resolveScriptUrl(script: URL): URL {
  // Unlike `import.meta.url` this is the place of the bundle: of the program, or of a thread.
  const here = import.meta.dirname;
  const isThread = path.basename(here) === bundledThreadsFolder;
  const folder = isThread ? here : path.join(here, bundledThreadsFolder);
  const bundled = path.join(folder, `${nameBundledScript(script.pathname)}.mjs`);
  if (existsSync(bundled)) return pathToFileURL(bundled);
  return import.meta.url.endsWith('.ts') ? script : new URL(script.href.replace(/\.ts$/, '.js'));
}

/** The name of a script in a bundle, from its path: `a/server/src/http/x.ts` is `http.x`. */
export const nameBundledScript = (file: string): string =>
  file
    .slice(file.lastIndexOf('/src/') + '/src/'.length)
    .replace(/\.ts$/, '')
    .replaceAll('/', '.');
