import type { Readable } from 'node:stream';
import { allRoutes, type Route, requestTypesOf } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { readJsonBody } from './json-body/read-json-body.ts';
import { jsonMediaType, unsupportedMediaTypeError } from './media-type.ts';
import { multipartFormType } from './multipart-form.ts';
import { onRequestEnd } from './open-requests.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Undefined for responses without a route of the contract. */
    route?: Route;
  }
}

/** The media types that some route accepts as a stream; bind-route.ts checks the route. */
const streamedMediaTypes = [...new Set([multipartFormType, ...allRoutes.flatMap(requestTypesOf)])];

/** Replaces the parsers of Fastify: empty bodies are allowed, and errors have a published form. */
export function registerBodyParsers(server: FastifyInstance, app: App): void {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', async (request, reply) => {
    const { headers, routeOptions, raw } = request;
    onRequestEnd(raw, reply.raw, () => {
      // A running handler still uses the body and releases it itself.
      if (request.visit?.phase !== 'running') request.jsonBody?.release();
    });
    const isTooLarge = Number(headers['content-length'] ?? 0) > (routeOptions.bodyLimit ?? 0);
    const type = mediaTypeOf(request);
    // Streams and JSON get `100 Continue` when their reader starts.
    if (!isTooLarge && type !== jsonMediaType && !streamedMediaTypes.includes(type))
      sendContinue(raw);
  });
  for (const type of streamedMediaTypes) {
    server.addContentTypeParser(type, async (_request: FastifyRequest, body: Readable) => body);
  }
  server.addContentTypeParser(jsonMediaType, async (request: FastifyRequest, payload: Readable) => {
    const { route } = request.routeOptions.config;
    if (!route) throw unsupportedMediaTypeError(request);
    const actor = request.visit?.actor;
    const reading = { app, route, plan: actor?.plan ?? 'free', accountId: actor?.accountId ?? '' };
    request.jsonBody = await readJsonBody(request, payload, reading);
    return undefined;
  });
  // Some clients send an empty body with another type, for example with DELETE.
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length > 0) throw unsupportedMediaTypeError(request);
      return undefined;
    },
  );
}
