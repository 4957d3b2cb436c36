import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ListObjectsV2CommandInput } from '@aws-sdk/client-s3';
import type { Ids } from '../../kernel/ids.ts';
import type { S3Config } from '../../kernel/media-config.ts';
import {
  abortUploads,
  type Bucket,
  connectBucket,
  partBytes,
  partsMax,
  type UploadPart,
  uploadObject,
} from '../s3/index.ts';
import {
  assertChecksum,
  type BlobStore,
  BlobStoreUnavailable,
  BlobTooLarge,
  isBlobName,
  isBlobNotFound,
  type ListedBlob,
  ownerFileName,
  type StoredBlob,
} from './blob-store.ts';

/** Maximum length of the owner mark, which is an id. */
const markCharactersMax = 1_000;

interface Store extends Bucket {
  readonly keyOf: (name: string) => string;
}

/**
 * Stores blobs as objects of a bucket. Bytes are first written to `folder`, so that their size and
 * hash are known and a part can be sent again. Objects appear atomically.
 */
export async function createS3BlobStore(
  config: S3Config,
  { folder, ids }: { folder: string; ids: Ids },
): Promise<BlobStore & AsyncDisposable> {
  const store = await connect(config);
  const { s3, client, name: bucket, keyOf, throwFailure } = store;
  const newName = (): string => Buffer.from(ids.bytes(16)).toString('hex');
  const activeDrafts = new Set<string>();
  const local = async (): Promise<{ readonly path: string } & AsyncDisposable> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = newName();
    const filePath = path.join(folder, draft);
    activeDrafts.add(draft);
    return {
      path: filePath,
      async [Symbol.asyncDispose]() {
        await rm(filePath, { force: true });
        activeDrafts.delete(draft);
      },
    };
  };
  const read = (name: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array> =>
    streamObject(store, name, range);
  const storeBlob = async (
    name: string,
    source: AsyncIterable<Uint8Array>,
    { bytesMax, sha256 }: { bytesMax: number; sha256?: Uint8Array | undefined },
  ): Promise<StoredBlob> => {
    keyOf(name);
    await using draft = await local();
    const stored = { name, ...(await spool(source, draft.path, bytesMax)) };
    assertChecksum(stored, sha256);
    await uploadObject(store, keyOf(name), { parts: splitFile(draft.path, stored.bytes) });
    return stored;
  };
  return {
    write: (source, { bytesMax }) => storeBlob(newName(), source, { bytesMax }),
    put: (name, source, expected) =>
      storeBlob(name, source, { bytesMax: Number.POSITIVE_INFINITY, sha256: expected?.sha256 }),
    read,
    async openLocalFile(name) {
      const copy = await local();
      try {
        await spool(read(name), copy.path, Number.POSITIVE_INFINITY);
      } catch (error) {
        await copy[Symbol.asyncDispose]();
        throw error;
      }
      return copy;
    },
    size: (name) => readSize(store, name),
    async remove(name) {
      const command = new s3.DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) });
      await client.send(command).catch(throwFailure);
    },
    listNamesBefore: (time) => namesBefore(store, time),
    list: () => list(store),
    async removeDrafts(before) {
      await removeOldDrafts(folder, before, activeDrafts);
      await abortUploads(store, { before, isOurs: isBlobName });
    },
    getOrClaimOwner: (id) => readOrClaimOwner(store, id),
    async check() {
      await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch(throwFailure);
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

async function connect(config: S3Config): Promise<Store> {
  const bucket = await connectBucket(config, {
    setting: 'MNEME_S3_BUCKET',
    Failure: BlobStoreUnavailable,
  });
  const keyOf = (name: string): string => {
    if (!isBlobName(name) && name !== ownerFileName) throw new Error('invalid blob name');
    return bucket.prefix + name;
  };
  return { ...bucket, keyOf };
}

async function spool(
  source: AsyncIterable<Uint8Array>,
  filePath: string,
  bytesMax: number,
): Promise<Omit<StoredBlob, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(filePath, 'wx', 0o600);
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new BlobTooLarge();
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  return { bytes, sha256: hash.digest() };
}

async function readSize(store: Store, name: string): Promise<number | null> {
  const { s3, client, name: bucket, keyOf, toFailure } = store;
  const command = new s3.HeadObjectCommand({ Bucket: bucket, Key: keyOf(name) });
  return client.send(command).then(
    ({ ContentLength = 0 }) => ContentLength,
    (error: unknown) => {
      if (error instanceof s3.NotFound) return null;
      throw toFailure(error);
    },
  );
}

async function readOrClaimOwner(store: Store, id: string): Promise<string> {
  const { s3, client, name: bucket, keyOf, throwFailure } = store;
  const existing = await readText(store, ownerFileName);
  if (existing !== null) return existing;
  const mark = { Bucket: bucket, Key: keyOf(ownerFileName), Body: id };
  await client.send(new s3.PutObjectCommand(mark)).catch(throwFailure);
  // With two concurrent writes the last one wins; the other caller sees it here or next time.
  return (await readText(store, ownerFileName)) ?? id;
}

/** Null if the object does not exist. */
async function readText(store: Store, name: string): Promise<string | null> {
  let text = '';
  try {
    for await (const chunk of streamObject(store, name)) {
      text += Buffer.from(chunk).toString();
      if (text.length > markCharactersMax)
        throw new BlobStoreUnavailable('its owner mark is too long');
    }
  } catch (error) {
    if (isBlobNotFound(error)) return null;
    throw error;
  }
  return text;
}

/** The parts of a local file, each read when it is sent. */
function* splitFile(filePath: string, bytes: number): Generator<UploadPart> {
  const size = Math.max(partBytes, Math.ceil(bytes / partsMax));
  for (let start = 0; start === 0 || start < bytes; start += size) {
    const end = Math.min(start + size, bytes);
    // The end of a file range is inclusive, so that an empty file has no range.
    const open = (): Readable =>
      createReadStream(filePath, bytes === 0 ? {} : { start, end: end - 1 });
    yield { bytes: end - start, isLast: end === bytes, open };
  }
}

async function* streamObject(
  { s3, client, name: bucket, keyOf, toFailure }: Store,
  name: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const command = new s3.GetObjectCommand({ Bucket: bucket, Key: keyOf(name), Range });
  const { Body, ContentLength } = await client.send(command).catch((cause: unknown) => {
    if (!(cause instanceof s3.NoSuchKey)) throw toFailure(cause);
    throw Object.assign(new Error('the blob does not exist', { cause }), { code: 'ENOENT' });
  });
  if (ContentLength === undefined) {
    // Its end could not be distinguished from a lost connection, and it might never end.
    (Body as Readable | undefined)?.destroy();
    throw new BlobStoreUnavailable('the bucket request failed (a response without a length)');
  }
  try {
    if (Body) yield* Body as Readable;
  } catch (cause) {
    throw toFailure(cause);
  }
}

async function* namesBefore(store: Store, time: Date): AsyncGenerator<string[]> {
  for await (const objects of listObjects(store)) {
    const old = objects.filter(({ modified }) => modified !== undefined && modified < time);
    if (old.length > 0) yield old.map(({ name }) => name);
  }
}

async function* list(store: Store): AsyncGenerator<ListedBlob[]> {
  for await (const objects of listObjects(store)) {
    if (objects.length > 0) yield objects.map(({ name, bytes }) => ({ name, bytes }));
  }
}

interface StoredObject extends ListedBlob {
  readonly modified: Date | undefined;
}

/** Lists the objects page by page. */
async function* listObjects(store: Store): AsyncGenerator<StoredObject[]> {
  const { s3, client, name: bucket, prefix: Prefix, throwFailure } = store;
  let ContinuationToken: string | undefined;
  do {
    const input: ListObjectsV2CommandInput = { Bucket: bucket, Prefix, ContinuationToken };
    const page = await client.send(new s3.ListObjectsV2Command(input)).catch(throwFailure);
    yield (page.Contents ?? [])
      .map(({ Key = '', Size = 0, LastModified }) => ({
        name: Key.slice(Prefix.length),
        bytes: Size,
        modified: LastModified,
      }))
      .filter(({ name }) => isBlobName(name));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Removes local copies left by processes that exited. */
async function removeOldDrafts(
  folder: string,
  before: Date,
  exclude: ReadonlySet<string>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => isBlobName(one) && !exclude.has(one))) {
    const filePath = path.join(folder, name);
    const found = await stat(filePath).catch(() => null);
    if (found && found.mtimeMs < before.getTime()) await rm(filePath, { force: true });
  }
}
