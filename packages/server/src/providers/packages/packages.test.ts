import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPackageInstalled } from './index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-packages-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['required', { main: 'index.js' }],
  ['imported alone', { type: 'module', exports: { import: './index.js' } }],
])('a package that is %s is detected once installed, and is not loaded', async (_, manifest) => {
  const from = path.join(folder, 'app', 'server.js');
  expect(isPackageInstalled('@late/package', from)).toBe(false);
  const place = path.join(folder, 'node_modules', '@late', 'package');
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(place, 'index.js'), 'throw new Error("loaded");');
  expect(isPackageInstalled('@late/package', from)).toBe(true);
});
