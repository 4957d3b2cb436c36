import type { Readable } from 'node:stream';
import { allRoutes, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { readJsonBody } from './json-body/read-json-body.ts';
import { jsonMediaType, unsupportedMediaType } from './media-type.ts';
import { multipartFormType } from './multipart-form.ts';
import { onRequestEnd } from './open-requests.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Missing where the server answers without a route of the contract. */
    route?: Route;
  }
}

/** What some route takes as bytes; whether it is this one is looked at where it is bound. */
const streamedMediaTypes = [
  ...new Set([
    multipartFormType,
    ...allRoutes.flatMap(({ requestType }) => (requestType ? [requestType.type] : [])),
  ]),
];

/** Own reading of bodies: an empty one is none, and a fault of JSON is the published one. */
export function registerBodyParsers(server: FastifyInstance, app: App): void {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', async (request, reply) => {
    const { headers, routeOptions, raw } = request;
    onRequestEnd(raw, reply.raw, () => {
      // A verb that runs still has the body, and gives it back itself.
      if (request.visit?.phase !== 'running') request.jsonBody?.release();
    });
    const isTooLarge = Number(headers['content-length'] ?? 0) > (routeOptions.bodyLimit ?? 0);
    const type = mediaTypeOf(request);
    // Of bytes the verb asks, when it begins to read them, and of JSON its own reader.
    if (!isTooLarge && type !== jsonMediaType && !streamedMediaTypes.includes(type))
      sendContinue(raw);
  });
  for (const type of streamedMediaTypes) {
    server.addContentTypeParser(type, async (_request: FastifyRequest, body: Readable) => body);
  }
  server.addContentTypeParser(jsonMediaType, async (request: FastifyRequest, payload: Readable) => {
    const { route } = request.routeOptions.config;
    if (!route) throw unsupportedMediaType(request);
    const actor = request.visit?.actor;
    const reading = { app, route, plan: actor?.plan ?? 'free', accountId: actor?.accountId ?? '' };
    request.jsonBody = await readJsonBody(request, payload, reading);
    return undefined;
  });
  // A body of no bytes with another type, as some clients send with DELETE, is no body.
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length > 0) throw unsupportedMediaType(request);
      return undefined;
    },
  );
}
