import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndRecord } from './gzip.ts';
import { readArchiveEntries, verifyArchive } from './index.ts';
import { formatManifest } from './manifest.ts';
import {
  buildArchive,
  buildForeignArchive,
  createSampleEntry,
  createTestFolder,
  gzipTar,
  sampleManifestDetails,
} from './testing.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const manifestText = Buffer.from(formatManifest(sampleManifestDetails, false)).toString();
const manifest = { header: { name: 'manifest.json' }, content: manifestText };
const file = (name: string, content: string) => ({ header: { name }, content });
const listOf = (...entries: { header: { name: string }; content: string }[]) =>
  file(
    'checksums.json',
    JSON.stringify({
      entries: entries.map(({ header: { name }, content }) => ({
        name,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
      count: entries.length,
    }),
  );

const verify = async (bytes: Uint8Array) => verifyArchive(await folder.put(bytes));
const few = [
  createSampleEntry('database/PG_VERSION', '17\n'),
  createSampleEntry('blobs/0123', 'a recording'),
];

describe('what is not a backup', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), 'is empty'],
    ['a text', Buffer.from('hello'), 'is not a gzip file'],
    ['a gzip file of a text', gzipSync('hello'), 'it is a gzip file of something else'],
    ['a gzip file of zeros', gzipSync(Buffer.alloc(10_240)), 'it has no entries'],
    ['a gzip file of a large text', gzipSync('hello '.repeat(500)), 'something else'],
  ])('is rejected as foreign: %s', async (_, bytes, message) => {
    const refusal = { reason: 'foreign', message: expect.stringContaining(message) };
    await expect(verify(bytes)).rejects.toMatchObject(refusal);
  });

  it('is rejected as foreign: the tar.gz of another program', async () => {
    const tar = gunzipSync(await buildForeignArchive([file('package/package.json', '{}')]));
    await expect(verify(gzipSync(tar))).rejects.toMatchObject({
      reason: 'foreign',
      message: 'This is not a backup of Mneme: it does not begin with manifest.json.',
    });
  });

  it('is rejected as foreign: one with another manifest.json', async () => {
    const tar = gunzipSync(
      await buildForeignArchive([file('manifest.json', '{"format":"other"}')]),
    );
    await expect(verify(gzipSync(tar))).rejects.toMatchObject({ reason: 'foreign' });
  });

  it('is rejected as foreign: a folder; a missing file has its own error', async () => {
    const place = path.join(folder.path, 'folder');
    await mkdir(place);
    await expect(verifyArchive(place)).rejects.toMatchObject({ reason: 'foreign' });
    const none = path.join(folder.path, 'none');
    await expect(verifyArchive(none)).rejects.toThrow(`The file ${none} does not exist.`);
  });
});

describe('a damaged backup', () => {
  it('is rejected with the name of the entry that differs', async () => {
    const changed = file('database/base/1', 'other content');
    const listed = listOf(manifest, file('database/base/1', 'whole content'));
    await expect(
      verify(await buildForeignArchive([manifest, changed, listed])),
    ).rejects.toMatchObject({
      reason: 'corrupted',
      entry: 'database/base/1',
      message:
        'The backup is damaged at database/base/1: its checksum differs. Use another copy of it.',
    });
  });

  it.each([
    ['another size', [file('database/1', 'long')], [file('database/1', 'longer')], 'database/1'],
    ['a missing entry', [], [file('database/1', 'x')], 'database/1'],
    ['an entry too many', [file('database/1', 'x')], [], 'database/1'],
    ['another name', [file('database/1', 'x')], [file('database/2', 'x')], 'database/1'],
  ])('is rejected with the name of the entry: %s', async (_, entries, listed, entry) => {
    const bytes = await buildForeignArchive([manifest, ...entries, listOf(manifest, ...listed)]);
    await expect(verify(bytes)).rejects.toMatchObject({ reason: 'corrupted', entry });
  });

  it('is rejected if entries are out of order, repeated, or follow the last list', async () => {
    const [database, blob] = [file('database/1', 'x'), file('blobs/1', 'x')];
    const wrong = [
      [manifest, blob, database, listOf(manifest, blob, database)],
      [manifest, manifest, listOf(manifest, manifest)],
      [manifest, listOf(manifest), database],
      [manifest, file('secret-key.age', 'x'), listOf(manifest, file('secret-key.age', 'x'))],
      [manifest, database, file('secret-key.age', 'x')],
      [manifest, file('checksums.json', '[]')],
      [manifest, database],
      [file('manifest.json', '{"format":"mneme-backup","format_version":1}')],
      [file('manifest.json', '{')],
    ];
    for (const entries of wrong) {
      await expect(verify(await buildForeignArchive(entries))).rejects.toMatchObject({
        reason: 'corrupted',
      });
    }
  });

  it('is rejected as truncated if its last list is missing in a complete tar', async () => {
    const tar = gunzipSync(await buildForeignArchive([manifest, file('database/1', 'x')]));
    await expect(verify(gzipSync(tar))).rejects.toMatchObject({
      reason: 'truncated',
      entry: 'database/1',
    });
  });

  it('is rejected as truncated if any of its last bytes are missing', async () => {
    const bytes = await buildArchive(few);
    for (let missing = 1; missing <= 60; missing += 1) {
      const verified = verify(bytes.subarray(0, -missing));
      await expect(verified).rejects.toMatchObject({ reason: 'truncated' });
    }
  });

  it('is rejected if bytes follow its end', async () => {
    const bytes = await buildArchive(few);
    for (const more of [Buffer.from('more'), Buffer.alloc(100), Buffer.from(createEndRecord(0))]) {
      await expect(verify(Buffer.concat([bytes, more]))).rejects.toMatchObject({
        name: 'ArchiveRejected',
      });
    }
  });

  it('throws the same from the content of an entry', async () => {
    const bytes = await buildArchive([
      createSampleEntry('blobs/1', 'a recording '.repeat(100_000)),
    ]);
    const place = await folder.put(bytes.subarray(0, bytes.length / 2));
    const read = async (): Promise<void> => {
      for await (const { content } of readArchiveEntries(place)) for await (const _ of content);
    };
    await expect(read()).rejects.toMatchObject({ reason: 'truncated', entry: 'blobs/1' });
  });
});

describe('a backup of a newer version', () => {
  it('is rejected with the version that can read it', async () => {
    const newer = { format: 'mneme-backup', format_version: 2, program_version: '7.1.0' };
    const bytes = await buildForeignArchive([file('manifest.json', JSON.stringify(newer))]);
    await expect(verify(bytes)).rejects.toMatchObject({
      reason: 'newer_format',
      message:
        'The backup has format version 2, but this version of Mneme reads only version 1: ' +
        'install Mneme 7.1.0 or later.',
    });
  });

  it('is accepted if it only has additional fields', async () => {
    const more = file('manifest.json', JSON.stringify({ ...JSON.parse(manifestText), more: 1 }));
    expect(
      (await verify(await buildForeignArchive([more, listOf(more)]))).manifest.format_version,
    ).toBe(1);
  });
});

describe('a hostile archive', () => {
  it.each([
    '../../etc/passwd',
    'database/../../etc/passwd',
    '/etc/passwd',
    'database/..',
    'database\\..\\1',
    `database/${'x'.repeat(200)}`,
    'other/1',
  ])('is rejected for the name %j', async (name) => {
    const bytes = await buildForeignArchive([manifest, file(name, 'x')]);
    await expect(verify(bytes)).rejects.toMatchObject({ reason: 'unsafe_entry' });
  });

  it.each(['symlink', 'link', 'directory', 'fifo', 'character-device'] as const)(
    'is refused for a %s',
    async (type) => {
      const header = { name: 'database/1', type, linkname: '/etc/passwd' };
      const bytes = await buildForeignArchive([manifest, { header, content: '' }]);
      await expect(verify(bytes)).rejects.toMatchObject({ reason: 'unsafe_entry' });
    },
  );

  /** The header of a file with a declared size, without content. */
  const tarHeader = async (name: string, sizeInOctal: string): Promise<Buffer> => {
    const header = gunzipSync(await buildForeignArchive([file(name, '')])).subarray(0, 512);
    header.write(sizeInOctal, 124);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return header;
  };

  it('with a huge manifest is rejected before decompression', async () => {
    const header = await tarHeader('manifest.json', '77777777777');
    const bytes = await gzipTar(Buffer.concat([header, Buffer.alloc(200 * 2 ** 20)]));
    expect(bytes.length).toBeLessThan(2 * 2 ** 20);
    await expect(verify(bytes)).rejects.toMatchObject({
      reason: 'corrupted',
      entry: 'manifest.json',
      message: expect.stringContaining('it has 8589934591 bytes, the limit is 1048576'),
    });
  });

  it('with wrong sizes is rejected', async () => {
    const tar = gunzipSync(await buildForeignArchive([manifest, file('database/1', 'x')]));
    const headerAt = 512 + Math.ceil(manifestText.length / 512) * 512;
    const header = await tarHeader('database/1', '00000010000');
    const bytes = await gzipTar(
      Buffer.concat([tar.subarray(0, headerAt), header, tar.subarray(-512)]),
    );
    await expect(verify(bytes)).rejects.toMatchObject({ reason: 'corrupted', entry: 'database/1' });
  });

  it('of many entries without a list is rejected after a thousand of them', async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => file(`blobs/${i}`, ''));
    await expect(verify(await buildForeignArchive([manifest, ...many]))).rejects.toMatchObject({
      reason: 'corrupted',
      entry: 'blobs/999',
      message: expect.stringContaining('a list of checksums is missing before it'),
    });
  });
});
