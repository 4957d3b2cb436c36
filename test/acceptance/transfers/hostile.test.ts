import { gunzipSync } from 'node:zlib';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { type ArchiveFile, packFiles, unpack, withChecksums } from './archive-files.ts';
import { exportBytes } from './transfer.ts';

describe.each(oneEngine)('an archive', (engine) => {
  let service: Service;
  let target: Client;
  let archive: Uint8Array;
  let files: ArchiveFile[];

  beforeAll(async () => {
    service = await startService(engine);
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'Ana keeps bees.' } });
    await client.memories.create({ body: { content: 'Ben keeps goats.' } });
    archive = await exportBytes(client);
    files = await unpack(archive);
    target = (await service.createAccount()).client;
  });
  afterAll(() => service.stop());

  const memories = () =>
    files.find(({ header }) => header.name.endsWith('memories.ndjson')) as ArchiveFile;
  const isMemories = (one: ArchiveFile) => one.header.name === memories().header.name;
  const textFile = (name: string, text: string): ArchiveFile => ({
    header: { name },
    content: Buffer.from(text),
  });
  const replaced = (text: string) =>
    files.map((one) => (isMemories(one) ? textFile(one.header.name, text) : one));
  const changedRecord = (change: object) => {
    const [line = ''] = memories().content.toString('utf8').split('\n');
    return replaced(`${JSON.stringify({ ...JSON.parse(line), ...change })}\n`);
  };
  const manifest = (change: object) => {
    const found = files[0]?.content.toString('utf8') ?? '';
    const text = JSON.stringify({ ...JSON.parse(found), ...change });
    return [textFile('manifest.json', text), ...files.slice(1)];
  };

  /** Imports it, which must fail, and nothing may be stored. */
  async function rejection(body: Uint8Array): Promise<{ reason: string; entry: string | null }> {
    const error = await target.transfers.import({ body }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ status: 422, code: 'invalid_archive' });
    await service.running.context.worker.drain();
    expect((await target.memories.list()).data).toEqual([]);
    return (error as { details: { reason: string; entry: string | null } }).details;
  }

  test('is accepted without compression as a tar file, and as no other type', async () => {
    const { key } = await service.createAccount();
    const send = (type: string) =>
      fetch(`${service.url}/v1/import?dry_run=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body: gunzipSync(archive),
      });
    expect((await send('application/x-tar')).status).toBe(202);
    expect((await send('application/zip')).status).toBe(415);
  });

  test.each([
    ['an absolute path', '/etc/cron.d/evil'],
    ['a path out of it', '../../evil'],
    ['a path out of a folder', 'accounts/../../evil'],
  ])('with %s is rejected', async (_, name) => {
    const body = await packFiles([...files.slice(0, 1), textFile(name, 'x'), ...files.slice(1)]);
    expect(await rejection(body)).toMatchObject({ reason: 'unsafe_entry' });
  });

  test.each(['symlink', 'link', 'character-device', 'fifo', 'directory'] as const)(
    'with an entry of the type %s is rejected',
    async (type) => {
      const header = { name: 'blobs/entry', type, linkname: '/etc/passwd' };
      const entry = { header, content: Buffer.alloc(0) };
      const body = await packFiles([...files.slice(0, 1), entry, ...files.slice(1)]);
      expect(await rejection(body)).toMatchObject({ reason: 'unsafe_entry' });
    },
  );

  test('with a file that no export has is rejected', async () => {
    const body = await packFiles(withChecksums([...files, textFile('notes.txt', 'hello')]));
    expect(await rejection(body)).toEqual({ reason: 'corrupted', entry: 'notes.txt' });
  });

  test('with records of an account that its manifest does not name is rejected', async () => {
    const name = 'accounts/01890000-0000-7000-8000-000000000000/memories.ndjson';
    const body = await packFiles(withChecksums([...files, textFile(name, '')]));
    expect(await rejection(body)).toEqual({ reason: 'corrupted', entry: name });
  });

  test('with a file twice is rejected', async () => {
    const twice = files.flatMap((one) => (isMemories(one) ? [one, one] : [one]));
    const { name: entry } = memories().header;
    expect(await rejection(await packFiles(twice))).toEqual({ reason: 'corrupted', entry });
  });

  test('with a changed byte is rejected', async () => {
    const text = memories().content.toString('utf8').replace('bees', 'cows');
    const { name: entry } = memories().header;
    expect(await rejection(await packFiles(replaced(text)))).toEqual({
      reason: 'corrupted',
      entry,
    });
  });

  test('that is truncated anywhere is rejected', async () => {
    for (const share of [0.2, 0.5, 0.9, 0.99]) {
      const part = archive.subarray(0, Math.floor(archive.length * share));
      const { reason } = await rejection(part);
      expect(['truncated', 'corrupted', 'foreign']).toContain(reason);
    }
    const withoutEnd = files.filter(({ header }) => header.name !== 'checksums.json');
    expect(await rejection(await packFiles(withoutEnd))).toMatchObject({ reason: 'truncated' });
  });

  test('of a newer version is rejected', async () => {
    const body = await packFiles(withChecksums(manifest({ format_version: 2 })));
    expect(await rejection(body)).toMatchObject({ reason: 'newer_format' });
  });

  test('that is none is rejected', async () => {
    expect(await rejection(Buffer.from('{"memories":[]}'))).toMatchObject({ reason: 'foreign' });
    expect(await rejection(Buffer.alloc(0))).toMatchObject({ reason: 'foreign' });
    const backup = await packFiles(withChecksums(manifest({ format: 'mneme-backup' })));
    expect(await rejection(backup)).toMatchObject({ reason: 'foreign' });
  });

  test('with a line that is too long is rejected', async () => {
    const body = await packFiles(withChecksums(replaced(`{"id":"${'x'.repeat(17 * 2 ** 20)}"}\n`)));
    expect(await rejection(body)).toMatchObject({ reason: 'corrupted' });
  });

  test.each([
    ['no JSON', () => replaced('{"id":\n')],
    ['a field of another type', () => changedRecord({ priority: 'high' })],
    ['a priority out of range', () => changedRecord({ priority: 11 })],
    ['an id that is none', () => changedRecord({ id: '../../x' })],
    ['a NUL in its text', () => changedRecord({ content: 'a\0b' })],
    ['half a surrogate pair in its metadata', () => changedRecord({ metadata: { '\ud800': 1 } })],
    ['no end of its last line', () => replaced(memories().content.toString('utf8').trimEnd())],
  ])('with a record that has %s is rejected, and the line is named', async (_, make) => {
    const error = await target.transfers
      .import({ body: await packFiles(withChecksums(make())) })
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'invalid_archive',
      message: expect.stringMatching(/line/),
    });
  });

  test('of the same files as a plain tar is imported', async () => {
    const { client } = await service.createAccount();
    const { import_id: id } = await client.transfers.import({ body: await packFiles(files) });
    await service.running.context.worker.drain();
    expect(await client.transfers.getImport({ params: { id } })).toMatchObject({
      status: 'completed',
    });
    expect((await client.memories.list()).data).toHaveLength(2);
  });

  test('larger than the limit is rejected', async () => {
    const small = await startService(engine, { env: { MNEME_MAX_IMPORT_BYTES: '100' } });
    try {
      await expect(small.client().transfers.import({ body: archive })).rejects.toMatchObject({
        status: 413,
        code: 'payload_too_large',
      });
    } finally {
      await small.stop();
    }
  });
});
