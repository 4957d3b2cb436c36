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
// glibc and V8 read these limits at the start of a process only. Without them it keeps 70 MB that
// the compilers of V8 have freed, and 20 MB for new objects. An idle process collects garbage.
const isLimited = process.env.MALLOC_TRIM_THRESHOLD_ !== undefined;
const isChild = process.channel !== undefined;
if (process.platform === 'linux' && process.execve && !isLimited && !isChild) {
  const flags = ['--max-semi-space-size=4', '--expose-gc', ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  });
}
// A start with cached compiled modules takes a quarter less time. If the folder is not writable,
// nothing is cached.
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/mneme', import.meta.url));
enableCompileCache(cacheFolder);
// For threads and processes that this one starts.
process.env.NODE_COMPILE_CACHE ??= cacheFolder;
const { findProgram } = await import('./find-program.mjs');
await import(findProgram(new URL('../../../', import.meta.url)));
