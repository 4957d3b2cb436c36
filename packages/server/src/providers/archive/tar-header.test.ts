import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTar } from './read-tar.ts';
import { tarHeader } from './tar-header.ts';
import { splitIntoChunks } from './testing.ts';

it('the header of any file is read as it was written', async () => {
  const name = fc.stringMatching(/^[a-z]{1,100}$/);
  const size = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
  const seconds = fc.nat();
  await fc.assert(
    fc.asyncProperty(name, size, seconds, async (...written) => {
      const mtime = new Date(written[2] * 1_000);
      const read = readTar(splitIntoChunks(tarHeader(written[0], written[1], mtime)));
      const expected = { name: written[0], size: written[1], mtime, mode: 0o600, type: 'file' };
      expect((await read.next()).value?.header).toMatchObject(expected);
      await read.return(undefined);
    }),
  );
});

it.each([0, 8 ** 11 - 1, 8 ** 11, 2 ** 40])(
  'a size of %d bytes is written exactly',
  async (size) => {
    const read = readTar(splitIntoChunks(tarHeader('a', size, new Date(0))));
    expect((await read.next()).value?.header.size).toBe(size);
    await read.return(undefined);
  },
);
