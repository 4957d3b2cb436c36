import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeTestFolder } from '../testing.ts';
import { initialiseDatabase } from './initialise-database.ts';

const program = fileURLToPath(new URL('../fixtures/measure-memory.ts', import.meta.url));

// 140 MB; 200 with all of its shared memory, 760 while its parser is optimized (2026-11-29).
it('an open database takes at most 180 MB, also while V8 optimizes it', async () => {
  const folder = await makeTestFolder();
  try {
    const database = path.join(folder, 'pg');
    await initialiseDatabase(database);
    // What is hot is optimized at once, so that nothing is missed.
    const parameters = ['--wasm-sync-tier-up', program];
    const options = { cwd: database };
    const { stdout } = await promisify(execFile)(process.execPath, parameters, options);
    expect(Number(stdout)).toBeGreaterThan(50);
    expect(Number(stdout)).toBeLessThan(180);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
});
