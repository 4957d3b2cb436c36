import type {
  ListMultipartUploadsCommandInput,
  ListMultipartUploadsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../../kernel/media-config.ts';

/** Attempts for one part: the client itself does not retry streams. */
const attemptsMax = 3;
/** Timeouts for connecting and for the next byte of a response. */
const connectMs = 5_000;
const idleTimeoutMs = 30_000;

type FailureClass = new (message: string, options?: ErrorOptions) => Error;

export interface Bucket {
  readonly s3: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  readonly name: string;
  readonly prefix: string;
  /** Converts an error of the bucket to the class passed to `connectBucket`. */
  readonly toFailure: (cause: unknown) => Error;
  readonly throwFailure: (cause: unknown) => never;
}

/**
 * Connects to a bucket. Loads the SDK on demand, since it is optional.
 * @param setting the setting that names the bucket, for the message if the SDK is not installed
 * @param Failure the caller's error class for an unusable bucket
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
    // Its messages are also in the error, and the server logs only through its own logger.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    // Fails fast on a silent service; many slow readers are allowed.
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: idleTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    },
    // Services other than AWS support no checksums beyond the signature's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const toFailure = (cause: unknown): Error => describeFailure(cause, Failure);
  const throwFailure = (cause: unknown): never => {
    throw toFailure(cause);
  };
  return { s3, client, name, prefix, toFailure, throwFailure };
}

/**
 * The request itself was valid. Of a response, only code and status are reported, since its text
 * may contain the signature or the key id.
 */
function describeFailure(cause: unknown, Failure: FailureClass): Error {
  if (cause instanceof Failure) return cause;
  const { name = '', message = '' } = (cause ?? {}) as Error;
  const status = statusOf(cause);
  if (status !== undefined) {
    return new Failure(`the bucket request failed (${name}, status ${status})`);
  }
  return new Failure(`the bucket request failed (${name}: ${message})`, { cause });
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Retries errors that the request did not cause. */
export async function sendWithRetries<T>(
  { toFailure }: Bucket,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let retriesLeft = attemptsMax - 1; ; retriesLeft -= 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const status = statusOf(error) ?? 500;
      const canRetry = status >= 500 || status === 408 || status === 429;
      if (retriesLeft === 0 || !canRetry) throw toFailure(error);
    }
  }
}

/**
 * Aborts multipart uploads that began before a time, under the prefix of the bucket and with names
 * accepted by `isOurs`: others may use the same bucket.
 */
export async function abortUploads(
  { s3, client, name: bucket, prefix, throwFailure }: Bucket,
  { before, isOurs }: { readonly before: Date; readonly isOurs: (name: string) => boolean },
): Promise<void> {
  let more: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (more !== null) {
    const input: ListMultipartUploadsCommandInput = { Bucket: bucket, Prefix: prefix, ...more };
    const page: ListMultipartUploadsCommandOutput | null = await client
      .send(new s3.ListMultipartUploadsCommand(input))
      .catch((error: unknown) => (statusOf(error) === 501 ? null : throwFailure(error)));
    // A service without this list expires uploads by its own rule, or never.
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
