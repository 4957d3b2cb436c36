import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../kernel/errors.ts';
import { mediaTypeOf } from './request-timeout.ts';
import { hasBody } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types that the route accepts. */
    bodyTypes?: readonly string[];
    /** The route needs no key: a body above its limit is rejected whatever its type. */
    isPublic?: boolean;
  }
}

export const jsonMediaType = 'application/json';

/** 415 with the media types that the route accepts. */
export function unsupportedMediaTypeError({ routeOptions }: FastifyRequest): AppError {
  const { bodyTypes = [jsonMediaType] } = routeOptions.config;
  const message = `The Content-Type must be ${bodyTypes.join(' or ')}.`;
  return new AppError('unsupported_media_type', { message });
}

/**
 * Rejects a body by its headers, after authentication and before it is read: 415 for an unsupported
 * type or a compressed body, 413 for a body above the limit of a public route.
 */
export function checkMediaTypes(server: FastifyInstance): void {
  server.addHook('preParsing', async (request, _reply, payload) => {
    const { method, headers, routeOptions, raw } = request;
    // A body of GET and HEAD has no meaning and is not read (RFC 9110, 9.3.1).
    if (method === 'GET' || method === 'HEAD' || !hasBody(raw)) return payload;
    requireNoEncoding(request);
    const { bodyTypes = [jsonMediaType], isPublic = false } = routeOptions.config;
    if (!bodyTypes.includes(mediaTypeOf(request))) {
      if (headers['transfer-encoding'] === undefined) throw unsupportedMediaTypeError(request);
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

/** Compressed bytes would be parsed or stored as the content itself. Throws 415. */
function requireNoEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() === 'identity') return;
  const message = 'Unsupported Content-Encoding: send the body uncompressed.';
  throw new AppError('unsupported_media_type', { message });
}

/** Some clients send an empty chunked body, for example with DELETE. Throws 415 otherwise. */
async function* requireEmptyBody(
  raw: Readable,
  request: FastifyRequest,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    if (chunk.length > 0) throw unsupportedMediaTypeError(request);
    yield chunk;
  }
}
