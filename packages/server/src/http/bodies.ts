import type { Readable } from 'node:stream';
import { allRoutes, limits } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { askForBody, mediaTypeOf } from './arrival.ts';
import { formType } from './form.ts';
import { jsonBody, otherType } from './media-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came, where there is one. */
    rawBody?: Buffer;
  }
}

/** What some route takes as bytes; whether it is this one is looked at where it is bound. */
const byteTypes = [
  ...new Set([formType, ...allRoutes.flatMap(({ takes }) => (takes ? [takes.type] : []))]),
];

/** Own reading of bodies: an empty one is none, and a fault of JSON is the published one. */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', async (request) => {
    const { headers, routeOptions, raw } = request;
    const isTooLarge = Number(headers['content-length'] ?? 0) > (routeOptions.bodyLimit ?? 0);
    // Of bytes the verb asks, when it begins to read them.
    if (!isTooLarge && !byteTypes.includes(mediaTypeOf(request))) askForBody(raw);
  });
  for (const type of byteTypes) {
    server.addContentTypeParser(type, async (_request: FastifyRequest, body: Readable) => body);
  }
  server.addContentTypeParser(
    jsonBody,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (raw.length === 0) return undefined;
      const { bodyTypes } = request.routeOptions.config;
      if (bodyTypes && !bodyTypes.includes(jsonBody)) throw otherType(request);
      request.rawBody = raw;
      const body = parse(raw);
      requireShortLists(body);
      return body;
    },
  );
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

/** Throws 400 invalid_json. */
function parse(raw: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw new AppError('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError('invalid_json');
  }
}

/**
 * Where a schema does not bound a list itself, it notes a fault for each entry that is wrong: 8 MB
 * of them would take 3 GB and seconds. Throws 413 payload_too_large.
 */
function requireShortLists(body: unknown): void {
  const max = limits.listEntriesMax;
  const waiting: unknown[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (entries.length > max) {
      const message = `An array or object in the body has more than ${max} entries.`;
      throw new AppError('payload_too_large', { message });
    }
    for (const entry of entries) if (typeof entry === 'object') waiting.push(entry);
  }
}
