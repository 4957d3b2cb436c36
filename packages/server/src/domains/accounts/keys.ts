import {
  grantableScopes,
  type Plan,
  type ResponseBody,
  type routes,
  type Scope,
  type ValidatedRequest,
} from '@mneme/contract';
import { generateKey, parseKeyId } from '../../kernel/api-key-format.ts';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { createHook } from '../../kernel/per-app.ts';
import {
  type Actor,
  type App,
  allSpaces,
  type Ctx,
  canReadSpace,
  canUseSpaces,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { applyStagedAdminKey, stageRotatedAdminKey } from './admin-key-file.ts';
import { recordAuditEntry } from './audit.ts';
import { clearKeyCache } from './authenticate.ts';
import { hashKey, type KeyRecord, presentKey } from './model.ts';
import { hasScope } from './scopes.ts';
import { lockAccountForShare } from './store/accounts.ts';
import { insertKey, listKeyRows, lockKey, updateKey } from './store/keys.ts';
import { type AccountPlan, chargeResourceQuota } from './usage.ts';

type Issued = ResponseBody<typeof routes.keys.create>;
type NewKey = ValidatedRequest<typeof routes.keys.create>['body'];

/** Issues a key for the actor's own account. It cannot hold a right that the actor lacks. */
export async function createKey(ctx: Ctx, body: NewKey): Promise<Issued> {
  requireGrantableRights(ctx, body);
  return withTransaction(ctx, (inTx) => issue(inTx, ctx.actor, body));
}

/** Issues a key for any account, as the operator. Throws 404 not_found. */
export async function createKeyForAccount(
  ctx: Ctx,
  accountId: string,
  body: NewKey,
): Promise<Issued> {
  return withTransaction(ctx, async (inTx) => {
    // Locked, so that a deletion of the account also erases this key.
    const account = await lockAccountForShare(inTx.tx, accountId);
    if (!account) throw new AppError('not_found');
    return issue(inTx, { accountId, plan: account.plan as Plan }, body);
  });
}

/** Rights of a key; by default all scopes except operator, and every space. */
interface KeyRights {
  readonly scopes?: readonly Scope[] | undefined;
  readonly space_ids?: readonly string[] | null | undefined;
}

/** Throws 403 space_access_denied, insufficient_permissions. */
function requireGrantableRights({ actor }: Ctx, rights: KeyRights): void {
  requireKeyWithinSpaces(actor, rights);
  const missing = (rights.scopes ?? grantableScopes).filter(
    (scope) => !hasScope(actor.scopes, scope),
  );
  if (missing.length === 0) return;
  throw new AppError('insufficient_permissions', {
    message: 'A key cannot grant a scope that it lacks.',
    details: { scopes: missing },
  });
}

/** Throws 403 space_access_denied for a key with access to more spaces than the actor. */
function requireKeyWithinSpaces(
  actor: Actor,
  { space_ids: spaces = null }: Pick<KeyRights, 'space_ids'>,
): void {
  if (canUseSpaces(actor, spaces)) return;
  throw new AppError('space_access_denied', {
    message:
      'A key that is limited to spaces can only create or change keys limited to those spaces.',
    details: { space_ids: (spaces ?? [allSpaces]).filter((space) => !canReadSpace(actor, space)) },
  });
}

/** Later domains register: the spaces domain rejects unknown ids, in the transaction. */
export const beforeKeyIssue = createHook<
  App,
  [ctx: TxCtx, accountId: string, spaceIds: readonly string[]]
>();

async function issue(ctx: TxCtx, subscriber: AccountPlan, body: NewKey): Promise<Issued> {
  const { accountId } = subscriber;
  await chargeResourceQuota(ctx, subscriber, 'api_keys', 1);
  await beforeKeyIssue.run(ctx, ctx, accountId, body.space_ids ?? []);
  const key = generateKey(ctx.ids);
  const record = buildKeyRecord(ctx, accountId, key, {
    name: body.name,
    scopes: body.scopes ? [...new Set(body.scopes)] : [...grantableScopes],
    space_ids: body.space_ids ? [...new Set(body.space_ids)] : null,
    expires_at: body.expires_at ?? null,
  });
  await insertKey(ctx.tx, record);
  const { name, scopes, space_ids, expires_at } = presentKey(record);
  const details = { name, scopes, space_ids, expires_at };
  await recordAuditEntry(ctx, { action: 'key.created', accountId, targetId: record.id, details });
  return { ...presentKey(record), key };
}

/** Builds the record of a new key; only the hash of the key is stored. */
export function buildKeyRecord(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  accountId: string,
  key: string,
  fields: {
    name: string;
    scopes: readonly Scope[];
    space_ids: string[] | null;
    expires_at: Date | null;
  },
): KeyRecord {
  return {
    ...fields,
    scopes: [...fields.scopes],
    account_id: accountId,
    id: ctx.ids.uuid(),
    key_id: parseKeyId(key) ?? '',
    secret_hash: hashKey(key),
    previous_hash: null,
    previous_until: null,
    revoked_at: null,
    last_used_at: null,
    created_at: ctx.clock.now(),
  };
}

/** A key that is limited to spaces sees only keys limited to a subset of its spaces. */
export async function listKeys(
  ctx: Ctx,
  page: ValidatedRequest<typeof routes.keys.list>['query'],
): Promise<ResponseBody<typeof routes.keys.list>> {
  const { actor, engine } = ctx;
  const visible = visibleSpaces(actor);
  const { keys, total } = await listKeyRows(engine.db, actor.accountId, visible, page);
  return { data: keys.map(presentKey), pagination: toPagination(page, total, keys.length) };
}

/**
 * Takes effect here at once, in other processes within 10 s. Throws 404 not_found, 403
 * space_access_denied.
 */
export async function revokeKey(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    const record = await lockKey(tx, accountId, id);
    if (!record) throw new AppError('not_found');
    requireKeyWithinSpaces(actor, record);
    if (isOperator(record)) {
      const message = 'The operator key cannot be revoked over HTTP: rotate it instead.';
      throw new AppError('insufficient_permissions', { message });
    }
    if (record.revoked_at) return;
    await chargeResourceQuota(inTx, actor, 'api_keys', -1);
    await updateKey(tx, accountId, id, { revoked_at: clock.now() });
    const details = { name: record.name };
    await recordAuditEntry(inTx, { action: 'key.revoked', accountId, targetId: id, details });
  });
  clearKeyCache(ctx);
}

/**
 * Sets a new secret under the same visible id; the former one stays valid for `graceSeconds`.
 * The caller receives the secret and therefore needs all rights of the key. Updates the file of
 * the admin key. Throws 404 not_found, 409 conflict for a revoked key or one from a setting, 403
 * insufficient_permissions.
 */
export async function rotateKey(ctx: Ctx, id: string, graceSeconds: number): Promise<Issued> {
  const issued = await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, ids } = inTx;
    const { accountId } = actor;
    const record = await lockKey(tx, accountId, id);
    if (!record) throw new AppError('not_found');
    if (record.revoked_at) throw new AppError('conflict', { message: 'The key is revoked.' });
    requireGrantableRights(ctx, { scopes: record.scopes as Scope[], space_ids: record.space_ids });
    const key = generateKey(ids, record.key_id);
    if (isOperator(record)) await stageOperatorKey(inTx, record, key);
    const graceEndsAt = new Date(clock.now().getTime() + graceSeconds * 1_000);
    const updated = await updateKey(tx, accountId, id, {
      secret_hash: hashKey(key),
      previous_hash: graceSeconds > 0 ? record.secret_hash : null,
      previous_until: graceSeconds > 0 ? graceEndsAt : null,
    });
    const details = { name: record.name, grace_seconds: graceSeconds };
    await recordAuditEntry(inTx, { action: 'key.rotated', accountId, targetId: id, details });
    return { ...presentKey(updated ?? record), key };
  });
  clearKeyCache(ctx);
  if (isOperator(issued)) await tryApplyStagedAdminKey(ctx);
  return issued;
}

const isOperator = ({ scopes }: { readonly scopes: readonly string[] }): boolean =>
  scopes.includes('operator');

/** Rejects keys that a setting defines: the next start would restore the former secret. */
async function stageOperatorKey(ctx: TxCtx, record: KeyRecord, key: string): Promise<void> {
  if (ctx.config.adminKey !== null) {
    const message = 'MNEME_ADMIN_KEY sets this key: change that setting and restart the server.';
    throw new AppError('conflict', { message });
  }
  await stageRotatedAdminKey(ctx, record, key);
}

/** The key is valid and returned already; if the file cannot be updated, the next start does it. */
const tryApplyStagedAdminKey = (ctx: Ctx): Promise<void> =>
  applyStagedAdminKey(ctx).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'admin key file update failed; the next start updates it'),
  );
