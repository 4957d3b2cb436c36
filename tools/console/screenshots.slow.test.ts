import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTestFolder } from '../../packages/server/src/database/testing.ts';
import { buildConsole } from '../../test/support/built-console.ts';
import { isAvailable } from '../../test/support/requirements.ts';
import { takeScreenshots } from './take-screenshots.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');

/** Width and height of a PNG. */
async function sizeOf(file: string): Promise<readonly [width: number, height: number]> {
  const bytes = await readFile(file);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

it.runIf(isAvailable('chromium'))(
  'the screenshots of the documentation are those that the script makes',
  async () => {
    buildConsole();
    const folder = await makeTestFolder();
    await takeScreenshots(folder);
    const made = (await readdir(folder)).toSorted();
    const page = await readFile(path.join(docs, 'console.md'), 'utf8');
    const shown = [...page.matchAll(/\]\(images\/([\w-]+\.png)\)/g)].map(([, name]) => name);
    expect(made).toEqual(shown.toSorted());
    for (const name of made) {
      const size = await sizeOf(path.join(folder, name));
      expect([name, size]).toEqual([name, await sizeOf(path.join(docs, 'images', name))]);
    }
  },
  600_000,
);
