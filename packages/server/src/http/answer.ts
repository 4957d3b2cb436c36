import { Readable } from 'node:stream';
import type { Route } from '@mneme/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPieces, type Pieces, Reply } from '../domains/handle.ts';
import { jsonText } from './json-text.ts';

export const jsonType = 'application/json; charset=utf-8';

/** An answer as it leaves: of a verb, of an error, or one that was kept for an Idempotency-Key. */
export interface Final {
  readonly status: number;
  /** Without a content type: JSON. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Status, headers and body of what a handler returned. */
export function finalOf(route: Route, result: unknown): Final {
  const reply = result instanceof Reply ? result : new Reply(result);
  return {
    status: reply.status ?? usualStatus(route),
    headers: { ...reply.headers },
    body: reply.body,
  };
}

/** The lowest status with a body, or the one without where there is no other. */
function usualStatus(route: Route): number {
  const statuses = Object.keys(route.answers).map(Number);
  return statuses.find((status) => route.answers[status] !== null) ?? statuses[0] ?? 200;
}

/** The tags of If-Match or If-None-Match without quotes; weak ones compare like strong ones. */
export function etags(header: string | string[] | undefined): string[] | null {
  if (header === undefined) return null;
  return String(header)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}

/** What has an ETag may be kept by the caller's own cache, and asked for again with it. */
const revalidated = { 'cache-control': 'private, no-cache' };

/** Throws what the first of the pieces throws: the answer is that error then. */
export async function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Final,
): Promise<FastifyReply> {
  if (route.method === 'GET' && headers.etag && isKnown(headers.etag, request)) {
    return reply
      .headers({ ...headers, ...revalidated })
      .code(304)
      .send();
  }
  // Nobody reads them of a HEAD: none is made.
  const isRead = isPieces(body) && request.method !== 'HEAD';
  const pieces = isRead ? readable(route.streams ? body : await begun(body)) : null;
  reply.code(status).headers(headers);
  if (route.method === 'GET' && headers.etag) reply.headers(revalidated);
  if (body === undefined) return reply.send();
  const type = headers['content-type'] ?? jsonType;
  reply.type(type);
  if (isPieces(body) && !isRead) void body[Symbol.asyncIterator]().return?.();
  if (isPieces(body)) return pieces ? reply.send(pieces) : reply.send();
  const isText = typeof body === 'string' && !type.startsWith('application/json');
  return reply.send(isText ? body : jsonText(body));
}

/** Whether the caller's cache has it already. */
function isKnown(etag: string, { headers }: FastifyRequest): boolean {
  const known = etags(headers['if-none-match']) ?? [];
  return known.includes('*') || known.includes(etag.replaceAll('"', ''));
}

/** With the first piece made: whether there is one at all is known before the answer leaves. */
async function begun(pieces: Pieces): Promise<Pieces> {
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
  const { broken } = pieces;
  return { [Symbol.asyncIterator]: () => iterator, ...(broken && { broken }) };
}

/** One piece is made ahead, so that a slow reader costs no memory. */
function readable(pieces: Pieces): Readable {
  const made = Readable.from(pieces, { highWaterMark: 1 });
  pieces.broken?.addEventListener('abort', () => made.destroy(), { once: true });
  return made;
}
