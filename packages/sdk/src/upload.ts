import { buildMultipartBody, toTextFields, uploadTimeoutMs } from './bodies.ts';
import { type CallOptions, callOptionNames, type OperationCaller } from './calls.ts';
import { MnemeError } from './errors.ts';
import {
  mediaAppendUpload,
  mediaCreateUpload,
  mediaGetUpload,
  memoriesCreate,
  memoriesGet,
} from './generated/operations.ts';
import type { MemoriesCreateForm, Memory, Upload } from './generated/types.ts';
import { assertKnownNames } from './options.ts';
import { backoffMs } from './retry.ts';
import type { TransportOptions } from './transport.ts';

/** Only a File has a name of its own. */
type NamedFile<F> =
  | { readonly file: File; readonly filename?: string }
  | { readonly file: F; readonly filename: string };

/** A file, its name, and the fields of the memory that it becomes. */
export type FileUpload = MemoriesCreateForm & NamedFile<Blob | ReadableStream<Uint8Array>>;

/** Like `FileUpload`, for a file that can be read from any offset. */
export type PartsUpload = MemoriesCreateForm & NamedFile<Blob>;

export type CompletedUpload = Upload & { readonly memory_id: string };

export interface UploadInPartsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Id of an interrupted upload of the same file to resume. */
  readonly uploadId?: string;
  /** Called when the upload starts or resumes, and after each progress. */
  readonly onProgress?: (upload: Upload) => void;
  /** Bytes of one request; default: 16 MiB. */
  readonly partBytes?: number;
}

const partsOptionNames: readonly (keyof UploadInPartsOptions)[] = [
  'signal',
  'uploadId',
  'onProgress',
  'partBytes',
];

export interface UploadOptions extends CallOptions {
  /** Called when the upload starts, and after each part. */
  readonly onProgress?: ((progress: Upload) => void) | undefined;
}

/**
 * Sends a file as a form, or with `onProgress` in parts. Throws like `call`; an unsupported kind of
 * file is 400. Throws a TypeError for a stream with `onProgress`: it cannot be resumed.
 */
export async function uploadFile(
  transport: TransportOptions,
  caller: OperationCaller,
  upload: FileUpload,
  uploadOptions: UploadOptions = {},
): Promise<Memory> {
  assertKnownNames('memories.upload', uploadOptions, [...callOptionNames, 'onProgress']);
  const { file, filename, ...fields } = upload;
  const { onProgress, ...options } = uploadOptions;
  if (onProgress !== undefined) {
    if (!(file instanceof Blob)) throw new TypeError('onProgress requires a Blob, not a stream.');
    const { signal } = options;
    const parts = await uploadInParts(transport, caller, { ...upload, file } as PartsUpload, {
      signal,
      onProgress,
    });
    return caller.call(memoriesGet, { params: { id: parts.memory_id } }, options);
  }
  const { type, body } = buildMultipartBody(
    fields,
    { file, filename: fileNameOf(file, filename) },
    transport.runtime.uuid(),
  );
  const headers = { 'content-type': type, ...options.headers };
  // The operation has the type FormData for a form; this body is equivalent on the wire.
  return caller.call(memoriesCreate, { body: body as never }, { ...options, headers });
}

/**
 * Sends a file part by part. After a lost connection it reads the offset of the upload and resumes
 * there; it stops after `retries` failures without progress. Throws like `call`, and a TypeError
 * for an empty file, or if the upload to resume has another length.
 */
export async function uploadInParts(
  transport: TransportOptions,
  caller: OperationCaller,
  { file, filename, ...fields }: PartsUpload,
  options: UploadInPartsOptions = {},
): Promise<CompletedUpload> {
  assertKnownNames('memories.uploadInParts', options, partsOptionNames);
  const { signal, uploadId, onProgress } = options;
  if (file.size === 0) throw new TypeError('The file is empty: an empty file creates no memory.');
  const callOptions = signal ? { signal } : {};
  const readUpload = (id: string): Promise<Upload> =>
    caller.call(mediaGetUpload, { params: { id } }, callOptions);
  const metadata = { filename: fileNameOf(file, filename), ...toTextFields(fields) };
  const headers = {
    'upload-length': String(file.size),
    'upload-metadata': encodeUploadMetadata(metadata),
  };
  let state = await (uploadId === undefined
    ? caller.call(mediaCreateUpload, { headers }, callOptions)
    : readUpload(uploadId));
  requireSameLength(state, file);
  onProgress?.(state);
  for (let failures = 0; ; ) {
    const { id, memory_id, offset } = state;
    if (memory_id !== null) return { ...state, memory_id };
    try {
      state = await uploadPart(transport, caller, { state, file, options });
    } catch (error) {
      if (failures >= transport.retries || signal?.aborted || !canResume(error)) throw error;
      await transport.runtime.sleep(backoffMs(transport, failures), signal);
      failures += 1;
      state = await readUpload(id);
    }
    if (state.offset > offset) failures = 0;
    if (state.offset > offset || state.memory_id !== null) onProgress?.(state);
  }
}

const partBytesDefault = 16 * 2 ** 20;

async function uploadPart(
  transport: TransportOptions,
  { raw }: OperationCaller,
  { state, file, options }: { state: Upload; file: Blob; options: UploadInPartsOptions },
): Promise<Upload> {
  const { id, offset } = state;
  const length = file.size;
  const end = Math.min(offset + (options.partBytes ?? partBytesDefault), length);
  // With the last part the service assembles the file before it responds.
  const assemblyMs = end === length ? uploadTimeoutMs(length) : 0;
  const response = await raw(
    mediaAppendUpload,
    {
      params: { id },
      headers: { 'upload-offset': String(offset) },
      body: file.slice(offset, end),
    },
    {
      timeoutMs: transport.timeoutMs + assemblyMs,
      ...(options.signal && { signal: options.signal }),
    },
  );
  const memoryId = response.headers.get('x-mneme-memory-id');
  const newOffset = Number(response.headers.get('upload-offset'));
  if (newOffset <= offset && memoryId === null) throw new Error('The upload made no progress.');
  return { ...state, offset: newOffset, memory_id: memoryId };
}

/** Whether to resume: bytes may have arrived, or another request is still in progress. */
const canResume = (error: unknown): boolean => {
  if (error instanceof MnemeError) return [409, 500, 502, 504].includes(error.status);
  return error instanceof TypeError || (error as Error).name === 'TimeoutError';
};

function requireSameLength({ length }: Upload, { size }: Blob): void {
  if (length === size) return;
  throw new TypeError(`The upload has a length of ${length} bytes, but the file has ${size}.`);
}

const fileNameOf = (file: object, filename: string | undefined): string =>
  filename ?? ('name' in file ? String(file.name) : 'file');

/** Encodes UTF-8 texts as `name base64,name base64`. */
const encodeUploadMetadata = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => {
      const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
      return `${name} ${btoa(bytes.join(''))}`;
    })
    .join(',');
