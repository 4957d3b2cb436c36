import { isDeepStrictEqual } from 'node:util';
import {
  metadata,
  type ResponseBody,
  type routes,
  type Space,
  type ValidatedRequest,
} from '@mneme/contract';
import { isUniqueViolation } from '../../database/index.ts';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { createHook } from '../../kernel/per-app.ts';
import { validate } from '../../kernel/validate.ts';
import { chargeResourceQuota } from '../accounts/index.ts';
import {
  type App,
  type Ctx,
  requireSpaceAccess,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { presentSpace, type SpaceRecord } from './model.ts';
import {
  findExistingSpaces,
  findSpace,
  insertSpace,
  listSpaceRows,
  lockSpace,
  removeAllSpaces,
  removeSpaceRow,
  updateSpaceRow,
} from './store/spaces.ts';

/** Called in the transaction before a space is removed; domains with data in it throw. */
export const beforeSpaceRemove = createHook<App, [ctx: TxCtx, spaceId: string]>();

const nameTakenError = (name: string): AppError =>
  new AppError('space_already_exists', { details: { name } });

/** Throws 403 insufficient_permissions for a key limited to spaces: it could not use the space. */
export async function createSpace(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.spaces.create>['body'],
): Promise<Space> {
  if (ctx.actor.spaces !== null) {
    const message = 'A key that is limited to spaces cannot create spaces.';
    throw new AppError('insufficient_permissions', { message });
  }
  return withTransaction(ctx, async (inTx) => {
    const { tx, journal, actor, clock, ids } = inTx;
    await chargeResourceQuota(inTx, actor, 'spaces', 1);
    const now = clock.now();
    const space: SpaceRecord = {
      account_id: actor.accountId,
      id: ids.uuid(),
      name: body.name,
      description: body.description ?? null,
      metadata: body.metadata ?? {},
      memory_lifetime_days: body.memory_lifetime_days ?? null,
      created_at: now,
      updated_at: now,
    };
    if (!(await insertSpace(tx, space))) throw nameTakenError(body.name);
    const data = presentSpace(space);
    journal.addEvent({
      accountId: actor.accountId,
      type: 'space.created',
      spaceId: space.id,
      data,
    });
    return data;
  });
}

export async function listSpaces(
  ctx: Ctx,
  page: ValidatedRequest<typeof routes.spaces.list>['query'],
): Promise<ResponseBody<typeof routes.spaces.list>> {
  const { actor, engine } = ctx;
  const visible = visibleSpaces(actor);
  const { spaces, total } = await listSpaceRows(engine.db, actor.accountId, visible, page);
  return { data: spaces.map(presentSpace), pagination: toPagination(page, total, spaces.length) };
}

/** Throws 404 space_not_found, 403 space_access_denied. */
export async function getSpace(ctx: Ctx, id: string): Promise<Space> {
  const space = await findSpace(ctx.engine.db, ctx.actor.accountId, id);
  return presentSpace(requireAccessibleSpace(ctx, space));
}

function requireAccessibleSpace(ctx: Ctx, space: SpaceRecord | undefined): SpaceRecord {
  if (!space) throw new AppError('space_not_found');
  requireSpaceAccess(ctx.actor, space.id);
  return space;
}

/** Throws unless the space exists and the key may use it. Null is account level. */
export async function requireUsableSpace(ctx: Ctx, id: string | null): Promise<void> {
  if (id === null) requireSpaceAccess(ctx.actor, null);
  else await getSpace(ctx, id);
}

export async function updateSpace(
  ctx: Ctx,
  id: string,
  body: ValidatedRequest<typeof routes.spaces.update>['body'],
): Promise<Space> {
  return withTransaction(ctx, async ({ tx, journal, actor, clock }) => {
    const before = requireAccessibleSpace(ctx, await lockSpace(tx, actor.accountId, id));
    const after: SpaceRecord = {
      ...before,
      name: body.name ?? before.name,
      description: body.description === undefined ? before.description : body.description,
      // The merged metadata must satisfy the limits, not only the patch.
      metadata: body.metadata
        ? validate(metadata, mergePatch(before.metadata, body.metadata), 'metadata')
        : before.metadata,
      memory_lifetime_days:
        body.memory_lifetime_days === undefined
          ? before.memory_lifetime_days
          : body.memory_lifetime_days,
      updated_at: clock.now(),
    };
    const fields = ['name', 'description', 'metadata', 'memory_lifetime_days'] as const;
    const changes = fields.filter(
      // The database reorders the keys of metadata.
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    if (changes.length === 0) return presentSpace(before);
    await updateSpaceRow(tx, after).catch((error: unknown) => {
      throw isUniqueViolation(error, 'spaces_name') ? nameTakenError(after.name) : error;
    });
    journal.addEvent({
      accountId: actor.accountId,
      type: 'space.updated',
      spaceId: id,
      data: presentSpace(after),
      previousData: presentSpace(before),
      changes,
    });
    return presentSpace(after);
  });
}

/** Throws 404 space_not_found, 409 space_not_empty. */
export async function removeSpace(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { tx, journal, actor } = inTx;
    requireAccessibleSpace(ctx, await lockSpace(tx, actor.accountId, id));
    await beforeSpaceRemove.run(ctx, inTx, id);
    await chargeResourceQuota(inTx, actor, 'spaces', -1);
    await removeSpaceRow(tx, actor.accountId, id);
    await recordErasures(inTx, 'space', [id]);
    journal.addEvent({
      accountId: actor.accountId,
      type: 'space.deleted',
      spaceId: id,
      data: { id },
    });
  });
}

export const eraseAccountSpaces = (ctx: Ctx): Promise<void> =>
  removeAllSpaces(ctx.engine.db, ctx.actor.accountId);

/** Throws 404 space_not_found for ids that a key is to be limited to; `default` always exists. */
export async function requireExistingSpaces(
  { tx }: TxCtx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  const spaceIds = ids.filter((id) => id !== 'default');
  if (spaceIds.length === 0) return;
  const existing = await findExistingSpaces(tx, accountId, spaceIds);
  const missing = spaceIds.filter((id) => !existing.has(id));
  if (missing.length > 0) {
    throw new AppError('space_not_found', { details: { space_ids: missing } });
  }
}
