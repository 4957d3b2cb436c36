import { Readable } from 'node:stream';
import { fieldErrors, limits, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App, Ctx } from '../domains/ctx.ts';
import { type Form, type Handler, isBodyStream } from '../domains/handler.ts';
import { AppError, headerError, validationError } from '../kernel/errors.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import { parseQueryParameters } from '../kernel/parse-query.ts';
import { authenticateRequest, runAdmitted } from './authenticate-request.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { checkMissingBody } from './json-body/read-json-body.ts';
import type { CheckedBody } from './json-body/reader.ts';
import { jsonMediaType, unsupportedMediaType } from './media-type.ts';
import { createForm, isMultipartForm, multipartFormType } from './multipart-form.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';
import { type HttpResponse, parseEtags, sendResponse, toHttpResponse } from './response.ts';

/** Puts one row of the contract and its verb on the server. */
export function bindRoute(server: FastifyInstance, app: App, handler: Handler): void {
  const { route } = handler;
  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    bodyLimit: bodyLimitOf(route),
    config: {
      route,
      largeBody: largeBodyTypeOf(route),
      bodyTypes: acceptedMediaTypes(route),
      isPublic: route.access === 'public',
    },
    // Before the body is read: nobody's megabytes are taken in without a key.
    onRequest: (request, reply) => authenticateRequest(app, route, request, reply),
    handler: async (request, reply) => {
      const final = await runAdmitted(request, reply, {
        run: (actor) =>
          runForAccount(actor.accountId, () =>
            runVerb({ ...app, actor, requestId: request.id }, handler, request),
          ),
        // A stream without end is counted on its own.
        lasts: ({ body }) => isBodyStream(body) && !route.eventStream,
      }).finally(() => request.jsonBody?.release());
      return sendResponse(route, request, reply, final);
    },
  });
}

function acceptedMediaTypes({ requestType, form }: Route): string[] {
  if (requestType) return [requestType.type];
  return form === undefined ? [jsonMediaType] : [jsonMediaType, multipartFormType];
}

function largeBodyTypeOf({ requestType, form }: Route): string | undefined {
  if (form !== undefined) return multipartFormType;
  return requestType && requestType.bytesMax > limits.bulkBodyBytesMax
    ? requestType.type
    : undefined;
}

/** Of bodies that are read whole and are no JSON; JSON has limits of its own. */
const bodyLimitOf = ({ access }: Route): number =>
  access === 'public' ? limits.publicBodyBytesMax : limits.bodyBytesMax;

interface HandlerInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: unknown;
  readonly form: Form<unknown> | null;
  readonly ifMatch: readonly string[] | null;
  readonly lastEventId: string | null;
  readonly prefersAsync: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly bytesToCome: number | null;
}

/** Checks the request and runs its verb, with an Idempotency-Key once. */
async function runVerb(ctx: Ctx, handler: Handler, request: FastifyRequest): Promise<HttpResponse> {
  const { route } = handler;
  const run = async (inner: Ctx): Promise<unknown> =>
    handler.run(inner, (await parseRequest(inner, handler, request)) as never);
  const isKeyed = route.idempotent && request.headers['idempotency-key'] !== undefined;
  return isKeyed
    ? withIdempotencyKey(ctx, route, request, run)
    : toHttpResponse(route, await run(ctx));
}

/** Path, then query and body together, so that all faulty fields are told at once. */
async function parseRequest(
  ctx: Ctx,
  handler: Handler,
  request: FastifyRequest,
): Promise<HandlerInput> {
  const { route } = handler;
  const params = route.params?.safeParse(request.params);
  if (params?.error) throw pathError(route, faultsIn(route.params, request.params, params));
  const raw = applyConfirmHeader(route, request);
  const asked = route.query ? parseQueryParameters(route.query, raw) : raw;
  const query = route.query?.safeParse(asked);
  const isFormed = route.form !== undefined && isMultipartForm(request);
  const body = isFormed ? null : requireValidBody(route, request);
  const told = request.method === 'HEAD' ? withoutRange(request.headers) : request.headers;
  const headers = route.headers?.safeParse(told);
  const headerFaults = faultsIn(route.headers, request.headers, headers);
  const faults = {
    ...faultsIn(route.query, asked, query),
    ...(body?.status === 'faulty' ? body.faults : {}),
    ...headerFaults,
    ...(route.query ? {} : unknownFields(raw)),
  };
  if (Object.keys(faults).length > 0) {
    if (route.isStrictProtocol && Object.keys(headerFaults).length > 0) throw headerError(faults);
    const more = await handler.findFieldErrors?.(ctx, { query: asked, body: body?.sent });
    throw validationError({ ...more, ...faults });
  }
  return {
    params: params?.data,
    query: query?.data,
    body: body?.status === 'valid' ? body.data : undefined,
    headers: headers?.data,
    form:
      isFormed && route.form
        ? createForm(request, route.form, ctx.config.media.uploadBytesMax)
        : null,
    ifMatch: parseEtags(request.headers['if-match']),
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    prefersAsync: prefersAsync(request.headers.prefer),
    bytes: isFormed ? Readable.from([]) : bodyStreamOf(request),
    bytesToCome: contentLengthOf(request),
  };
}

const faultsIn = (
  schema: z.ZodType | undefined,
  input: unknown,
  parsed: z.ZodSafeParseResult<unknown> | undefined,
) => (schema && parsed?.error ? fieldErrors(schema, parsed.error.issues, input) : {});

/** RFC 9110, 14.2: ranges are of GET alone. */
const withoutRange = ({ range: _, ...headers }: FastifyRequest['headers']) => headers;

const bodyStreamOf = ({ body }: FastifyRequest): AsyncIterable<Uint8Array> =>
  body instanceof Readable ? bodyChunks(body) : Readable.from([]);

const contentLengthOf = ({ headers }: FastifyRequest): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/** Whoever stops reading has an answer to send yet: the rest of the body is let go by. */
async function* bodyChunks(body: Readable): AsyncGenerator<Uint8Array> {
  sendContinue(body);
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } finally {
    body.resume();
  }
}

/** RFC 7240: preferences stand in a list, each perhaps with parameters. */
const prefersAsync = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => each.split(';')[0]?.trim().toLowerCase() === 'respond-async');

/** A malformed id names nothing, which is 404; any other path parameter has its own fault. */
function pathError({ notFound }: Route, faults: ReturnType<typeof fieldErrors>): AppError {
  const onlyIds = Object.values(faults).every(({ code }) => code === 'invalid_format');
  return onlyIds && notFound ? new AppError(notFound) : validationError(faults);
}

/** X-Confirm: true says what confirm=true in the query says. */
function applyConfirmHeader(route: Route, request: FastifyRequest): Record<string, unknown> {
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

/** Throws 415, and 400 invalid_request for a body of the wrong shape. */
function requireValidBody(
  route: Route,
  request: FastifyRequest,
): Exclude<CheckedBody, { status: 'refused' }> | null {
  if (request.body instanceof Readable) {
    if (mediaTypeOf(request) !== route.requestType?.type) throw unsupportedMediaType(request);
    return null;
  }
  const body = request.jsonBody?.checked ?? checkMissingBody(route);
  if (body.status === 'refused') throw new AppError('invalid_request', { message: body.message });
  return body;
}
