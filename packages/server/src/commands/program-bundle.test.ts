import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nameBundledScript } from '../kernel/script-url.ts';
import { threadScripts } from './program-bundle.ts';

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

it('names the bundle of a thread by its path', () => {
  expect(threadScripts.map((file) => nameBundledScript(path.join(sources, file)))).toContain(
    'domains.search-index.thread.entry',
  );
});
