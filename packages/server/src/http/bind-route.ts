import { Readable } from 'node:stream';
import { findSpaceNames, limits, type Route, requestTypesOf, toFieldErrors } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App, Ctx } from '../domains/ctx.ts';
import {
  type Handler,
  isBodyStream,
  type MultipartForm,
  type RequestMeta,
} from '../domains/handler.ts';
import { runOperation } from '../domains/run-operation.ts';
import { resolveSpaceNames } from '../domains/spaces/index.ts';
import { AppError, headerError, validationError } from '../kernel/errors.ts';
import { runForAccount } from '../kernel/fair-semaphore.ts';
import { parseQueryParameters } from '../kernel/parse-query.ts';
import { acceptsType } from './accept.ts';
import { authenticateRequest, runAdmittedRequest } from './authenticate-request.ts';
import { announceDeprecation } from './deprecation.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { checkMissingBody } from './json-body/read-json-body.ts';
import type { CheckedBody } from './json-body/reader.ts';
import { jsonMediaType, unsupportedMediaTypeError } from './media-type.ts';
import { createMultipartForm, isMultipartForm, multipartFormType } from './multipart-form.ts';
import { onRequestEnd } from './open-requests.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';
import { type HttpResponse, parseEtags, sendResponse, toHttpResponse } from './response.ts';

/** The handlers of a route. */
export interface BoundHandlers {
  readonly handler: Handler;
  /** For requests with a multipart form, if the route accepts it. */
  readonly formHandler: Handler | undefined;
}

/** Registers a route of the contract and its handlers on the server. */
export function bindRoute(
  server: FastifyInstance,
  app: App,
  { handler, formHandler }: BoundHandlers,
): void {
  const { route } = handler;
  if ((route.form === undefined) !== (formHandler === undefined)) {
    throw new Error(`${route.method} ${route.path}: a form needs a handler, and a handler a form`);
  }
  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    bodyLimit: bodyLimitOf(route),
    config: {
      route,
      largeBodies: largeBodyTypesOf(route),
      bodyTypes: acceptedMediaTypes(route),
      isPublic: route.access === 'public',
    },
    // Authenticates before the body is read, so that nobody can upload without a key.
    onRequest: (request, reply) => authenticateRequest(app, route, request, reply),
    handler: async (request, reply) => {
      announceDeprecation(route, request, reply);
      const response = await runAdmittedRequest(request, reply, {
        run: (actor) =>
          runForAccount(actor.accountId, () =>
            runHandler(
              {
                ...app,
                actor,
                requestId: request.id,
                requestEnd: () => requestEndOf(request, reply),
              },
              formHandler && isMultipartForm(request) ? formHandler : handler,
              request,
            ),
          ),
        // Endless event streams have a limit of their own.
        isStreamed: ({ body }) => isBodyStream(body) && !route.eventStream,
      }).finally(() => request.jsonBody?.release());
      return sendResponse(route, request, reply, response);
    },
  });
}

/** Made on request: few verbs wait for others. */
function requestEndOf({ raw }: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onRequestEnd(raw, reply.raw, () => controller.abort());
  return controller.signal;
}

function acceptedMediaTypes(route: Route): readonly string[] {
  const { requestType, form } = route;
  if (requestType) return requestTypesOf(route);
  return form === undefined ? [jsonMediaType] : [jsonMediaType, multipartFormType];
}

function largeBodyTypesOf(route: Route): readonly string[] {
  const { requestType, form } = route;
  if (form !== undefined) return [multipartFormType];
  const isLarge = requestType !== undefined && requestType.bytesMax > limits.bulkBodyBytesMax;
  return isLarge ? requestTypesOf(route) : [];
}

/** The limit for buffered bodies other than JSON, which has limits of its own. */
const bodyLimitOf = ({ access }: Route): number =>
  access === 'public' ? limits.publicBodyBytesMax : limits.bodyBytesMax;

interface HandlerInput extends RequestMeta {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: unknown;
  readonly form: MultipartForm<unknown> | undefined;
}

/** Validates the request and runs its handler, once per Idempotency-Key. */
async function runHandler(
  ctx: Ctx,
  handler: Handler,
  request: FastifyRequest,
): Promise<HttpResponse> {
  const { route } = handler;
  const isKeyed = route.idempotent && request.headers['idempotency-key'] !== undefined;
  if (isKeyed) {
    return withIdempotencyKey(ctx, route, request, async (inner) =>
      runOperation(inner, handler, await parseRequest(inner, handler, request)),
    );
  }
  const input = await parseRequest(ctx, handler, request);
  const result = await runOperation(ctx, handler, input);
  return toHttpResponse(route, result, input.query ?? input.body);
}

/** Validates the path, then query, headers and body together, to report all invalid fields. */
async function parseRequest(
  ctx: Ctx,
  handler: Handler,
  request: FastifyRequest,
): Promise<HandlerInput> {
  const { route } = handler;
  const params = route.params?.safeParse(request.params);
  if (params?.error) throw pathError(route, fieldErrorsIn(route.params, request.params, params));
  const queryTexts = applyConfirmHeader(route, request);
  const rawQuery = route.query ? parseQueryParameters(route.query, queryTexts) : queryTexts;
  const query = route.query?.safeParse(rawQuery);
  const body = handler.handlesForm ? null : requireValidBody(route, request);
  const rawHeaders = request.method === 'HEAD' ? withoutRange(request.headers) : request.headers;
  const headers = route.headers?.safeParse(rawHeaders);
  const headerErrors = fieldErrorsIn(route.headers, request.headers, headers);
  const errors = {
    ...fieldErrorsIn(route.query, rawQuery, query),
    ...(body?.status === 'faulty' ? body.faults : {}),
    ...headerErrors,
    ...(route.query ? {} : unknownFields(queryTexts)),
  };
  if (Object.keys(errors).length > 0) {
    if (route.isStrictProtocol && Object.keys(headerErrors).length > 0) throw headerError(errors);
    const more = await handler.findFieldErrors?.(ctx, { query: rawQuery, body: body?.sent });
    throw validationError({ ...more, ...errors });
  }
  const bodyData = body?.status === 'valid' ? body.data : undefined;
  await resolveSpaceNames(ctx, [
    ...findSpaceNames(route.query, query?.data),
    ...findSpaceNames(route.body, bodyData),
  ]);
  return {
    params: params?.data,
    query: query?.data,
    body: bodyData,
    headers: headers?.data,
    form: handler.handlesForm && route.form ? openForm(ctx, route.form, request) : undefined,
    ifMatch: parseEtags(request.headers['if-match']),
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    prefersAsync: prefersAsync(request.headers.prefer),
    acceptsBinary:
      route.binaryFormat !== undefined && acceptsType(request.headers.accept, route.binaryFormat),
    bodyStream: handler.handlesForm ? Readable.from([]) : bodyStreamOf(request),
    contentLength: contentLengthOf(request),
  };
}

/** A form whose fields have ids of spaces instead of names, like query and body. */
function openForm(ctx: Ctx, schema: z.ZodType, request: FastifyRequest): MultipartForm<unknown> {
  const form = createMultipartForm(request, schema, ctx.config.media.uploadBytesMax);
  return {
    async read(onFile) {
      const result = await form.read(onFile);
      await resolveSpaceNames(ctx, findSpaceNames(schema, result.fields));
      return result;
    },
  };
}

const fieldErrorsIn = (
  schema: z.ZodType | undefined,
  input: unknown,
  parsed: z.ZodSafeParseResult<unknown> | undefined,
) => (schema && parsed?.error ? toFieldErrors(schema, parsed.error.issues, input) : {});

/** RFC 9110, 14.2: Range is defined only for GET. */
const withoutRange = ({ range: _, ...headers }: FastifyRequest['headers']) => headers;

const bodyStreamOf = ({ body }: FastifyRequest): AsyncIterable<Uint8Array> =>
  body instanceof Readable ? bodyChunks(body) : Readable.from([]);

const contentLengthOf = ({ headers }: FastifyRequest): number | null =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/** Discards the rest of the body when the reader stops, so that the response can still be sent. */
async function* bodyChunks(body: Readable): AsyncGenerator<Uint8Array> {
  sendContinue(body);
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } finally {
    body.resume();
  }
}

/** RFC 7240: a list of preferences, each with optional parameters. */
const prefersAsync = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');

/** A malformed id cannot exist, which is 404; other path parameters have field errors. */
function pathError({ notFound }: Route, errors: ReturnType<typeof toFieldErrors>): AppError {
  const onlyIds = Object.values(errors).every(({ code }) => code === 'invalid_format');
  return onlyIds && notFound ? new AppError(notFound) : validationError(errors);
}

/** `X-Confirm: true` is equivalent to `confirm=true` in the query. */
function applyConfirmHeader(route: Route, request: FastifyRequest): Record<string, unknown> {
  const raw = request.query as Record<string, unknown>;
  const acceptsConfirm =
    route.query !== undefined && 'shape' in route.query && 'confirm' in Object(route.query.shape);
  const confirmed = request.headers['x-confirm'] === 'true';
  const isUnset = raw.confirm === undefined || raw.confirm === 'false';
  return acceptsConfirm && confirmed && isUnset ? { ...raw, confirm: 'true' } : raw;
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
    if (!requestTypesOf(route).includes(mediaTypeOf(request)))
      throw unsupportedMediaTypeError(request);
    return null;
  }
  const body = request.jsonBody?.checked ?? checkMissingBody(route);
  if (body.status === 'refused') throw new AppError('invalid_request', { message: body.message });
  return body;
}
