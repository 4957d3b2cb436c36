import { Readable } from 'node:stream';
import { limits, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App, Ctx } from '../domains/ctx.ts';
import { type Handler, isPieces, type Pieces } from '../domains/handle.ts';
import { AppError, validationError } from '../kernel/errors.ts';
import { fieldFaults } from '../kernel/validate.ts';
import { enter, inside } from './door.ts';
import { asAppError, formOf, renderError } from './errors.ts';
import { type Final, finalOf, once } from './idempotency.ts';
import { readQuery } from './query.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came, where there is one. */
    rawBody?: Buffer;
  }
}

/** Puts one row of the contract and its verb on the server. */
export function bindRoute(server: FastifyInstance, app: App, handler: Handler): void {
  const { route } = handler;
  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    bodyLimit: route.bulkBody ? limits.bulkBodyBytesMax : limits.bodyBytesMax,
    // Before the body is read: nobody's megabytes are taken in without a key.
    onRequest: (request, reply) => enter(app, route, request, reply),
    handler: async (request, reply) => {
      const final = await inside(request, reply, {
        run: (actor) => answer({ ...app, actor, requestId: request.id }, handler, request),
        // A stream without end is counted on its own.
        lasts: ({ body }) => isPieces(body) && !route.streams,
      });
      return send(route, request, reply, final);
    },
  });
}

interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifMatch: readonly string[] | null;
  readonly lastEventId: string | null;
}

async function answer(ctx: Ctx, handler: Handler, request: FastifyRequest): Promise<Final> {
  const { route } = handler;
  const run = async (inner: Ctx): Promise<unknown> =>
    handler.run(inner, (await check(inner, handler, request)) as never);
  const key = request.headers['idempotency-key'];
  if (!route.idempotent || key === undefined) return finalOf(route, await run(ctx));
  const keyed = {
    route,
    key: String(key),
    url: request.url,
    rawBody: request.rawBody ?? new Uint8Array(),
    credentials: request.headers.authorization ?? '',
  };
  return once(ctx, keyed, run, (thrown) => {
    const error = asAppError(thrown);
    const rendered = renderError(
      error,
      formOf(request.headers, route.errorForm, error),
      request.id,
    );
    const { status, body, contentType } = rendered;
    return { status, body, headers: { ...rendered.headers, 'content-type': contentType } };
  });
}

/** Path, then query and body together, so that all faulty fields are told at once. */
async function check(ctx: Ctx, handler: Handler, request: FastifyRequest): Promise<Input> {
  const { route } = handler;
  const params = route.params?.safeParse(request.params);
  if (params && !params.success) throw pathFault(route, params.error.issues, request.params);
  const raw = confirmedBy(route, request);
  const asked = route.query ? readQuery(route.query, raw) : raw;
  const query = route.query?.safeParse(asked);
  const sent = bodyOf(route, request);
  const body = route.body?.safeParse(sent);
  const faults = {
    ...(query && !query.success ? fieldFaults(query.error.issues, asked) : {}),
    ...(body && !body.success ? fieldFaults(body.error.issues, sent) : {}),
    ...(route.query ? {} : unknownFields(raw)),
  };
  if (Object.keys(faults).length > 0) {
    const more = await handler.findFaults?.(ctx, { query: asked, body: sent });
    throw validationError({ ...more, ...faults });
  }
  return {
    params: params?.data,
    query: query?.data,
    body: body?.data,
    ifMatch: etags(request.headers['if-match']),
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
  };
}

/** A malformed id names nothing, which is 404; any other path parameter has its own fault. */
function pathFault(
  route: Route,
  issues: Parameters<typeof fieldFaults>[0],
  params: unknown,
): AppError {
  const faults = fieldFaults(issues, params);
  const onlyIds = Object.values(faults).every(({ code }) => code === 'invalid_format');
  return onlyIds && route.notFound ? new AppError(route.notFound) : validationError(faults);
}

/** X-Confirm: true says what confirm=true in the query says. */
function confirmedBy(route: Route, request: FastifyRequest): Record<string, unknown> {
  const raw = request.query as Record<string, unknown>;
  const takesConfirm =
    route.query !== undefined && 'shape' in route.query && 'confirm' in Object(route.query.shape);
  const confirmed = request.headers['x-confirm'] === 'true';
  const refused = raw.confirm === undefined || raw.confirm === 'false';
  return takesConfirm && confirmed && refused ? { ...raw, confirm: 'true' } : raw;
}

const unknownFields = (raw: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(raw).map((name) => [
      name,
      { code: 'unknown_field', message: 'is not a known field' } as const,
    ]),
  );

/** A body must be an object; whether one is needed at all is the route's to say. */
function bodyOf(route: Route, request: FastifyRequest): unknown {
  const { body } = request;
  if (!route.body) {
    const empty =
      body === undefined || body === null || Object.keys(Object(body) as object).length === 0;
    if (!empty) throw new AppError('invalid_request', { message: 'This route takes no body.' });
    return undefined;
  }
  if (body === undefined && route.bodyOptional) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid_request', { message: 'The body must be a JSON object.' });
  }
  return body;
}

/** One piece is made ahead, so that a slow reader costs no memory. */
function readable(pieces: Pieces): Readable {
  const made = Readable.from(pieces, { highWaterMark: 1 });
  pieces.broken?.addEventListener('abort', () => made.destroy(), { once: true });
  return made;
}

/** The tags of If-Match or If-None-Match without quotes; weak ones compare like strong ones. */
function etags(header: string | string[] | undefined): string[] | null {
  if (header === undefined) return null;
  return String(header)
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}

/** What has an ETag may be kept by the caller's own cache, and asked for again with it. */
const revalidated = { 'cache-control': 'private, no-cache' };

function send(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  final: Final,
): FastifyReply {
  const { etag } = final.headers;
  const known = etags(request.headers['if-none-match']);
  if (route.method === 'GET' && etag && known) {
    if (known.includes('*') || known.includes(etag.replaceAll('"', ''))) {
      return reply
        .code(304)
        .headers({ ...final.headers, ...revalidated })
        .send();
    }
  }
  if (route.method === 'GET' && etag) reply.headers(revalidated);
  reply.code(final.status).headers(final.headers);
  if (final.body === undefined) return reply.send();
  const type = final.headers['content-type'] ?? 'application/json; charset=utf-8';
  if (isPieces(final.body)) {
    reply.type(type);
    // Nobody reads them of a HEAD: none is made.
    if (request.method !== 'HEAD') return reply.send(readable(final.body));
    void final.body[Symbol.asyncIterator]().return?.();
    return reply.send();
  }
  const isText = typeof final.body === 'string' && !type.startsWith('application/json');
  return reply.type(type).send(isText ? final.body : JSON.stringify(final.body));
}
