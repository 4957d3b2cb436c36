import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { mediaTypeOf } from './request-timeout.ts';
import { hasBody } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types that the route takes. */
    bodyTypes?: readonly string[];
    /** Everybody may call it: a body above its limit is refused whatever its type. */
    isPublic?: boolean;
  }
}

export const jsonMediaType = 'application/json';

/** 415, which names what the route takes. */
export function unsupportedMediaType({ routeOptions }: FastifyRequest): AppError {
  const { bodyTypes = [jsonMediaType] } = routeOptions.config;
  const message = `The Content-Type must be ${bodyTypes.join(' or ')}.`;
  return new AppError('unsupported_media_type', { message });
}

/**
 * Refuses a body by its head, after the caller is known and before a byte is read: 415 where the
 * route does not take its type or it is compressed, 413 where a public route is sent more than it
 * takes.
 */
export function checkMediaTypes(server: FastifyInstance): void {
  server.addHook('preParsing', async (request, _reply, payload) => {
    const { method, headers, routeOptions, raw } = request;
    // With GET and HEAD a body means nothing, and is never read (RFC 9110, 9.3.1).
    if (method === 'GET' || method === 'HEAD' || !hasBody(raw)) return payload;
    requireNoEncoding(request);
    const { bodyTypes = [jsonMediaType], isPublic = false } = routeOptions.config;
    if (!bodyTypes.includes(mediaTypeOf(request))) {
      if (headers['transfer-encoding'] === undefined) throw unsupportedMediaType(request);
      return Readable.from(requireEmptyBody(raw, request));
    }
    const { bodyLimit = 0 } = routeOptions;
    if (isPublic && Number(headers['content-length'] ?? 0) > bodyLimit) {
      const message = `The body must have at most ${bodyLimit} bytes.`;
      throw new AppError('payload_too_large', { message });
    }
    return payload;
  });
}

/** Compressed bytes would be parsed, or stored, as if they were what they stand for. Throws 415. */
function requireNoEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  const message = 'Unsupported Content-Encoding: send the body uncompressed.';
  throw new AppError('unsupported_media_type', { message });
}

/** A body in chunks may have none at all, as some clients send it with DELETE. */
async function* requireEmptyBody(
  raw: Readable,
  request: FastifyRequest,
): AsyncGenerator<Uint8Array> {
  for await (const piece of raw.iterator({ destroyOnReturn: false })) {
    if (piece.length > 0) throw unsupportedMediaType(request);
    yield piece;
  }
}
