import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript without types
import { findProgram } from '../../bin/find-program.mjs';

let root: string;
beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-program-'));
});
afterEach(() => fs.rm(root, { recursive: true }));

const find = (): string => {
  const url = pathToFileURL(`${root}/`);
  return findProgram(url).slice(url.href.length);
};

async function writeBundle(files: readonly string[]): Promise<void> {
  const folder = path.join(root, 'node_modules/.cache/mneme/program');
  await fs.mkdir(folder, { recursive: true });
  const described = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await fs.stat(path.join(root, file));
      return [file, size, mtimeMs];
    }),
  );
  const manifest = { program: 'abc/main.mjs', files: described };
  await fs.writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
}

const sources = 'packages/server/src/main.ts';
const bundle = 'node_modules/.cache/mneme/program/abc/main.mjs';

it('is the bundle as long as the files that it was made of are as they were', async () => {
  expect(find()).toBe(sources);
  const file = path.join(root, 'a.ts');
  await fs.writeFile(file, 'export const a = 1;\n');
  await writeBundle(['a.ts']);
  expect(find()).toBe(bundle);
  await fs.utimes(file, new Date(), new Date(0));
  expect(find()).toBe(sources);
  await writeBundle(['a.ts']);
  expect(find()).toBe(bundle);
  await fs.rm(file);
  expect(find()).toBe(sources);
});

it('is the bundle if times have lost their fractions, as in the layers of an image', async () => {
  const file = path.join(root, 'a.ts');
  await fs.writeFile(file, 'export const a = 1;\n');
  await fs.utimes(file, 1_790_000_000.75, 1_790_000_000.75);
  await writeBundle(['a.ts']);
  await fs.utimes(file, 1_790_000_000, 1_790_000_000);
  expect(find()).toBe(bundle);
  await fs.utimes(file, 1_790_000_001, 1_790_000_001);
  expect(find()).toBe(sources);
});

it('is the source if the manifest is not readable', async () => {
  await writeBundle([]);
  expect(find()).toBe(bundle);
  await fs.writeFile(path.join(root, 'node_modules/.cache/mneme/program/manifest.json'), '{"pro');
  expect(find()).toBe(sources);
});
