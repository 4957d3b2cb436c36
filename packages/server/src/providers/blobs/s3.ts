import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type {
  _Object,
  ListMultipartUploadsCommandInput,
  ListMultipartUploadsCommandOutput,
  ListObjectsV2CommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../../kernel/config-media.ts';
import type { Ids } from '../../kernel/ids.ts';
import {
  type Blobs,
  BlobsUnavailable,
  BlobTooLarge,
  isBlobName,
  isNoBlob,
  type Kept,
  ownerMark,
} from './blobs.ts';

/** Files up to this go in one request; larger ones in parts of that size. */
const partBytes = 32 * 2 ** 20;
const partsMax = 10_000;
/** Of one part, before all is given up: the client itself sends no stream again. */
const tries = 3;
/** For a connection, and for the next byte of an answer. */
const connectMs = 5_000;
const silenceMs = 30_000;
/** Of the mark of its owner, an id. */
const markCharactersMax = 1_000;

interface Store {
  readonly s3: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  readonly bucket: string;
  readonly keyOf: (name: string) => string;
}

/**
 * Blobs as objects of a bucket. Bytes are first written to `folder`, so that their number and hash
 * are known and a part can be sent again, and go from there. An object is there whole or not.
 */
export async function createS3Blobs(
  config: S3Config,
  { folder, ids }: { folder: string; ids: Ids },
): Promise<Blobs & AsyncDisposable> {
  const store = await connect(config);
  const { s3, client, bucket, keyOf } = store;
  const newName = (): string => Buffer.from(ids.bytes(16)).toString('hex');
  const underWay = new Set<string>();
  const local = async (): Promise<{ readonly path: string } & AsyncDisposable> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = newName();
    const place = path.join(folder, draft);
    underWay.add(draft);
    return {
      path: place,
      async [Symbol.asyncDispose]() {
        await rm(place, { force: true });
        underWay.delete(draft);
      },
    };
  };
  const read = (name: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array> =>
    bytesOf(store, name, range);
  return {
    async write(source, { bytesMax }) {
      await using draft = await local();
      const { bytes, sha256 } = await spool(source, draft.path, bytesMax);
      const name = newName();
      await send(store, name, draft.path, bytes);
      return { name, bytes, sha256 };
    },
    read,
    async file(name) {
      const copy = await local();
      try {
        await spool(read(name), copy.path, Number.POSITIVE_INFINITY);
      } catch (error) {
        await copy[Symbol.asyncDispose]();
        throw error;
      }
      return copy;
    },
    async size(name) {
      const asked = new s3.HeadObjectCommand({ Bucket: bucket, Key: keyOf(name) });
      return client.send(asked).then(
        ({ ContentLength = 0 }) => ContentLength,
        (error: unknown) => {
          if (error instanceof s3.NotFound) return null;
          throw unavailable(error);
        },
      );
    },
    async remove(name) {
      const asked = new s3.DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) });
      await client.send(asked).catch(refuse);
    },
    namesBefore: (time) => listBefore(store, time),
    async removeDrafts(before) {
      await removeOld(folder, before, underWay);
      await abortUploads(store, before);
    },
    ownerFrom: (id) => ownerOf(store, id),
    async check() {
      await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch(refuse);
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

/** The SDK is loaded here alone: who keeps blobs in a folder needs none. */
async function connect(config: S3Config): Promise<Store> {
  const s3 = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    const message = 'MNEME_S3_BUCKET needs a package: npm install @aws-sdk/client-s3';
    throw new Error(message, { cause });
  });
  const { bucket, endpoint, region, credentials, prefix, pathStyle } = config;
  const client = new s3.S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null
      ? {}
      : {
          credentials: { accessKeyId: credentials.keyId, secretAccessKey: credentials.secret },
        }),
    // What it says of its own stands in the error, too, and a service logs by one way alone.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    // Nobody waits for a service that is silent; many may read slowly at once.
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silenceMs,
      socketTimeout: silenceMs,
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
    // Other services than AWS know no checksums beyond the signature's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (name: string): string => {
    if (!isBlobName(name) && name !== ownerMark) throw new Error('that is no name of a blob');
    return prefix + name;
  };
  return { s3, client, bucket, keyOf };
}

async function spool(
  source: AsyncIterable<Uint8Array>,
  place: string,
  bytesMax: number,
): Promise<Omit<Kept, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(place, 'wx', 0o600);
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new BlobTooLarge();
    hash.update(piece);
    await file.writeFile(piece);
  }
  return { bytes, sha256: hash.digest() };
}

async function ownerOf(store: Store, id: string): Promise<string> {
  const { s3, client, bucket, keyOf } = store;
  const known = await textOf(store, ownerMark);
  if (known !== null) return known;
  const mark = { Bucket: bucket, Key: keyOf(ownerMark), Body: id };
  await client.send(new s3.PutObjectCommand(mark)).catch(refuse);
  // Of two at once the last one stands, which the first is told here or the next time.
  return (await textOf(store, ownerMark)) ?? id;
}

/** Null: there is no such object. */
async function textOf(store: Store, name: string): Promise<string | null> {
  let text = '';
  try {
    for await (const piece of bytesOf(store, name)) {
      text += Buffer.from(piece).toString();
      if (text.length > markCharactersMax) throw new BlobsUnavailable('its owner mark is too long');
    }
  } catch (error) {
    if (isNoBlob(error)) return null;
    throw error;
  }
  return text;
}

/**
 * Whatever the bucket says: nothing is wrong with what was asked. Of an answer the code and status
 * alone are told, since its text may repeat the signature or the key id.
 */
const unavailable = (cause: unknown): BlobsUnavailable => {
  if (cause instanceof BlobsUnavailable) return cause;
  const { name = '', message = '' } = (cause ?? {}) as Error;
  const status = statusOf(cause);
  if (status !== undefined) {
    return new BlobsUnavailable(`the bucket does not do it (${name}, status ${status})`);
  }
  return new BlobsUnavailable(`the bucket does not do it (${name}: ${message})`, { cause });
};
const refuse = (cause: unknown): never => {
  throw unavailable(cause);
};

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Of what is no fault of the request, another try may go better. Throws BlobsUnavailable. */
async function sent<T>(call: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      const status = statusOf(error) ?? 500;
      const mayFareBetter = status >= 500 || status === 408 || status === 429;
      if (left === 0 || !mayFareBetter) throw unavailable(error);
    }
  }
}

async function send(store: Store, name: string, place: string, bytes: number): Promise<void> {
  const { s3, client, bucket, keyOf } = store;
  const target = { Bucket: bucket, Key: keyOf(name) };
  if (bytes <= partBytes) {
    await sent(() => {
      const Body = createReadStream(place);
      return client.send(new s3.PutObjectCommand({ ...target, Body, ContentLength: bytes }));
    });
    return;
  }
  const begin = new s3.CreateMultipartUploadCommand(target);
  const { UploadId } = await client.send(begin).catch(refuse);
  try {
    const size = Math.max(partBytes, Math.ceil(bytes / partsMax));
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < bytes; start += size) {
      const end = Math.min(start + size, bytes) - 1;
      const PartNumber = Parts.length + 1;
      const part = { ...target, UploadId, PartNumber, ContentLength: end - start + 1 };
      const { ETag } = await sent(() => {
        const Body = createReadStream(place, { start, end });
        return client.send(new s3.UploadPartCommand({ ...part, Body }));
      });
      Parts.push({ ETag, PartNumber });
    }
    const whole = { ...target, UploadId, MultipartUpload: { Parts } };
    await client.send(new s3.CompleteMultipartUploadCommand(whole)).catch(refuse);
  } catch (error) {
    // What cannot be ended now is removed with the drafts.
    const abort = new s3.AbortMultipartUploadCommand({ ...target, UploadId });
    await client.send(abort).catch(() => {});
    throw error;
  }
}

async function* bytesOf(
  { s3, client, bucket, keyOf }: Store,
  name: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const asked = new s3.GetObjectCommand({ Bucket: bucket, Key: keyOf(name), Range });
  const { Body, ContentLength } = await client.send(asked).catch((cause: unknown) => {
    if (!(cause instanceof s3.NoSuchKey)) throw unavailable(cause);
    throw Object.assign(new Error('there is no such blob', { cause }), { code: 'ENOENT' });
  });
  if (ContentLength === undefined) {
    // Its end could not be told from a broken connection, and it could go on for ever.
    (Body as Readable | undefined)?.destroy();
    throw new BlobsUnavailable('the bucket does not do it (an answer without a length)');
  }
  try {
    if (Body) yield* Body as Readable;
  } catch (cause) {
    throw unavailable(cause);
  }
}

async function* listBefore(store: Store, time: Date): AsyncGenerator<string[]> {
  const { s3, client, bucket } = store;
  const Prefix = prefixOf(store);
  const old = ({ LastModified }: _Object): boolean =>
    LastModified !== undefined && LastModified < time;
  let ContinuationToken: string | undefined;
  do {
    const asked: ListObjectsV2CommandInput = { Bucket: bucket, Prefix, ContinuationToken };
    const page = await client.send(new s3.ListObjectsV2Command(asked)).catch(refuse);
    const names = (page.Contents ?? []).filter(old).map(({ Key = '' }) => Key.slice(Prefix.length));
    const own = names.filter(isBlobName);
    if (own.length > 0) yield own;
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

const prefixOf = ({ keyOf }: Store): string => keyOf('0'.repeat(32)).slice(0, -32);

/** Of this service alone: others may keep theirs in the same bucket. */
async function abortUploads(store: Store, before: Date): Promise<void> {
  const { s3, client, bucket } = store;
  const Prefix = prefixOf(store);
  let more: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (more !== null) {
    const asked: ListMultipartUploadsCommandInput = { Bucket: bucket, Prefix, ...more };
    const page: ListMultipartUploadsCommandOutput | null = await client
      .send(new s3.ListMultipartUploadsCommand(asked))
      .catch((error: unknown) => (statusOf(error) === 501 ? null : refuse(error)));
    // A service that cannot list them ends them by a rule of its own, or never.
    if (page === null) return;
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      const isOurs = Key.startsWith(Prefix) && isBlobName(Key.slice(Prefix.length));
      if (!isOurs || Initiated === undefined || Initiated >= before) continue;
      const abort = new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await client.send(abort).catch(refuse);
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    more = page.IsTruncated && KeyMarker ? { KeyMarker, UploadIdMarker } : null;
  }
}

/** Local copies that a process left when it died. */
async function removeOld(folder: string, before: Date, but: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => isBlobName(one) && !but.has(one))) {
    const place = path.join(folder, name);
    const found = await stat(place).catch(() => null);
    if (found && found.mtimeMs < before.getTime()) await rm(place, { force: true });
  }
}
