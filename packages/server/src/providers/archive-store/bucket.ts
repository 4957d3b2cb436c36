import type { ListObjectsV2CommandInput } from '@aws-sdk/client-s3';
import type { S3Config } from '../../kernel/media-config.ts';
import {
  abortUploads,
  type Bucket,
  connectBucket,
  type UploadPart,
  uploadObject,
} from '../s3/index.ts';
import { splitIntoParts } from './split-parts.ts';
import { type ArchiveNamePattern, type ArchiveStore, ArchiveStoreUnavailable } from './store.ts';

/** Memory grows by two parts: by 37 MB while 1 GB was sent. */
const defaultPartBytes = 16 * 2 ** 20;

/**
 * Stores archives as objects of a bucket, uploaded in parts from memory: one is filled while the
 * other one is sent.
 */
export async function createBucketArchiveStore(
  config: S3Config,
  {
    names,
    partBytes = defaultPartBytes,
  }: { readonly names: ArchiveNamePattern; readonly partBytes?: number },
): Promise<ArchiveStore> {
  const bucket = await connectBucket(config, {
    setting: 'MNEME_BACKUP_BUCKET',
    Failure: ArchiveStoreUnavailable,
  });
  const { s3, client, throwFailure, prefix } = bucket;
  const keyOf = (name: string): string => prefix + name;
  return {
    locationOf: (name) => `s3://${bucket.name}/${keyOf(name)}`,
    async write(name, source, signal) {
      let bytes = 0;
      const counted = async function* (): AsyncGenerator<UploadPart> {
        for await (const part of splitIntoParts(source, partBytes, signal)) {
          bytes += part.bytes;
          yield part;
        }
      };
      await uploadObject(bucket, keyOf(name), { parts: counted(), signal });
      return bytes;
    },
    list: () => listNames(bucket, names),
    async remove(name) {
      const removal = new s3.DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(name) });
      await client.send(removal).catch(throwFailure);
    },
    removeUnfinished: (before) =>
      abortUploads(bucket, { before, isOurs: (name) => names.pattern.test(name) }),
    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

async function listNames(
  { s3, client, name: bucket, prefix, throwFailure }: Bucket,
  { namePrefix, pattern }: ArchiveNamePattern,
): Promise<string[]> {
  const found: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const input: ListObjectsV2CommandInput = {
      Bucket: bucket,
      Prefix: prefix + namePrefix,
      ContinuationToken,
    };
    const page = await client.send(new s3.ListObjectsV2Command(input)).catch(throwFailure);
    found.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return found.filter((name) => pattern.test(name)).toSorted();
}
