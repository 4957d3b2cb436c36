/** A body that is sent unchanged. A stream can be read only once, so it is never retried. */
export type RawBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** Bodies that fetch streams, and whose Content-Type it sets where they have one. */
type StreamableBody = Blob | FormData | URLSearchParams | ReadableStream<Uint8Array>;

/** Slower than any connection that is practical for an upload. */
const uploadBytesPerSecondMin = 65_536;

export const isStreamableBody = (body: unknown): body is StreamableBody =>
  [Blob, FormData, URLSearchParams, ReadableStream].some((kind) => body instanceof kind);

export const isSingleUseBody = (body: unknown): boolean => body instanceof ReadableStream;

/** Maximum duration of an upload of so many bytes, in ms; Infinity for an unknown length. */
export const uploadTimeoutMs = (bytes: number): number => (bytes / uploadBytesPerSecondMin) * 1_000;

/** Approximate length of a body in bytes; Infinity for a stream, 0 for a missing body. */
export function bodyByteLength(body: unknown): number {
  if (typeof body === 'string') return body.length;
  if (body instanceof Uint8Array) return body.byteLength;
  if (body instanceof Blob) return body.size;
  if (body instanceof FormData)
    return [...body.values()].reduce((sum, v) => sum + bodyByteLength(v), 0);
  return body instanceof ReadableStream ? Number.POSITIVE_INFINITY : 0;
}

/**
 * A multipart form of fields followed by a file that is streamed. Lists and objects are sent as
 * JSON; undefined fields are omitted. FormData is not used, because it accepts no stream and
 * changes line breaks.
 */
export function buildMultipartBody(
  fields: Readonly<Record<string, unknown>>,
  { file, filename }: { file: Blob | ReadableStream<Uint8Array>; filename: string },
  boundary: string,
): { readonly type: string; readonly body: Blob | ReadableStream<Uint8Array> } {
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
  const texts = Object.entries(toTextFields(fields)).map(([name, text]) => {
    return `${part(name)}\r\n${text}\r\n`;
  });
  const named = `; filename="${filename.replaceAll(/["\r\n]/g, encodeURIComponent)}"`;
  const typed = 'Content-Type: application/octet-stream\r\n\r\n';
  const head = `${texts.join('')}${part('file', named)}${typed}`;
  const tail = `\r\n--${boundary}--\r\n`;
  const type = `multipart/form-data; boundary=${boundary}`;
  const body = file instanceof Blob ? new Blob([head, file, tail]) : wrapStream(head, file, tail);
  return { type, body };
}

/** Fields as text, for a form or for tus metadata. */
export const toTextFields = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
      }),
  );

function wrapStream(
  head: string,
  stream: ReadableStream<Uint8Array>,
  tail: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(head)),
      flush: (controller) => controller.enqueue(encoder.encode(tail)),
    }),
  );
}
