import { Readable } from 'node:stream';
import type { Route } from '@mneme/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyStream, isBodyStream, Reply } from '../domains/handler.ts';
import { serializeJson } from './serialize-json.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/** An answer as it leaves: of a verb, of an error, or one that was kept for an Idempotency-Key. */
export interface HttpResponse {
  readonly status: number;
  /** Without a content type: JSON. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Status, headers and body of what a handler returned. */
export function toHttpResponse(route: Route, result: unknown): HttpResponse {
  const reply = result instanceof Reply ? result : new Reply(result);
  return {
    status: reply.status ?? defaultStatus(route),
    headers: { ...reply.headers },
    body: reply.body,
  };
}

/** The lowest status with a body, or the one without where there is no other. */
function defaultStatus(route: Route): number {
  const statuses = Object.keys(route.responses).map(Number);
  return statuses.find((status) => route.responses[status] !== null) ?? statuses[0] ?? 200;
}

/** The tags of If-Match or If-None-Match without quotes; weak ones compare like strong ones. */
export function parseEtags(header: string | string[] | undefined): string[] | null {
  if (header === undefined) return null;
  return String(header)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}

/** What has an ETag may be kept by the caller's own cache, and asked for again with it. */
const revalidationHeaders = { 'cache-control': 'private, no-cache' };

/** Throws what the first of the pieces throws: the answer is that error then. */
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
  // Nobody reads them of a HEAD: none is made.
  const isRead = isBodyStream(body) && request.method !== 'HEAD';
  const pieces = isRead ? toReadable(route.eventStream ? body : await withFirstChunk(body)) : null;
  reply.code(status).headers(headers);
  if (route.method === 'GET' && headers.etag) reply.headers(revalidationHeaders);
  if (body === undefined) return reply.send();
  const type = headers['content-type'] ?? jsonContentType;
  reply.type(type);
  if (isBodyStream(body) && !isRead) void body[Symbol.asyncIterator]().return?.();
  if (isBodyStream(body)) return pieces ? reply.send(pieces) : reply.send();
  const isText = typeof body === 'string' && !type.startsWith('application/json');
  return reply.send(isText ? body : serializeJson(body));
}

/** Whether the caller's cache has it already. */
function isNotModified(etag: string, { headers }: FastifyRequest): boolean {
  const known = parseEtags(headers['if-none-match']) ?? [];
  return known.includes('*') || known.includes(etag.replaceAll('"', ''));
}

/** With the first piece made: whether there is one at all is known before the answer leaves. */
async function withFirstChunk(pieces: BodyStream): Promise<BodyStream> {
  const rest = pieces[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<string | Uint8Array>> | null = rest.next();
  await ahead;
  const iterator = {
    next(): Promise<IteratorResult<string | Uint8Array>> {
      const result = ahead ?? rest.next();
      ahead = null;
      return result;
    },
    async return(): Promise<IteratorResult<string | Uint8Array>> {
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
  const { abortSignal } = pieces;
  return { [Symbol.asyncIterator]: () => iterator, ...(abortSignal && { abortSignal }) };
}

/** One piece is made ahead, so that a slow reader costs no memory. */
function toReadable(pieces: BodyStream): Readable {
  const made = Readable.from(pieces, { highWaterMark: 1 });
  pieces.abortSignal?.addEventListener('abort', () => made.destroy(), { once: true });
  return made;
}
