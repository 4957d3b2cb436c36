import { type Memory, routes, type Upload, type UploadInput } from '@mneme/contract';
import { buildMultipartBody, estimatedUploadMs, toTextFields } from './bodies.ts';
import type { CallOptions, RouteCaller } from './calls.ts';
import { MnemeError } from './errors.ts';
import { backoffMs } from './retry.ts';
import type { TransportOptions } from './transport.ts';

/** What is no File has no name of its own. */
type NamedFile<F> =
  | { readonly file: File; readonly filename?: string }
  | { readonly file: F; readonly filename: string };

/** A file, what it is called, and fields of the memory that it becomes. */
export type FileUpload = UploadInput & NamedFile<Blob | ReadableStream<Uint8Array>>;

/** The same of a file that can be read from any place on. */
export type PartsUpload = UploadInput & NamedFile<Blob>;

export type CompletedUpload = Upload & { readonly memory_id: string };

export interface PartsOptions {
  readonly signal?: AbortSignal;
  /** Goes on with an upload of the same file that was broken off. */
  readonly uploadId?: string;
  /** Told once it is begun, and whenever more of it is there. */
  readonly onProgress?: (upload: Upload) => void;
  /** Of one request, 16 MiB unless told. */
  readonly partBytes?: number;
}

/** Sends a file as a form. Throws as `call`; what is no file of a known kind is 400. */
export function upload(
  { call }: RouteCaller,
  boundary: string,
  { file, filename, ...fields }: FileUpload,
  options: CallOptions = {},
): Promise<Memory> {
  const { type, body } = buildMultipartBody(
    fields,
    { file, filename: fileNameOf(file, filename) },
    boundary,
  );
  const headers = { 'content-type': type, ...options.headers };
  // The contract's type of a form is FormData, which this is on the wire.
  return call(routes.memories.create, { body: body as never }, { ...options, headers });
}

/**
 * Sends a file part by part; where a connection broke it asks how far the upload is and goes on
 * there, as often as the client retries without a byte more. Throws as `call`, and a TypeError
 * for an empty file, or where the upload to go on with is of another length.
 */
export async function uploadInParts(
  transport: TransportOptions,
  caller: RouteCaller,
  { file, filename, ...fields }: PartsUpload,
  options: PartsOptions = {},
): Promise<CompletedUpload> {
  const { signal, uploadId, onProgress } = options;
  if (file.size === 0) throw new TypeError('The file is empty: it becomes no memory.');
  const called = signal ? { signal } : {};
  const look = (id: string): Promise<Upload> =>
    caller.call(routes.media.getUpload, { params: { id } }, called);
  const told = { filename: fileNameOf(file, filename), ...toTextFields(fields) };
  const headers = {
    'upload-length': String(file.size),
    'upload-metadata': encodeUploadMetadata(told),
  };
  let state = await (uploadId === undefined
    ? caller.call(routes.media.createUpload, { headers }, called)
    : look(uploadId));
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
      state = await look(id);
    }
    if (state.offset > offset) failures = 0;
    if (state.offset > offset || state.memory_id !== null) onProgress?.(state);
  }
}

const partBytesDefault = 16 * 2 ** 20;

async function uploadPart(
  transport: TransportOptions,
  { raw }: RouteCaller,
  { state, file, options }: { state: Upload; file: Blob; options: PartsOptions },
): Promise<Upload> {
  const { id, offset } = state;
  const length = file.size;
  const end = Math.min(offset + (options.partBytes ?? partBytesDefault), length);
  // With the last part the service puts all of them together before it answers.
  const endingMs = end === length ? estimatedUploadMs(length) : 0;
  const answer = await raw(
    routes.media.appendUpload,
    {
      params: { id },
      headers: { 'upload-offset': String(offset) },
      body: file.slice(offset, end),
    },
    {
      timeoutMs: transport.timeoutMs + endingMs,
      ...(options.signal && { signal: options.signal }),
    },
  );
  const memoryId = answer.headers.get('x-mneme-memory-id');
  const now = Number(answer.headers.get('upload-offset'));
  if (now <= offset && memoryId === null) throw new Error('The upload does not go on.');
  return { ...state, offset: now, memory_id: memoryId };
}

/** Not refused: nobody knows how much of it came, or another request is not over yet. */
const canResume = (error: unknown): boolean => {
  if (error instanceof MnemeError) return [409, 500, 502, 504].includes(error.status);
  return error instanceof TypeError || (error as Error).name === 'TimeoutError';
};

function requireSameLength({ length }: Upload, { size }: Blob): void {
  if (length === size) return;
  throw new TypeError(`The upload is of ${length} bytes, and the file has ${size}.`);
}

const fileNameOf = (file: object, filename: string | undefined): string =>
  filename ?? ('name' in file ? String(file.name) : 'file');

/** `name base64,name base64` of UTF-8. */
const encodeUploadMetadata = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => {
      const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
      return `${name} ${btoa(bytes.join(''))}`;
    })
    .join(',');
