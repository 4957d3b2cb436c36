import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { nameBundledScript } from '../kernel/script-url.ts';
import { importHttpWithoutFetch, threadScripts } from './program-bundle.ts';

const sources = fileURLToPath(new URL('../', import.meta.url));
/** What the threads have in common. */
const sharedPart = 'kernel/worker-thread.ts';

/** Reads messages from another thread. */
const isThread = /\b(?:parentPort|handleThreadRequests|receiveMessageOnPort)\b/;

it('bundles every thread, so that none of them has to read TypeScript', () => {
  const threads = globSync('**/*.ts', {
    cwd: sources,
    exclude: ['**/*.test.ts', '**/fixtures/**'],
  }).filter((file) => isThread.test(readFileSync(path.join(sources, file), 'utf8')));
  expect(threads.filter((file) => file !== sharedPart).toSorted()).toEqual([...threadScripts]);
});

it('imports node:http without its client of fetch, and leaves other uses as they are', async () => {
  const entry = `import http, { createServer } from 'node:http';
    export const found = [http.request, createServer, require('node:http').WebSocket];`;
  const bundle = await rolldown({
    input: 'entry',
    platform: 'node',
    plugins: [
      importHttpWithoutFetch,
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const [{ code }] = output;
  expect(code).toMatch(/process\.getBuiltinModule\(["']node:http["']\)/);
  expect(code).not.toMatch(/from\s*["']node:http/);
  expect(code).toMatch(/require\("node:http"\)\.WebSocket/);
});

it('names the bundle of a thread by its path', () => {
  expect(threadScripts.map((file) => nameBundledScript(path.join(sources, file)))).toContain(
    'domains.search-index.thread.entry',
  );
});
