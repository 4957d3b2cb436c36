import fs from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type S3Bucket, startS3Bucket } from '../../../../../test/support/s3-bucket.ts';
import { makeTestFolder } from '../../database/testing.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { S3Config } from '../../kernel/media-config.ts';
import {
  type ArchiveStore,
  ArchiveStoreUnavailable,
  createBucketArchiveStore,
  createFolderArchiveStore,
} from './index.ts';

const names = { namePrefix: 'copy-', pattern: /^copy-\d\.backup$/ };
const partBytes = 1_000;
const never = new AbortController().signal;

const configOf = (endpoint: string): S3Config => ({
  bucket: 'mneme',
  endpoint,
  region: 'us-east-1',
  credentials: { keyId: 'S3RVER', secret: 'S3RVER' },
  prefix: 'backups/',
  pathStyle: true,
});

async function* inPieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

async function* thenFails(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
  throw new Error('cut off');
}

/** A kind of store, and its files by name. */
interface Place {
  readonly store: ArchiveStore;
  readonly location: string;
  read(): Promise<Map<string, Buffer>>;
  /** Adds a foreign file. */
  put(name: string): Promise<void>;
  remove(): Promise<void>;
}

async function readFolder(folder: string, suffix: string): Promise<Map<string, Buffer>> {
  const files = (await fs.readdir(folder).catch(() => [])).filter((name) => name.endsWith(suffix));
  const read = async (file: string): Promise<[string, Buffer]> => [
    file.slice(0, file.length - suffix.length),
    await fs.readFile(path.join(folder, file)),
  ];
  return new Map(await Promise.all(files.toSorted().map(read)));
}

async function makeFolder(): Promise<Place> {
  const root = await makeTestFolder();
  const folder = path.join(root, 'made', 'by it');
  return {
    store: createFolderArchiveStore(folder, { names, ids: createIds(systemClock) }),
    location: path.join(folder, 'copy-1.backup'),
    read: () => readFolder(folder, ''),
    async put(name) {
      await fs.mkdir(folder, { recursive: true });
      await fs.writeFile(path.join(folder, name), 'other');
    },
    remove: () => fs.rm(root, { recursive: true }),
  };
}

/** The test server's representation of an object. */
const suffix = '._S3rver_object';

async function makeBucket(): Promise<Place & { readonly bucket: S3Bucket }> {
  const bucket = await startS3Bucket();
  const store = await createBucketArchiveStore(configOf(bucket.url), { names, partBytes });
  const folder = path.join(bucket.folder, 'mneme', 'backups');
  const others = await createBucketArchiveStore(configOf(bucket.url), { names });
  return {
    bucket,
    store,
    location: 's3://mneme/backups/copy-1.backup',
    read: () => readFolder(folder, suffix),
    put: async (name) => {
      await others.write(name, inPieces(Buffer.from('other'), 5), never);
    },
    async remove() {
      await store[Symbol.asyncDispose]();
      await others[Symbol.asyncDispose]();
      await bucket.stop();
    },
  };
}

describe.each([
  ['folder', makeFolder],
  ['bucket', makeBucket],
])('archives in a %s', (_, make) => {
  let place: Place;
  beforeEach(async () => {
    place = await make();
    return () => place.remove();
  });

  it.each([0, 1, 999, 1_000, 1_001, 2_000, 5_432])('have all of their %d bytes', async (bytes) => {
    const content = Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => index % 251));
    const written = await place.store.write('copy-1.backup', inPieces(content, 300), never);
    expect(written).toBe(bytes);
    expect((await place.read()).get('copy-1.backup')?.equals(content)).toBe(true);
    expect(place.store.locationOf('copy-1.backup')).toBe(place.location);
  });

  it.each([10, 2_500])('do not exist if they break off after %d bytes', async (bytes) => {
    const broken = place.store.write('copy-1.backup', thenFails(Buffer.alloc(bytes)), never);
    await expect(broken).rejects.toThrow('cut off');
    expect(await place.read()).toEqual(new Map());
  });

  it('do not exist if they are aborted, and reject with the reason', async () => {
    const giving = new AbortController();
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(3 * partBytes);
      giving.abort(new Error('the process stops'));
      yield Buffer.alloc(1);
    }
    const given = place.store.write('copy-1.backup', source(), giving.signal);
    await expect(given).rejects.toThrow('the process stops');
    expect(await place.read()).toEqual(new Map());
  });

  it('are listed and removed, and other files are ignored', async () => {
    expect(await place.store.list()).toEqual([]);
    await place.store.removeUnfinished(new Date());
    for (const name of ['copy-2.backup', 'copy-1.backup', 'copy-of-mine', 'notes']) {
      await place.put(name);
    }
    expect(await place.store.list()).toEqual(['copy-1.backup', 'copy-2.backup']);
    await place.store.remove('copy-1.backup');
    await place.store.remove('copy-1.backup');
    await place.store.removeUnfinished(new Date('2100-01-01'));
    expect([...(await place.read()).keys()]).toEqual(['copy-2.backup', 'copy-of-mine', 'notes']);
  });
});

describe('a bucket for archives', () => {
  let place: Awaited<ReturnType<typeof makeBucket>>;
  beforeAll(async () => {
    place = await makeBucket();
  });
  afterAll(() => place.remove());

  it('receives a part again that it rejected at first', async () => {
    place.bucket.fail(2, 'PUT');
    const content = Buffer.alloc(2_500, 'abc');
    await place.store.write('copy-1.backup', inPieces(content, 700), never);
    expect((await place.read()).get('copy-1.backup')?.equals(content)).toBe(true);
  });

  it('that keeps rejecting is reported with its code, and stores nothing', async () => {
    await place.store.remove('copy-1.backup');
    place.bucket.fail(1_000, 'PUT');
    const refused = place.store.write('copy-1.backup', inPieces(Buffer.alloc(2_500), 700), never);
    await expect(refused).rejects.toThrow(ArchiveStoreUnavailable);
    await expect(refused).rejects.toThrow(/status 503/);
    place.bucket.fail(0);
    expect(await place.read()).toEqual(new Map());
  });
});

/** A bucket with canned responses; `requests` records the requests. */
async function answering(answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const store = await createBucketArchiveStore(configOf(`http://127.0.0.1:${port}`), {
    names,
    partBytes,
  });
  return {
    store,
    requests,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('old parts of a killed process in a bucket are aborted', async () => {
  const upload = (key: string, id: string, began: string): string =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${began}</Initiated></Upload>`;
  const listed = [
    upload('backups/copy-1.backup', 'old', '2026-03-01T00:00:00.000Z'),
    upload('backups/copy-2.backup', 'new', '2026-03-03T00:00:00.000Z'),
    upload('backups/notes', 'foreign', '2026-03-01T00:00:00.000Z'),
    upload('copy-1.backup', 'elsewhere', '2026-03-01T00:00:00.000Z'),
  ];
  await using bucket = await answering(({ method }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`);
  });
  await bucket.store.removeUnfinished(new Date('2026-03-02T00:00:00Z'));
  const aborted = bucket.requests.filter((request) => request.startsWith('DELETE'));
  expect(aborted).toHaveLength(1);
  expect(aborted[0]).toMatch(/backups\/copy-1\.backup\?.*uploadId=old/);
});

it('a silent bucket does not delay an abort', async () => {
  const giving = new AbortController();
  await using bucket = await answering(() => giving.abort(new Error('the process stops')));
  const source = inPieces(Buffer.alloc(10), 10);
  await expect(bucket.store.write('copy-1.backup', source, giving.signal)).rejects.toThrow(
    'the process stops',
  );
});

it('parts of an archive that breaks off are aborted immediately', async () => {
  await using bucket = await answering(({ method }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/xml', etag: '"part"' });
    response.end(
      '<InitiateMultipartUploadResult><UploadId>mine</UploadId></InitiateMultipartUploadResult>',
    );
  });
  const broken = bucket.store.write('copy-1.backup', thenFails(Buffer.alloc(2_500)), never);
  await expect(broken).rejects.toThrow('cut off');
  expect(bucket.requests.at(-1)).toMatch(/^DELETE .*backups\/copy-1\.backup\?.*uploadId=mine/);
});
