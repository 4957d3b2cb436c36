import type {
  ListMultipartUploadsCommandInput,
  ListMultipartUploadsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../../kernel/config-media.ts';

/** Of one part, before all is given up: the client itself sends no stream again. */
const attemptsMax = 3;
/** For a connection, and for the next byte of an answer. */
const connectMs = 5_000;
const idleTimeoutMs = 30_000;

type FailureClass = new (message: string, options?: ErrorOptions) => Error;

export interface Bucket {
  readonly s3: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  readonly name: string;
  readonly prefix: string;
  /** What the bucket throws, as an error of the class that `connectBucket` received. */
  readonly toFailure: (cause: unknown) => Error;
  readonly throwFailure: (cause: unknown) => never;
}

/**
 * The SDK is loaded here alone: who uses no bucket needs none.
 * @param setting names the bucket, for the message where the SDK is not installed
 * @param Failure what callers know as "the bucket cannot be used"
 */
export async function connectBucket(
  config: S3Config,
  { setting, Failure }: { readonly setting: string; readonly Failure: FailureClass },
): Promise<Bucket> {
  const s3 = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    const message = `${setting} needs a package: npm install @aws-sdk/client-s3`;
    throw new Error(message, { cause });
  });
  const { bucket: name, endpoint, region, credentials, prefix, pathStyle } = config;
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
      requestTimeout: idleTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
    // Other services than AWS know no checksums beyond the signature's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const failureOf = (cause: unknown): Error => describeFailure(cause, Failure);
  const refuse = (cause: unknown): never => {
    throw failureOf(cause);
  };
  return { s3, client, name, prefix, toFailure: failureOf, throwFailure: refuse };
}

/**
 * Whatever the bucket says: nothing is wrong with what was asked. Of an answer the code and status
 * alone are told, since its text may repeat the signature or the key id.
 */
function describeFailure(cause: unknown, Failure: FailureClass): Error {
  if (cause instanceof Failure) return cause;
  const { name = '', message = '' } = (cause ?? {}) as Error;
  const status = statusOf(cause);
  if (status !== undefined) {
    return new Failure(`the bucket does not do it (${name}, status ${status})`);
  }
  return new Failure(`the bucket does not do it (${name}: ${message})`, { cause });
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Of what is no fault of the request, another try may go better. */
export async function sendWithRetries<T>(
  { toFailure }: Bucket,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const status = statusOf(error) ?? 500;
      const mayFareBetter = status >= 500 || status === 408 || status === 429;
      if (left === 0 || !mayFareBetter) throw toFailure(error);
    }
  }
}

/**
 * Aborts uploads in parts that began before a time, under the prefix of the bucket and with names
 * that are `ours`: others may keep theirs in the same bucket.
 */
export async function abortUploads(
  { s3, client, name: bucket, prefix, throwFailure }: Bucket,
  { before, isOurs }: { readonly before: Date; readonly isOurs: (name: string) => boolean },
): Promise<void> {
  let more: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (more !== null) {
    const asked: ListMultipartUploadsCommandInput = { Bucket: bucket, Prefix: prefix, ...more };
    const page: ListMultipartUploadsCommandOutput | null = await client
      .send(new s3.ListMultipartUploadsCommand(asked))
      .catch((error: unknown) => (statusOf(error) === 501 ? null : throwFailure(error)));
    // A service that cannot list them ends them by a rule of its own, or never.
    if (page === null) return;
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      const isOwn = Key.startsWith(prefix) && isOurs(Key.slice(prefix.length));
      if (!isOwn || Initiated === undefined || Initiated >= before) continue;
      const abort = new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await client.send(abort).catch(throwFailure);
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    more = page.IsTruncated && KeyMarker ? { KeyMarker, UploadIdMarker } : null;
  }
}
