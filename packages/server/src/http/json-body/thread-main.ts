import { createHash, type Hash } from 'node:crypto';
import { allRoutes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { handleThreadRequests } from '../../kernel/worker-thread.ts';
import type {
  BodyThreadRequest,
  BodyThreadResponses,
  BodyThreadResult,
  DropBodyMessage,
} from './body-thread-protocol.ts';
import { JsonBodyReader } from './reader.ts';

interface OpenBody {
  readonly reader: JsonBodyReader;
  readonly list: string | null;
  readonly hash: Hash | null;
  items: unknown[];
}

/** The size of a batch of items, which the main thread deserializes in a millisecond. */
const batchBytes = 512 * 1024;

const bodies = new Map<number, OpenBody>();

function begin({ id, routeId, hashed }: Extract<BodyThreadRequest, { kind: 'begin' }>): null {
  const route = allRoutes.find((candidate) => candidate.id === routeId);
  if (!route) throw new Error(`no route ${routeId}`);
  bodies.set(id, {
    reader: new JsonBodyReader(route),
    list: route.bulkBody?.list ?? null,
    hash: hashed ? createHash('sha256') : null,
    items: [],
  });
  return null;
}

function requireOpenBody(id: number): OpenBody {
  const body = bodies.get(id);
  // The thread with this body has ended.
  if (!body) throw new AppError('service_unavailable');
  return body;
}

function write(id: number, chunk: Uint8Array): BodyThreadResponses['write'] {
  const body = requireOpenBody(id);
  body.hash?.update(chunk);
  body.reader.write(chunk);
  return { tokens: body.reader.tokens };
}

function finish(id: number): BodyThreadResponses['finish'] {
  const body = requireOpenBody(id);
  const digest = body.hash?.digest() ?? null;
  const checked = body.reader.finish();
  const { usesAliases } = body.reader;
  if (checked.status !== 'valid' || body.list === null) {
    return { body: withoutSent(checked), itemCount: 0, digest, usesAliases };
  }
  body.items = (checked.data as Record<string, unknown[]>)[body.list] ?? [];
  const valid = { status: 'valid', data: {} } as const;
  return { body: valid, itemCount: body.items.length, digest, usesAliases };
}

const withoutSent = <B extends BodyThreadResponses['finish']['body']>(body: B): B =>
  'sent' in body ? { ...body, sent: undefined } : body;

/** Returns the next items, at least one, and releases them in this thread. */
function items(id: number, from: number): BodyThreadResponses['items'] {
  const body = requireOpenBody(id);
  let to = from;
  let bytes = 0;
  do {
    bytes += body.reader.itemBytes[to] ?? 0;
    to += 1;
  } while (bytes < batchBytes && to < body.items.length);
  const batch = body.items.slice(from, to);
  body.items.fill(undefined, from, to);
  return { items: batch };
}

function handleBodyRequest(
  request: BodyThreadRequest,
): BodyThreadResponses[keyof BodyThreadResponses] {
  switch (request.kind) {
    case 'begin':
      return begin(request);
    case 'write':
      return write(request.id, request.chunk);
    case 'finish':
      return finish(request.id);
    case 'items':
      return items(request.id, request.from);
  }
}

handleThreadRequests<BodyThreadRequest, DropBodyMessage>(
  (request): BodyThreadResult<keyof BodyThreadResponses> => {
    try {
      return { answer: handleBodyRequest(request) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: { code: error.code, message: error.message } };
    }
  },
  ({ drop }) => void bodies.delete(drop),
);
