import {
  type CliSession,
  metadata as metadataSchema,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { isForeignKeyViolation } from '../../database/index.ts';
import { AppError, fieldError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { validate } from '../../kernel/validate.ts';
import {
  type Ctx,
  requireSpaceAccess,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import {
  applyTransition,
  type CliSessionRecord,
  canSeeSession,
  presentSession,
  requireUpdatable,
  type SessionTransition,
} from './model.ts';
import {
  countSessions,
  findSession,
  insertSession,
  listSessionRows,
  lockSessions,
  type SessionVisibility,
  saveSession,
} from './store/sessions.ts';

/** Creates an active session. Throws space_not_found, space_access_denied. */
export async function createSession(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.cliSessions.create>['body'],
): Promise<CliSession> {
  await requireUsableSpace(ctx, body.space_id ?? null);
  const now = ctx.clock.now();
  const record: CliSessionRecord = {
    account_id: ctx.actor.accountId,
    id: ctx.ids.uuid(),
    created_by: ctx.actor.keyId,
    name: body.name,
    type: body.type,
    status: 'active',
    description: body.description ?? null,
    tags: [...new Set(body.tags ?? [])],
    space_id: body.space_id ?? null,
    origin_type: body.origin_type ?? null,
    retention_policy: body.retention_policy,
    retention_days: body.retention_days ?? null,
    is_private: body.is_private,
    summary: null,
    message_count: 0,
    memory_count: 0,
    next_ordinal: 1,
    metadata: body.metadata ?? {},
    created_at: now,
    updated_at: now,
    last_active_at: now,
    paused_at: null,
    completed_at: null,
    archived_at: null,
  };
  return withTransaction(ctx, async ({ tx }) => {
    await insertSession(tx, record).catch((error: unknown) => {
      // The space was removed after the check.
      if (!isForeignKeyViolation(error, 'cli_sessions_space')) throw error;
      throw new AppError('space_not_found', { details: { space_id: record.space_id } });
    });
    return presentSession(record);
  });
}

/** Throws 404 not_found if the session is missing or not visible, 403 space_access_denied. */
export function requireVisibleSession(
  ctx: Pick<Ctx, 'actor'>,
  session: CliSessionRecord | undefined,
): CliSessionRecord {
  if (!session || !canSeeSession(ctx.actor, session)) {
    throw new AppError('not_found', { message: 'The session does not exist.' });
  }
  requireSpaceAccess(ctx.actor, session.space_id);
  return session;
}

export const readVisibleSession = async (ctx: Ctx, id: string): Promise<CliSessionRecord> =>
  requireVisibleSession(ctx, await findSession(ctx.engine.db, ctx.actor.accountId, id));

export async function lockVisibleSession(ctx: TxCtx, id: string): Promise<CliSessionRecord> {
  const [session] = await lockSessions(ctx.tx, ctx.actor.accountId, [id]);
  return requireVisibleSession(ctx, session);
}

export const getSession = async (ctx: Ctx, id: string): Promise<CliSession> =>
  presentSession(await readVisibleSession(ctx, id));

const sessionVisibilityOf = ({ actor }: Ctx): SessionVisibility => ({
  spaces: visibleSpaces(actor),
  creator: actor.scopes.has('admin') ? null : actor.keyId,
});

export async function listSessions(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.cliSessions.list>['query'],
): Promise<ResponseBody<typeof routes.cliSessions.list>> {
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const filter = {
    status: query.status,
    type: query.type,
    spaceId: query.space_id,
    originType: query.origin_type,
    tagsAny: query.tags,
    search: query.search,
    includeArchived: query.include_archived,
    visible: sessionVisibilityOf(ctx),
  };
  const { rows, total } = await listSessionRows(ctx.engine.db, ctx.actor.accountId, filter, query);
  return { data: rows.map(presentSession), pagination: toPagination(query, total, rows.length) };
}

/** Most recently used first. */
export async function listActiveSessions(
  ctx: Ctx,
  { limit }: { limit: number },
): Promise<ResponseBody<typeof routes.cliSessions.active>> {
  const filter = { status: 'active', visible: sessionVisibilityOf(ctx) };
  const page = { sort: 'last_active_at', order: 'desc', limit, offset: 0 } as const;
  const { rows } = await listSessionRows(ctx.engine.db, ctx.actor.accountId, filter, page);
  return { data: rows.map(presentSession), count: rows.length };
}

export async function getSessionStats(
  ctx: Ctx,
): Promise<ResponseBody<typeof routes.cliSessions.stats>> {
  const counts = await countSessions(ctx.engine.db, ctx.actor.accountId, sessionVisibilityOf(ctx));
  const sum = (matches: (row: { status: string; type: string }) => boolean): number =>
    counts.filter(matches).reduce((all, { count }) => all + count, 0);
  const ofStatus = (status: string): number => sum((row) => row.status === status);
  const ofType = (type: string): number => sum((row) => row.type === type);
  return {
    total: sum(() => true),
    by_status: {
      active: ofStatus('active'),
      paused: ofStatus('paused'),
      completed: ofStatus('completed'),
      archived: ofStatus('archived'),
    },
    by_type: {
      conversation: ofType('conversation'),
      project: ofType('project'),
      task: ofType('task'),
      temporary: ofType('temporary'),
    },
  };
}

type Patch = ValidatedRequest<typeof routes.cliSessions.update>['body'];

/** Throws 404 not_found, 403 space_access_denied, 409 invalid_state_transition. */
export async function updateSession(ctx: Ctx, id: string, patch: Patch): Promise<CliSession> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockVisibleSession(inTx, id);
    requireUpdatable(before, Object.keys(patch));
    const after = applyPatch(before, patch, inTx.clock.now());
    await saveSession(inTx.tx, after);
    return presentSession(after);
  });
}

function applyPatch(before: CliSessionRecord, patch: Patch, now: Date): CliSessionRecord {
  const { tags, metadata, ...scalars } = patch;
  const set = Object.fromEntries(
    Object.entries(scalars).filter(([, value]) => value !== undefined),
  );
  const after: CliSessionRecord = {
    ...before,
    ...set,
    tags: tags ? [...new Set(tags)] : before.tags,
    // The merged metadata must satisfy the limits, not only the patch.
    metadata: metadata
      ? validate(metadataSchema, mergePatch(before.metadata, metadata), 'metadata')
      : before.metadata,
    updated_at: now,
  };
  if (after.retention_policy !== 'auto_delete' || after.retention_days !== null) return after;
  const message = 'is required with retention_policy auto_delete';
  throw fieldError('retention_days', { code: 'required', message });
}

/** Applies a transition of the lifecycle; `summary` only with complete. */
export async function transitionSession(
  ctx: Ctx,
  id: string,
  transition: SessionTransition,
  summary?: string,
): Promise<CliSession> {
  return withTransaction(ctx, async (inTx) => {
    const before = await lockVisibleSession(inTx, id);
    const after = applyTransition(before, transition, inTx.clock.now());
    const saved = summary === undefined ? after : { ...after, summary };
    await saveSession(inTx.tx, saved);
    return presentSession(saved);
  });
}
