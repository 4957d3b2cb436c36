import { Readable } from 'node:stream';
import { completeResponse, defaultStatusOf, type Route } from '@mneme/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyStream, isBodyStream, Reply } from '../domains/handler.ts';
import { serializeJson } from './serialize-json.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/** The response of a handler, of an error, or a stored one of an Idempotency-Key. */
export interface HttpResponse {
  readonly status: number;
  /** The default content type is JSON. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The response for the result of a handler, including what the contract adds to it. `sent` is the
 * validated query of a list, or its body.
 */
export function toHttpResponse(route: Route, result: unknown, sent?: unknown): HttpResponse {
  const { body, status, headers } = result instanceof Reply ? result : new Reply(result);
  const actualStatus = status ?? defaultStatusOf(route);
  return {
    status: actualStatus,
    headers: { ...headers },
    body: isBodyStream(body) ? body : completeResponse(route, actualStatus, body, sent),
  };
}

/** The tags of If-Match or If-None-Match without quotes and without the weak prefix. */
export function parseEtags(header: string | string[] | undefined): string[] | null {
  if (header === undefined) return null;
  return String(header)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}

/** The client may cache a response with an ETag and revalidate it. */
const revalidationHeaders = { 'cache-control': 'private, no-cache' };

/** Throws the error of the first chunk of a stream, so that it becomes the response. */
export async function sendResponse(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: HttpResponse,
): Promise<FastifyReply> {
  if (route.method === 'GET' && headers.etag && isNotModified(headers.etag, request)) {
    return reply
      .headers({ ...headers, ...revalidationHeaders })
      .code(304)
      .send();
  }
  // A HEAD request needs no stream.
  const isStreamed = isBodyStream(body) && request.method !== 'HEAD';
  const stream = isStreamed
    ? toReadable(route.eventStream ? body : await withFirstChunk(body))
    : null;
  reply.code(status).headers(headers);
  if (route.method === 'GET' && headers.etag) reply.headers(revalidationHeaders);
  if (body === undefined) return reply.send();
  const type = headers['content-type'] ?? jsonContentType;
  reply.type(type);
  if (isBodyStream(body) && !isStreamed) void body[Symbol.asyncIterator]().return?.();
  if (isBodyStream(body)) return stream ? reply.send(stream) : reply.send();
  const isText = typeof body === 'string' && !type.startsWith('application/json');
  return reply.send(isText ? body : serializeJson(body));
}

/** Whether the client's cache has the current version. */
function isNotModified(etag: string, { headers }: FastifyRequest): boolean {
  const cached = parseEtags(headers['if-none-match']) ?? [];
  return cached.includes('*') || cached.includes(etag.replaceAll('"', ''));
}

/** Reads the first chunk, so that its error can still become the response. */
async function withFirstChunk(stream: BodyStream): Promise<BodyStream> {
  const chunks = stream[Symbol.asyncIterator]();
  let firstResult: Promise<IteratorResult<string | Uint8Array>> | null = chunks.next();
  await firstResult;
  const iterator = {
    next(): Promise<IteratorResult<string | Uint8Array>> {
      const result = firstResult ?? chunks.next();
      firstResult = null;
      return result;
    },
    async return(): Promise<IteratorResult<string | Uint8Array>> {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  const { abortSignal } = stream;
  return { [Symbol.asyncIterator]: () => iterator, ...(abortSignal && { abortSignal }) };
}

/** Buffers only one chunk, so that a slow client needs no memory. */
function toReadable(stream: BodyStream): Readable {
  const readable = Readable.from(stream, { highWaterMark: 1 });
  stream.abortSignal?.addEventListener('abort', () => readable.destroy(), { once: true });
  return readable;
}
