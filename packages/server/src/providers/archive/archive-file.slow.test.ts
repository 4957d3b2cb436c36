import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { runCount, testSeed } from '../../../../../test/support/run-count.ts';
import { mountSmallDisk } from '../../../../../test/support/small-disk.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { ArchiveFileNotWritable, verifyArchive, writeArchiveFile } from './index.ts';
import { createTestFolder, splitIntoChunks } from './testing.ts';

const megabytes = 24;

/** A process that writes an archive, and prints a line per megabyte and one at the end. */
function startWriter(file: string) {
  const url = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    import { generateArchive, writeArchiveFile } from ${url('index.ts')};
    import { sampleManifestDetails } from ${url('testing.ts')};
    import { createIds } from ${url('../../kernel/ids.ts')};
    import { systemClock } from ${url('../../kernel/clock.ts')};
    const piece = Buffer.alloc(2 ** 20, 'a recording');
    async function* content() {
      for (let i = 0; i < ${megabytes}; i += 1) {
        process.stdout.write('megabyte\\n');
        yield piece;
      }
    }
    async function* entries() {
      yield { name: 'blobs/1', size: ${megabytes} * 2 ** 20, content: content() };
    }
    const manifest = sampleManifestDetails;
    const archive = generateArchive({ manifest, secretKey: null, entries: entries() });
    const options = { replace: false, ids: createIds(systemClock) };
    await writeArchiveFile(${JSON.stringify(file)}, archive, options);
    process.stdout.write('written\\n');`;
  const parameters = ['--input-type=module', '-e', script];
  return spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Kills it after a number of lines; resolves when it has exited. */
async function killAfter(lines: number, file: string): Promise<string> {
  const writer = startWriter(file);
  const ended = once(writer, 'exit');
  let last = '';
  let seen = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    last = line;
    seen += 1;
    if (seen === lines) writer.kill('SIGKILL');
  }
  await ended;
  return last;
}

it('a killed process leaves a complete archive or none, and the next cleans up', async () => {
  await using folder = await createTestFolder();
  const file = path.join(folder.path, 'backup');
  // Most kills hit the middle, some the rename.
  const moments = fc.sample(
    fc.oneof(fc.integer({ min: 1, max: megabytes }), fc.constantFrom(megabytes, megabytes + 1)),
    { numRuns: runCount(20, 200), seed: testSeed },
  );
  let kept = 0;
  for (const moment of moments) {
    const last = await killAfter(moment, file);
    const isThere = existsSync(file);
    if (last === 'written') expect(isThere).toBe(true);
    if (isThere) expect((await verifyArchive(file)).blobs.bytes).toBe(megabytes * 2 ** 20);
    const names = (await readdir(folder.path)).filter((name) => name !== 'backup');
    for (const name of names) expect(name).toMatch(/^backup\.[0-9a-f]{16}\.partial(\.lock)?$/);
    // At most those of this run: it removed those of the previous run.
    expect(names.length).toBeLessThanOrEqual(2);
    if (isThere) kept += 1;
    await rm(file, { force: true });
  }
  expect(kept).toBeLessThan(moments.length);
  expect(await killAfter(megabytes + 2, file)).toBe('written');
  expect(await readdir(folder.path)).toEqual(['backup']);
});

it.runIf(isAvailable('mount'))(
  'a full disk is reported as such, and leaves nothing behind',
  async () => {
    using disk = await mountSmallDisk(100);
    disk.fill(2 ** 20);
    const folder = path.dirname(disk.place.dataDir);
    const before = await readdir(folder);
    const file = path.join(folder, 'backup');
    const options = { replace: false, ids: createIds(systemClock) };
    const written = writeArchiveFile(file, splitIntoChunks(Buffer.alloc(2 ** 21)), options);
    await expect(written).rejects.toThrow(ArchiveFileNotWritable);
    await expect(written).rejects.toThrow('cannot be written: the disk is full.');
    expect(await readdir(folder)).toEqual(before);
  },
);
