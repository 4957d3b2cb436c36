#!/usr/bin/env node
// Plain JavaScript of any age: it has to run where the server cannot, to say so.
const needed = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  console.error(
    `mneme: Node ${needed} is needed, this is ${process.versions.node}. ` +
      '`npm ci` brings it along when install scripts may run ' +
      '(`npm ci --ignore-scripts=false`); otherwise install Node 24 and start again.',
  );
  process.exit(1);
}
// A start takes a quarter less where the last one left its compiled modules; where they cannot be
// written nothing is kept.
const { enableCompileCache } = await import('node:module');
const kept = new URL('../../../node_modules/.cache/mneme', import.meta.url);
enableCompileCache((await import('node:url')).fileURLToPath(kept));
await import('../src/main.ts');
