import type { Readable } from 'node:stream';
import { bulkBodyBytesByPlan, limits, type Plan, type Route } from '@mneme/contract';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import { sendContinue } from '../request-timeout.ts';
import { GrowableBuffer } from './growable-buffer.ts';
import { LargeBody } from './large-body.ts';
import { type CheckedBody, JsonBodyReader } from './reader.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parsed and validated JSON body; undefined for a request without one. */
    jsonBody?: JsonBody;
  }
}

export interface JsonBody {
  readonly checked: CheckedBody;
  /** Whether the body has fields under an alias of their canonical name. */
  readonly usesAliases: boolean;
  /** The body in a fingerprint: its bytes, or the SHA-256 of a large body. */
  readonly fingerprint: Uint8Array;
  /** Releases the memory budget of the body. */
  release(): void;
}

/** The size up to which parsing takes one or two milliseconds; a thread parses larger bodies. */
const smallBodyBytes = 64 * 1024;

/** The maximum size of the JSON body of a route on a plan. */
function jsonBytesMax(route: Route, plan: Plan): number {
  if (route.access === 'public') return limits.publicBodyBytesMax;
  if (route.bulkBody) return bulkBodyBytesByPlan[plan];
  if (!route.body) return limits.noBodyBytesMax;
  return route.bodyBytesMax ?? limits.bodyBytesMax;
}

/** The validation result for a request without a body. */
export const checkMissingBody = (route: Route): CheckedBody => new JsonBodyReader(route).finish();

interface ReadJsonBodyOptions {
  readonly app: App;
  readonly route: Route;
  readonly plan: Plan;
  readonly accountId: string;
}

/**
 * Reads a JSON body to its end. Throws 413 payload_too_large (before reading if the length is
 * declared), 400 invalid_json, and 503 while too many large bodies are being read. An error closes
 * the connection, because the rest of the body is not read.
 */
export async function readJsonBody(
  request: FastifyRequest,
  payload: Readable,
  reading: ReadJsonBodyOptions,
): Promise<JsonBody> {
  try {
    const bytesMax = jsonBytesMax(reading.route, reading.plan);
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
    sendContinue(request.raw);
    return await readWithLimit(bytesMax, request, payload, reading);
  } catch (error) {
    if (!(error instanceof AppError) || payload.readableEnded) throw error;
    const { code, message, headers, cause } = error;
    throw new AppError(code, { message, cause, headers: { ...headers, connection: 'close' } });
  }
}

const tooLarge = (bytesMax: number): AppError =>
  new AppError('payload_too_large', {
    message: `The body has more than ${bytesMax} bytes.`,
  });

async function readWithLimit(
  bytesMax: number,
  request: FastifyRequest,
  payload: Readable,
  { app, route, accountId }: ReadJsonBodyOptions,
): Promise<JsonBody> {
  const hashed = route.idempotent === true && request.headers['idempotency-key'] !== undefined;
  const small = new GrowableBuffer();
  let large: LargeBody | null = null;
  let bytes = 0;
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      if (large === null) small.append(chunk as Uint8Array);
      else await large.write(chunk as Uint8Array);
      if (large !== null || bytes <= smallBodyBytes) continue;
      large = new LargeBody(app, route, { accountId, hashed });
      await large.write(small.drain());
    }
    if (large === null) return readSmall(route, small.drain());
    return await finishLarge(route, large);
  } catch (error) {
    large?.release();
    throw error;
  }
}

function readSmall(route: Route, bytes: Uint8Array): JsonBody {
  const reader = new JsonBodyReader(route);
  reader.write(bytes);
  const checked = reader.finish();
  const { usesAliases } = reader;
  return { checked, usesAliases, fingerprint: bytes, release: () => undefined };
}

async function finishLarge(route: Route, large: LargeBody): Promise<JsonBody> {
  const { body, digest, usesAliases } = await large.finish();
  const list = route.bulkBody?.list;
  const isBulk = body.status === 'valid' && list !== undefined;
  return {
    checked: isBulk ? { status: 'valid', data: { [list]: body.data } } : body,
    usesAliases,
    fingerprint: digest ?? new Uint8Array(),
    release: () => large.release(),
  };
}
