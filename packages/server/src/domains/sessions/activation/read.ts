import type {
  ActivationSession,
  ActivationSessionDetail,
  Memory,
  OwnerFilter,
  ResponseBody,
  routes,
  ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type PageRequest, toPagination } from '../../../kernel/pagination.ts';
import { type Ctx, visibleSpaces } from '../../ctx.ts';
import { isContentHash, memoryPages, presentMemories } from '../../memories/index.ts';
import { flushAndCloseIdleSessions } from './record.ts';
import {
  type AccessRecord,
  type ActivationFilter,
  type ActivationRecord,
  countVisibleAccesses,
  findActivation,
  findVisibleAccesses,
  listActivationRows,
} from './store/activations.ts';

type Pages = ResponseBody<typeof routes.sessions.list>;

export async function listActivations(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.sessions.list>['query'],
): Promise<Pages> {
  return listPage(ctx, { ...query, closed: query.is_closed });
}

/** Open sessions, most recently used first. */
export const listActiveActivations = (ctx: Ctx, page: PageRequest): Promise<Pages> =>
  listPage(ctx, { ...page, closed: false, sort: 'last_activity_at', order: 'desc' });

async function listPage(ctx: Ctx, filter: ActivationFilter): Promise<Pages> {
  await flushAndCloseIdleSessions(ctx);
  const { db } = ctx.engine;
  const { rows, total } = await listActivationRows(db, ctx.actor.accountId, filter);
  const ids = rows.map(({ id }) => id);
  const counts = await countVisibleAccesses(db, visibilityOf(ctx), ids);
  const data = rows.map((row) => toResponse(row, counts.get(row.id) ?? 0));
  return { data, pagination: toPagination(filter, total, rows.length) };
}

const visibilityOf = ({ actor }: Ctx) => ({
  accountId: actor.accountId,
  visible: visibleSpaces(actor),
});

const toResponse = (record: ActivationRecord, memoryCount: number): ActivationSession => ({
  id: record.id,
  session_key: record.session_key,
  started_at: record.started_at.toISOString(),
  last_active_at: record.last_activity_at.toISOString(),
  last_activity_at: record.last_activity_at.toISOString(),
  memory_count: memoryCount,
  is_closed: record.closed_at !== null,
  api_key_id: record.api_key_id,
});

/** A session with the accesses that the key may see, in the order of first access. */
export interface Activation {
  readonly session: ActivationSessionDetail;
  readonly accesses: readonly AccessRecord[];
}

/** With the accesses of the owner's memories only. Throws 404 not_found. */
export async function readActivationSession(
  ctx: Ctx,
  id: string,
  owner: OwnerFilter = {},
): Promise<Activation> {
  await flushAndCloseIdleSessions(ctx);
  const { accountId } = ctx.actor;
  const record = await findActivation(ctx.engine.db, accountId, id);
  if (!record) throw new AppError('not_found', { message: 'The session does not exist.' });
  const accesses = await findVisibleAccesses(ctx.engine.db, { ...visibilityOf(ctx), owner }, id);
  const memory_ids = accesses.map(({ memory_id }) => memory_id);
  return { session: { ...toResponse(record, memory_ids.length), memory_ids }, accesses };
}

export const getActivation = async (ctx: Ctx, id: string): Promise<ActivationSessionDetail> =>
  (await readActivationSession(ctx, id)).session;

/** A memory and how the session accessed it. */
export interface AccessedMemory {
  readonly access: AccessRecord;
  readonly memory: Memory;
  /** Equal for equal contents; null if duplicates are allowed for the memory. */
  readonly contentHash: string | null;
}

/** The memories in the same order, in pages; omits memories deleted in the meantime. */
export async function* readAccessedMemories(
  ctx: Ctx,
  accesses: readonly AccessRecord[],
): AsyncGenerator<AccessedMemory[]> {
  const accessById = new Map(accesses.map((access) => [access.memory_id, access]));
  for await (const page of memoryPages(ctx, [...accessById.keys()])) {
    const memories = await presentMemories(ctx, page);
    yield page.flatMap((record, i) => {
      const [access, memory] = [accessById.get(record.id), memories[i]];
      if (!access || !memory) return [];
      const { content_hash: hash, content } = record;
      const contentHash =
        hash && isContentHash(hash, content) ? Buffer.from(hash).toString('base64') : null;
      return [{ access, memory, contentHash }];
    });
  }
}

export async function listActivationMemories(
  ctx: Ctx,
  id: string,
  { user_id, agent_id, run_id, ...page }: PageRequest & OwnerFilter,
): Promise<ResponseBody<typeof routes.sessions.memories>> {
  const { accesses } = await readActivationSession(ctx, id, { user_id, agent_id, run_id });
  const data: Memory[] = [];
  const pageAccesses = accesses.slice(page.offset, page.offset + page.limit);
  for await (const batch of readAccessedMemories(ctx, pageAccesses))
    data.push(...batch.map(({ memory }) => memory));
  return { data, pagination: toPagination(page, accesses.length, data.length) };
}
