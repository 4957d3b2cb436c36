import type { Readable } from 'node:stream';
import { allRoutes, type Route } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';
import { askForBody, mediaTypeOf } from './arrival.ts';
import { formType } from './form.ts';
import { readJsonBody } from './json-body/read.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types that the route takes. */
    bodyTypes?: readonly string[];
    /** Missing where the server answers without a route of the contract. */
    route?: Route;
  }
}

export const jsonBody = 'application/json';

/** 415, which names what the route takes. */
export function otherType({ routeOptions }: FastifyRequest): AppError {
  const { bodyTypes = [jsonBody] } = routeOptions.config;
  const message = `The Content-Type must be ${bodyTypes.join(' or ')}.`;
  return new AppError('unsupported_media_type', { message });
}

/** What some route takes as bytes; whether it is this one is looked at where it is bound. */
const byteTypes = [
  ...new Set([formType, ...allRoutes.flatMap(({ takes }) => (takes ? [takes.type] : []))]),
];

/** Own reading of bodies: an empty one is none, and a fault of JSON is the published one. */
export function readBodies(server: FastifyInstance, app: App): void {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', async (request, reply) => {
    reply.raw.once('close', () => request.jsonBody?.release());
    const { headers, routeOptions, raw } = request;
    const isTooLarge = Number(headers['content-length'] ?? 0) > (routeOptions.bodyLimit ?? 0);
    const type = mediaTypeOf(request);
    // Of bytes the verb asks, when it begins to read them, and of JSON its own reader.
    if (!isTooLarge && type !== jsonBody && !byteTypes.includes(type)) askForBody(raw);
  });
  for (const type of byteTypes) {
    server.addContentTypeParser(type, async (_request: FastifyRequest, body: Readable) => body);
  }
  server.addContentTypeParser(jsonBody, async (request: FastifyRequest, payload: Readable) => {
    const { route, bodyTypes } = request.routeOptions.config;
    if (!route || (bodyTypes && !bodyTypes.includes(jsonBody))) throw otherType(request);
    const actor = request.visit?.actor;
    const reading = { app, route, plan: actor?.plan ?? 'free', accountId: actor?.accountId ?? '' };
    request.jsonBody = await readJsonBody(request, payload, reading);
    // Too late for the response's own event.
    if (request.raw.socket.destroyed) request.jsonBody.release();
    return undefined;
  });
  // A body of no bytes with another type, as some clients send with DELETE, is no body.
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length > 0) throw otherType(request);
      return undefined;
    },
  );
}
