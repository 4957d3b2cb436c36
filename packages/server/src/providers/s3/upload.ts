import type { Readable } from 'node:stream';
import { type Bucket, sendWithRetries } from './bucket.ts';

/** Maximum size of one request; larger objects are uploaded in parts of this size. */
export const partBytes = 32 * 2 ** 20;
/** Maximum number of parts of one object in S3. */
export const partsMax = 10_000;

export interface UploadPart {
  readonly bytes: number;
  readonly isLast: boolean;
  /** Opens its bytes from the start, also for a retry. */
  readonly open: () => Readable;
}

type Parts = AsyncIterable<UploadPart> | Iterable<UploadPart>;

/**
 * Uploads an object from its parts atomically. One part is sent while the next one is produced.
 * Throws the errors of the source and of the bucket.
 */
export async function uploadObject(
  bucket: Bucket,
  key: string,
  { parts, signal }: { readonly parts: Parts; readonly signal?: AbortSignal },
): Promise<void> {
  const ending = new AbortController();
  const signals = signal === undefined ? [ending.signal] : [ending.signal, signal];
  const upload = new Upload(bucket, key, AbortSignal.any(signals));
  let sending: Promise<void> = Promise.resolve();
  try {
    for await (const part of parts) {
      if (part.isLast && !upload.isBegun) return await upload.putWhole(part);
      await upload.begin();
      await sending;
      sending = upload.send(part);
      // It is awaited with the next part; the source may fail first.
      sending.catch(() => {});
    }
    await sending;
    await upload.complete();
  } catch (error) {
    ending.abort();
    await sending.catch(() => {});
    await upload.abort();
    throw error;
  }
}

class Upload {
  readonly #bucket: Bucket;
  readonly #target: { readonly Bucket: string; readonly Key: string };
  readonly #signal: AbortSignal;
  readonly #parts: { ETag: string | undefined; PartNumber: number }[] = [];
  #id: string | undefined;

  constructor(bucket: Bucket, key: string, signal: AbortSignal) {
    this.#bucket = bucket;
    this.#target = { Bucket: bucket.name, Key: key };
    this.#signal = signal;
  }

  get isBegun(): boolean {
    return this.#id !== undefined;
  }

  async putWhole({ bytes, open }: UploadPart): Promise<void> {
    const { s3 } = this.#bucket;
    await this.#send((options) => {
      const put = { ...this.#target, Body: open(), ContentLength: bytes };
      return this.#bucket.client.send(new s3.PutObjectCommand(put), options);
    });
  }

  async begin(): Promise<void> {
    if (this.isBegun) return;
    const { s3, client, throwFailure } = this.#bucket;
    const begin = new s3.CreateMultipartUploadCommand(this.#target);
    const { UploadId } = await client
      .send(begin, { abortSignal: this.#signal })
      .catch((error: unknown) => this.#rejectWith(error, throwFailure));
    this.#id = UploadId;
  }

  async send({ bytes, open }: UploadPart): Promise<void> {
    const { s3, client, toFailure } = this.#bucket;
    const PartNumber = this.#parts.length + 1;
    if (PartNumber > partsMax) {
      throw toFailure(new Error(`an object has at most ${partsMax} parts`));
    }
    const part = { ...this.#target, UploadId: this.#id, PartNumber, ContentLength: bytes };
    const { ETag } = await this.#send((options) =>
      client.send(new s3.UploadPartCommand({ ...part, Body: open() }), options),
    );
    this.#parts.push({ ETag, PartNumber });
  }

  async complete(): Promise<void> {
    const { s3, client, throwFailure } = this.#bucket;
    const MultipartUpload = { Parts: this.#parts };
    const whole = { ...this.#target, UploadId: this.#id, MultipartUpload };
    await client
      .send(new s3.CompleteMultipartUploadCommand(whole), { abortSignal: this.#signal })
      .catch((error: unknown) => this.#rejectWith(error, throwFailure));
  }

  /** An upload that cannot be aborted now is removed with the drafts. */
  async abort(): Promise<void> {
    if (!this.isBegun) return;
    const { s3, client } = this.#bucket;
    const abort = new s3.AbortMultipartUploadCommand({ ...this.#target, UploadId: this.#id });
    await client.send(abort).catch(() => {});
  }

  #send<T>(call: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const options = { abortSignal: this.#signal };
    return sendWithRetries(this.#bucket, () => call(options), this.#signal);
  }

  /** The reason of an abort belongs to the caller and is not an error of the bucket. */
  #rejectWith(error: unknown, throwFailure: (cause: unknown) => never): never {
    this.#signal.throwIfAborted();
    return throwFailure(error);
  }
}
