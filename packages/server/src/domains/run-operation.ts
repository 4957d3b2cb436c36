import type { Route } from '@mneme/contract';
import { type Span, type SpanAttributes, withSpan } from '../kernel/tracing.ts';
import type { Ctx } from './ctx.ts';
import { type Handler, Reply } from './handler.ts';

/** The operations of OpenTelemetry's conventions for memory, by the route that performs them. */
const memoryOperations: Readonly<Record<string, string>> = {
  'memories.create': 'create_memory',
  'memories.bulkCreate': 'create_memory',
  'memories.fromMessages': 'upsert_memory',
  'memories.update': 'update_memory',
  'memories.bulkUpdate': 'update_memory',
  'memories.bulkTags': 'update_memory',
  'memories.remove': 'delete_memory',
  'memories.bulkDelete': 'delete_memory',
  'memories.erase': 'delete_memory',
  'search.get': 'search_memory',
  'search.post': 'search_memory',
  'search.recall': 'search_memory',
  'search.batch': 'search_memory',
  'search.global': 'search_memory',
  'search.topic': 'search_memory',
  'search.similar': 'search_memory',
  'spaces.create': 'create_memory_store',
  'spaces.remove': 'delete_memory_store',
};

/** Of queries and contents in one span. */
const capturedCharactersMax = 65_536;

/**
 * Runs the verb of a route in a span: of OpenTelemetry's conventions for memory if they have the
 * operation, otherwise named after the route.
 */
export function runOperation(
  ctx: Ctx,
  { route, run }: Handler,
  request: unknown,
): Promise<unknown> {
  const operation = memoryOperations[route.id];
  const attributes =
    operation === undefined
      ? {}
      : { 'gen_ai.operation.name': operation, ...describeRequest(route, request as Request) };
  return withSpan(operation ?? route.id, { attributes }, async (span) => {
    const result = await run(ctx, request as never);
    if (span && operation !== undefined) describeResult(ctx, span, operation, request, result);
    return result;
  });
}

type Fields = Readonly<Record<string, unknown>>;

interface Request {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
}

/** The memory that the request names, or the number of memories. */
function describeRequest(route: Route, { params, body }: Request): SpanAttributes {
  const { id = params?.memoryId } = params ?? {};
  const isMemory = route.id.startsWith('memories.') && typeof id === 'string';
  if (isMemory) return { 'gen_ai.memory.record.id': id, 'gen_ai.memory.record.count': 1 };
  if (route.id === 'memories.create') return { 'gen_ai.memory.record.count': 1 };
  const listed = [body?.memories, body?.updates, body?.ids, body?.memory_ids].find(Array.isArray);
  return listed === undefined || route.id === 'memories.fromMessages'
    ? {}
    : { 'gen_ai.memory.record.count': listed.length };
}

interface MemoryRecord {
  readonly id?: unknown;
  readonly content?: unknown;
  readonly score?: unknown;
}

function describeResult(
  ctx: Ctx,
  span: Span,
  operation: string,
  request: unknown,
  returned: unknown,
): void {
  const result = (returned instanceof Reply ? returned.body : returned) as Fields | undefined;
  const found = [result?.results, result?.memories].find(Array.isArray);
  if (operation === 'search_memory' && found) {
    span.setAttributes({ 'gen_ai.memory.record.count': found.length });
  } else if (operation === 'create_memory' && typeof result?.id === 'string') {
    span.setAttributes({ 'gen_ai.memory.record.id': result.id });
  }
  if (ctx.config.telemetry?.capturesContent) {
    captureContent(span, request as Request, found ?? (result ? [result] : []));
  }
}

/** Only with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true. */
function captureContent(
  span: Span,
  { query, body }: Request,
  results: readonly MemoryRecord[],
): void {
  const text = query?.q ?? body?.q ?? query?.query ?? body?.query;
  if (typeof text === 'string') {
    span.setAttributes({ 'gen_ai.memory.query.text': text.slice(0, capturedCharactersMax) });
  }
  const records: object[] = [];
  let characters = 0;
  for (const { id, content, score } of results) {
    if (typeof content !== 'string') continue;
    characters += content.length;
    if (characters > capturedCharactersMax) break;
    records.push({ id, content, ...(score === undefined ? {} : { score }) });
  }
  if (records.length > 0) span.setAttributes({ 'gen_ai.memory.records': JSON.stringify(records) });
}
