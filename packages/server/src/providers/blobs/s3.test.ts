import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import {
  BlobChecksumMismatch,
  type BlobStore,
  BlobStoreUnavailable,
  BlobTooLarge,
  createS3BlobStore,
} from './index.ts';

const bytesMax = 200 * 2 ** 20;

async function read(blobs: BlobStore, name: string, range?: { start: number; end: number }) {
  const found: Uint8Array[] = [];
  for await (const chunk of blobs.read(name, range)) found.push(chunk);
  return Buffer.concat(found);
}

async function* pieces(...all: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

describe('a blob in a bucket', () => {
  let folder: string;
  let server: InstanceType<typeof S3rver>;
  let blobs: BlobStore & AsyncDisposable;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-s3-'));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      // The server reads the address of a bucket without its last slash, which is signed.
      allowMismatchedSignatures: true,
      directory: path.join(folder, 'buckets'),
      configureBuckets: [{ name: 'mneme', configs: [] }],
    });
    const { port } = await server.run();
    const config = {
      bucket: 'mneme',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { keyId: 'S3RVER', secret: 'S3RVER' },
      prefix: 'kept/',
      pathStyle: true,
    };
    const deps = { folder: path.join(folder, 'under-way'), ids: createIds(systemClock) };
    blobs = await createS3BlobStore(config, deps);
  });
  afterAll(async () => {
    await blobs[Symbol.asyncDispose]();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is read as it was written, completely, in ranges and as a file', async () => {
    const kept = await blobs.write(pieces(Buffer.from('one '), Buffer.from('two')), { bytesMax });
    expect(kept.bytes).toBe(7);
    expect(Buffer.from(kept.sha256).toString('hex')).toBe(
      '8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2',
    );
    expect((await read(blobs, kept.name)).toString()).toBe('one two');
    expect((await read(blobs, kept.name, { start: 4, end: 5 })).toString()).toBe('tw');
    expect(await blobs.size(kept.name)).toBe(7);
    await using file = await blobs.openLocalFile(kept.name);
    expect(await readFile(file.path, 'utf8')).toBe('one two');
  });

  it('that is large is uploaded in parts, and is complete', async () => {
    const large = Buffer.alloc(33 * 2 ** 20, 'abcdefg');
    const { name } = await blobs.write(pieces(large), { bytesMax });
    expect((await read(blobs, name)).equals(large)).toBe(true);
  });

  it('that is too large, or breaks off, leaves nothing behind, here or there', async () => {
    const names = async () => {
      const found: string[] = [];
      for await (const some of blobs.listNamesBefore(new Date('2100-01-01'))) found.push(...some);
      return found.toSorted();
    };
    const before = await names();
    await expect(blobs.write(pieces(Buffer.alloc(9)), { bytesMax: 8 })).rejects.toThrow(
      BlobTooLarge,
    );
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('begun');
      throw new Error('cut off');
    }
    await expect(blobs.write(broken(), { bytesMax })).rejects.toThrow('cut off');
    expect(await names()).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
    expect(await readdir(path.join(folder, 'under-way'))).toEqual([]);
  });

  it('can be restored under its name, and replaces the existing blob', async () => {
    const name = '0123456789abcdef'.repeat(2);
    const sha256 = createHash('sha256').update('one two').digest();
    const source = () => pieces(Buffer.from('one '), Buffer.from('two'));
    expect(await blobs.put(name, source(), { sha256 })).toEqual({ name, bytes: 7, sha256 });
    expect((await read(blobs, name)).toString()).toBe('one two');
    const refused = blobs.put(name, pieces(Buffer.from('other')), { sha256 });
    await expect(refused).rejects.toThrow(BlobChecksumMismatch);
    expect((await read(blobs, name)).toString()).toBe('one two');
    await blobs.put(name, pieces(Buffer.from('other')));
    expect((await read(blobs, name)).toString()).toBe('other');
    await expect(blobs.put('../secret', source())).rejects.toThrow('invalid blob name');
    expect(await readdir(path.join(folder, 'under-way'))).toEqual([]);
  });

  it('is listed with its size, without other objects', async () => {
    await blobs.getOrClaimOwner('first');
    const { name } = await blobs.write(pieces(Buffer.from('listed')), { bytesMax });
    const listed = (await Array.fromAsync(blobs.list())).flat();
    expect(listed).toContainEqual({ name, bytes: 6 });
    for (const blob of listed) expect(blob.name).toMatch(/^[0-9a-f]{32}$/);
  });

  it('can be removed twice without an error', async () => {
    const { name } = await blobs.write(pieces(Buffer.from('x')), { bytesMax });
    await blobs.remove(name);
    await blobs.remove(name);
    expect(await blobs.size(name)).toBeNull();
    await expect(read(blobs, name)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is found by its age, also on a server that cannot list uploads', async () => {
    const { name } = await blobs.write(pieces(Buffer.from('old')), { bytesMax });
    const place = path.join(folder, 'buckets', 'mneme', 'kept', `${name}._S3rver_object`);
    const long = new Date('2020-01-01T00:00:00Z');
    await utimes(place, long, long);
    const left = path.join(folder, 'under-way', '0'.repeat(32));
    await writeFile(left, 'half');
    await utimes(left, long, long);
    const before = new Date('2021-01-01T00:00:00Z');
    const names: string[] = [];
    for await (const some of blobs.listNamesBefore(before)) names.push(...some);
    expect(names).toEqual([name]);
    await blobs.removeDrafts(before);
    expect(await readdir(path.dirname(left))).toEqual([]);
  });

  it('is in a bucket owned by the first caller', async () => {
    expect(await blobs.getOrClaimOwner('first')).toBe('first');
    expect(await blobs.getOrClaimOwner('second')).toBe('first');
  });

  it('rejects invalid names, such as paths', async () => {
    await expect(blobs.remove('../other')).rejects.toThrow('invalid blob name');
  });
});

describe('a bucket with bad responses', () => {
  const isRefused = (call: Promise<unknown>): Promise<Error> =>
    call.then(
      () => new Error('nothing was refused'),
      (error: Error) => error,
    );

  async function against(answer: RequestListener) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-s3-'));
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const config = {
      bucket: 'mneme',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { keyId: 'A-KEY-ID', secret: 'a secret' },
      prefix: '',
      pathStyle: true,
    };
    const blobs = await createS3BlobStore(config, { folder, ids: createIds(systemClock) });
    return {
      blobs,
      async [Symbol.asyncDispose]() {
        await blobs[Symbol.asyncDispose]();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await rm(folder, { recursive: true, force: true });
      },
    };
  }

  it('is reported by code and status only, since it may repeat signed data', async () => {
    await using bucket = await against(({ headers }, response) => {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end(
        `<Error><Code>AccessDenied</Code><Message>${headers.authorization}</Message></Error>`,
      );
    });
    const error = await isRefused(bucket.blobs.write(pieces(Buffer.from('a')), { bytesMax }));
    expect(error).toBeInstanceOf(BlobStoreUnavailable);
    expect(error.message).toBe('the bucket request failed (AccessDenied, status 403)');
    expect(inspect(error)).not.toMatch(/A-KEY-ID|Signature/);
  });

  it('is not read if a response has no length', async () => {
    await using bucket = await against((_, response) => {
      const more = (): void => {
        while (response.writable && response.write(Buffer.alloc(2 ** 16)));
      };
      response.on('drain', more);
      more();
    });
    const name = '0'.repeat(32);
    const error = await isRefused(bucket.blobs.openLocalFile(name));
    expect(error.message).toBe('the bucket request failed (a response without a length)');
    expect(await isRefused(read(bucket.blobs, name))).toBeInstanceOf(BlobStoreUnavailable);
  });
});
