#!/usr/bin/env node
// Plain JavaScript without new syntax: old versions of Node must be able to print this message.
const requiredMajor = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < requiredMajor) {
  console.error(
    `mneme: Node ${requiredMajor} or later is required. This is Node ${process.versions.node}. ` +
      'Install Node 24, or run `npm ci --ignore-scripts=false`, which installs it, and try again.',
  );
  process.exit(1);
}
// A start with cached compiled modules takes a quarter less time. If the folder is not writable,
// nothing is cached.
const { enableCompileCache } = await import('node:module');
const cacheFolder = new URL('../../../node_modules/.cache/mneme', import.meta.url);
enableCompileCache((await import('node:url')).fileURLToPath(cacheFolder));
const { findProgram } = await import('./find-program.mjs');
await import(findProgram(new URL('../../../', import.meta.url)));
