import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import {
  type ArchiveEntry,
  ArchiveRejected,
  EntrySizeMismatch,
  generateArchive,
  readArchiveEntries,
  verifyArchive,
} from './index.ts';
import { readTar } from './read-tar.ts';
import {
  buildArchive,
  concatChunks,
  createSampleEntry,
  createTestFolder,
  type SampleEntry,
  sampleManifestDetails,
  splitIntoChunks,
  toArchiveEntries,
} from './testing.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const step = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,20}$/);
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }),
  // Runs, as in database pages, over more than one chunk and block.
  fc.tuple(fc.nat(255), fc.nat(200_000)).map(([byte, size]) => new Uint8Array(size).fill(byte)),
);
const entriesBelow = (prefix: string) =>
  fc.array(
    fc.tuple(path, content).map(([name, bytes]): SampleEntry => ({ name: prefix + name, bytes })),
    { maxLength: 6 },
  );
const anyEntries = fc
  .tuple(entriesBelow('database/'), entriesBelow('blobs/'))
  .map(([database, blobs]) => [...database, ...blobs]);
const anySecretKey = fc.option(fc.uint8Array({ minLength: 1, maxLength: 500 }), { nil: null });

async function readAll(file: string): Promise<SampleEntry[]> {
  const found: SampleEntry[] = [];
  for await (const { name, content } of readArchiveEntries(file)) {
    found.push({ name, bytes: await concatChunks(content) });
  }
  return found;
}

/** As any program that reads such files finds them. */
async function namesIn(archive: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  for await (const { header, content } of readTar(splitIntoChunks(gunzipSync(archive)))) {
    names.push(header.name);
    for await (const _ of content);
  }
  return names;
}

/** Comparing texts is fast, comparing arrays of bytes is not. */
const asTexts = (entries: readonly SampleEntry[]): string[] =>
  entries.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString('base64')}`);

const bytesOf = (entries: readonly SampleEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes.length, 0);

const few = [
  createSampleEntry('database/PG_VERSION', '17\n'),
  createSampleEntry('database/base/1/1259', 'a row '.repeat(5_000)),
  createSampleEntry('blobs/0123', 'a recording'),
];

describe('an archive', () => {
  it('returns all entries that were written, and counts them', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, anySecretKey, async (entries, secretKey) => {
        const file = await folder.put(await buildArchive(entries, secretKey));
        const { manifest, database, blobs } = await verifyArchive(file);
        const ofBlobs = entries.filter(({ name }) => name.startsWith('blobs/'));
        const ofDatabase = entries.filter(({ name }) => name.startsWith('database/'));
        expect(manifest).toMatchObject({
          ...sampleManifestDetails,
          has_secret_key: secretKey !== null,
        });
        expect(database).toEqual({ entries: ofDatabase.length, bytes: bytesOf(ofDatabase) });
        expect(blobs).toEqual({ entries: ofBlobs.length, bytes: bytesOf(ofBlobs) });
        const key = secretKey ? [{ name: 'secret-key.age', bytes: secretKey }] : [];
        expect(asTexts(await readAll(file))).toEqual(asTexts([...key, ...entries]));
      }),
      { numRuns: runCount(25, 1_000) },
    );
  });

  it('with any single byte changed is rejected with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, fc.nat(), fc.integer({ min: 1, max: 255 }), async (...drawn) => {
        const [entries, at, change] = drawn;
        const bytes = await buildArchive(entries);
        const place = at % bytes.length;
        bytes.writeUInt8(bytes.readUInt8(place) ^ change, place);
        await expect(verifyArchive(await folder.put(bytes))).rejects.toThrow(ArchiveRejected);
      }),
      { numRuns: runCount(100, 5_000) },
    );
  });

  it('that was cut anywhere is rejected as truncated', async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, fc.nat(), async (entries, length) => {
        const bytes = await buildArchive(entries);
        const cut = bytes.subarray(0, 2 + (length % (bytes.length - 2)));
        const verified = verifyArchive(await folder.put(cut));
        await expect(verified).rejects.toMatchObject({ reason: 'truncated' });
      }),
      { numRuns: runCount(100, 5_000) },
    );
  });

  it('is a gzip file of a tar file, with the manifest first and the checksums last', async () => {
    expect(await namesIn(await buildArchive(few, Buffer.from('sealed')))).toEqual([
      'manifest.json',
      'secret-key.age',
      ...few.map(({ name }) => name),
      'checksums.json',
    ]);
  });

  it('has the same bytes for the same contents', async () => {
    expect((await buildArchive(few)).equals(await buildArchive(few))).toBe(true);
  });

  it('of thousands of entries has lists of checksums in between', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) =>
      createSampleEntry(`blobs/${i}`, `blob ${i}`),
    );
    const bytes = await buildArchive([...few.slice(0, 2), ...many]);
    const lists = (await namesIn(bytes)).filter((name) => name.startsWith('checksums'));
    expect(lists).toEqual(['checksums/000001.json', 'checksums/000002.json', 'checksums.json']);
    const file = await folder.put(bytes);
    expect((await verifyArchive(file)).blobs.entries).toBe(2_500);
    const names = (await readAll(file)).map(({ name }) => name);
    expect(names.slice(2)).toEqual(many.map(({ name }) => name));
  });

  it('can be read partly, and the rest of an entry is skipped', async () => {
    const file = await folder.put(await buildArchive(few));
    const read: string[] = [];
    for await (const { name, content } of readArchiveEntries(file)) {
      read.push(name);
      for await (const _ of content) break;
    }
    expect(read).toEqual(few.map(({ name }) => name));
    for await (const { name } of readArchiveEntries(file)) {
      expect(name).toBe('database/PG_VERSION');
      break;
    }
  });

  it('that is abandoned closes its sources', async () => {
    let isEnded = false;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.alloc(10_000);
      } finally {
        isEnded = true;
      }
    };
    const bytes = generateArchive({
      manifest: sampleManifestDetails,
      secretKey: null,
      entries: (async function* () {
        yield { name: 'blobs/1', size: 10 ** 12, content: endless() };
      })(),
    });
    let received = 0;
    for await (const piece of bytes) {
      received += piece.length;
      if (received > 10 ** 6) break;
    }
    expect(isEnded).toBe(true);
  });

  it('reads from its sources only as fast as its reader', async () => {
    let taken = 0;
    const piece = Buffer.alloc(64 * 1024, 'not compressed');
    const content = async function* (): AsyncGenerator<Uint8Array> {
      for (; taken < 64 * 2 ** 20; taken += piece.length) yield piece;
    };
    const entry = { name: 'blobs/1', size: 64 * 2 ** 20, content: content() };
    const entries = (async function* () {
      yield entry;
    })();
    let received = 0;
    let aheadMost = 0;
    for await (const bytes of generateArchive({
      manifest: sampleManifestDetails,
      secretKey: null,
      entries,
    })) {
      received += bytes.length;
      // Everything that does not depend on the reader runs first.
      await new Promise((resolve) => setImmediate(resolve));
      aheadMost = Math.max(aheadMost, taken - received);
    }
    expect(taken).toBe(64 * 2 ** 20);
    expect(aheadMost).toBeLessThan(2 * 2 ** 20);
  });
});

describe('a source of an archive', () => {
  const withEntry = (entry: ArchiveEntry): Promise<Buffer> =>
    concatChunks(
      generateArchive({
        manifest: sampleManifestDetails,
        secretKey: null,
        entries: (async function* () {
          yield entry;
        })(),
      }),
    );
  const pieces = (...texts: string[]): AsyncIterable<Uint8Array> =>
    (async function* () {
      for (const text of texts) yield Buffer.from(text);
    })();

  it.each([
    ['shorter', 9, 'The content of blobs/1 has 8 bytes instead of the announced 9.'],
    ['longer', 7, 'The content of blobs/1 has at least 8 bytes instead of the announced 7.'],
  ])('that is %s than announced is an error', async (_, size, message) => {
    const made = withEntry({ name: 'blobs/1', size, content: pieces('four', 'more') });
    await expect(made).rejects.toThrow(EntrySizeMismatch);
    await expect(made).rejects.toThrow(message);
  });

  it('that fails ends the archive with its error', async () => {
    const content = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('four');
      throw new Error('the disk cannot be read');
    })();
    const made = withEntry({ name: 'database/base/1', size: 8, content });
    await expect(made).rejects.toThrow('the disk cannot be read');
  });

  it.each([
    '../secret',
    'database/../../secret',
    '/database/1',
    'database//1',
    'other/1',
    'blobs/ ',
  ])('cannot be called %j', async (name) => {
    await expect(withEntry({ name, size: 1, content: pieces('x') })).rejects.toThrow(
      `${name} is not a valid entry name`,
    );
  });

  it('cannot be out of order', async () => {
    const entries = toArchiveEntries([
      createSampleEntry('blobs/1', 'x'),
      createSampleEntry('database/1', 'x'),
    ]);
    const made = concatChunks(
      generateArchive({ manifest: sampleManifestDetails, secretKey: null, entries }),
    );
    await expect(made).rejects.toThrow('database/1 cannot be added to the archive');
  });
});
