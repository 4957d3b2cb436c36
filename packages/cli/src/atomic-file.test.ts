import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFileAtomically } from './atomic-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-atomic-file-'));
  await writeFile(path.join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('text');
}

it.each([
  ['missing/x.backup', 'its folder does not exist: create it, or choose another place.'],
  ['file/x.backup', 'its folder is a file: choose another place.'],
])('a file that cannot be written says why and what to do: %s', async (name, problem) => {
  const file = path.join(folder, name);
  const written = writeFileAtomically(file, bytes(), { replace: false, onBytes: () => {} });
  await expect(written).rejects.toMatchObject({
    code: 'unwritable_file',
    message: `Cannot write ${file}: ${problem}`,
  });
  expect(await readdir(folder)).toEqual(['file']);
});
