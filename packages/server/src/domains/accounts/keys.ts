import {
  type Answer,
  type Checked,
  grantableScopes,
  type Plan,
  type routes,
  type Scope,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { paginationOf } from '../../kernel/page.ts';
import { hook } from '../../kernel/service.ts';
import {
  type Actor,
  type App,
  type Ctx,
  everySpace,
  maySee,
  mayUse,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { settleAdminKeyFile, stageRotatedKey } from './admin-key-file.ts';
import { recordChange } from './audit.ts';
import { forgetKeys } from './authenticate.ts';
import { hashKey, type KeyRecord, makeKey, presentKey, readKeyId } from './model.ts';
import { grants } from './scopes.ts';
import { holdAccount } from './store/accounts.ts';
import { insertKey, listKeyRows, lockKey, updateKey } from './store/keys.ts';
import { chargeHeld, type Subscriber } from './usage.ts';

type Issued = Answer<typeof routes.keys.create>;
type NewKey = Checked<typeof routes.keys.create>['body'];

/** Issues a key for the actor's own account; it can hold no right the actor lacks. */
export async function createKey(ctx: Ctx, body: NewKey): Promise<Issued> {
  requireNoMore(ctx, body);
  return withTransaction(ctx, (inTx) => issue(inTx, ctx.actor, body));
}

/** The operator's way: for any account. Throws 404 not_found. */
export async function createKeyFor(ctx: Ctx, accountId: string, body: NewKey): Promise<Issued> {
  return withTransaction(ctx, async (inTx) => {
    // Held, so that it is not deleted before the key is there to be erased with it.
    const account = await holdAccount(inTx.tx, accountId);
    if (!account) throw new AppError('not_found');
    return issue(inTx, { accountId, plan: account.plan as Plan }, body);
  });
}

/** Rights as a key holds them; all but operator and every space where nothing is said. */
interface Rights {
  readonly scopes?: readonly Scope[] | undefined;
  readonly space_ids?: readonly string[] | null | undefined;
}

/** Throws 403 space_access_denied, insufficient_permissions. */
function requireNoMore({ actor }: Ctx, rights: Rights): void {
  requireReach(actor, rights);
  const lacking = (rights.scopes ?? grantableScopes).filter((one) => !grants(actor.scopes, one));
  if (lacking.length === 0) return;
  throw new AppError('insufficient_permissions', {
    message: 'A key can give no right that it lacks.',
    details: { scopes: lacking },
  });
}

/** Throws 403 space_access_denied for a key that reaches further than the actor's own. */
function requireReach(actor: Actor, { space_ids: spaces = null }: Pick<Rights, 'space_ids'>): void {
  if (mayUse(actor, spaces)) return;
  throw new AppError('space_access_denied', {
    message:
      'A key that is limited to spaces can neither make nor change one that reaches further.',
    details: { space_ids: (spaces ?? [everySpace]).filter((space) => !maySee(actor, space)) },
  });
}

/** Spaces are a later domain: it refuses, in the transaction, ids that name none. */
export const issuingKey = hook<App, [ctx: TxCtx, accountId: string, spaceIds: readonly string[]]>();

async function issue(ctx: TxCtx, subscriber: Subscriber, body: NewKey): Promise<Issued> {
  const { accountId } = subscriber;
  await chargeHeld(ctx, subscriber, 'api_keys', 1);
  await issuingKey.run(ctx, ctx, accountId, body.space_ids ?? []);
  const key = makeKey(ctx.ids);
  const record = newKeyRecord(ctx, accountId, key, {
    name: body.name,
    scopes: body.scopes ? [...new Set(body.scopes)] : [...grantableScopes],
    space_ids: body.space_ids ? [...new Set(body.space_ids)] : null,
    expires_at: body.expires_at ?? null,
  });
  await insertKey(ctx.tx, record);
  const { name, scopes, space_ids, expires_at } = presentKey(record);
  const details = { name, scopes, space_ids, expires_at };
  await recordChange(ctx, { action: 'key.created', accountId, targetId: record.id, details });
  return { ...presentKey(record), key };
}

/** A record for a key that is about to be stored; only its hash is kept. */
export function newKeyRecord(
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
    key_id: readKeyId(key) ?? '',
    secret_hash: hashKey(key),
    previous_hash: null,
    previous_until: null,
    revoked_at: null,
    last_used_at: null,
    created_at: ctx.clock.now(),
  };
}

/** A key that is limited to spaces sees those alone that reach no further. */
export async function listKeys(
  ctx: Ctx,
  page: Checked<typeof routes.keys.list>['query'],
): Promise<Answer<typeof routes.keys.list>> {
  const { actor, engine } = ctx;
  const visible = visibleSpaces(actor);
  const { keys, total } = await listKeyRows(engine.db, actor.accountId, visible, page);
  return { data: keys.map(presentKey), pagination: paginationOf(page, total, keys.length) };
}

/**
 * Effective here at once, on every other process within 10 s. Throws 404 not_found, 403
 * space_access_denied.
 */
export async function revokeKey(ctx: Ctx, id: string): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const { accountId } = actor;
    const record = await lockKey(tx, accountId, id);
    if (!record) throw new AppError('not_found');
    requireReach(actor, record);
    if (isOperator(record)) {
      const message = 'The operator key cannot be revoked over HTTP: rotate it instead.';
      throw new AppError('insufficient_permissions', { message });
    }
    if (record.revoked_at) return;
    await chargeHeld(inTx, actor, 'api_keys', -1);
    await updateKey(tx, accountId, id, { revoked_at: clock.now() });
    const details = { name: record.name };
    await recordChange(inTx, { action: 'key.revoked', accountId, targetId: id, details });
  });
  forgetKeys(ctx);
}

/**
 * A new secret under the same visible id; the former one works for `graceSeconds` more. Who gets
 * the secret gets its rights, so it needs them all. The file of the admin key follows. Throws 404
 * not_found, 409 conflict for a revoked key or one that a setting gives, 403
 * insufficient_permissions.
 */
export async function rotateKey(ctx: Ctx, id: string, graceSeconds: number): Promise<Issued> {
  const issued = await withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, ids } = inTx;
    const { accountId } = actor;
    const record = await lockKey(tx, accountId, id);
    if (!record) throw new AppError('not_found');
    if (record.revoked_at) throw new AppError('conflict', { message: 'The key is revoked.' });
    requireNoMore(ctx, { scopes: record.scopes as Scope[], space_ids: record.space_ids });
    const key = makeKey(ids, record.key_id);
    if (isOperator(record)) await stageOperatorKey(inTx, record, key);
    const until = new Date(clock.now().getTime() + graceSeconds * 1_000);
    const fresh = await updateKey(tx, accountId, id, {
      secret_hash: hashKey(key),
      previous_hash: graceSeconds > 0 ? record.secret_hash : null,
      previous_until: graceSeconds > 0 ? until : null,
    });
    const details = { name: record.name, grace_seconds: graceSeconds };
    await recordChange(inTx, { action: 'key.rotated', accountId, targetId: id, details });
    return { ...presentKey(fresh ?? record), key };
  });
  forgetKeys(ctx);
  if (isOperator(issued)) await settleFile(ctx);
  return issued;
}

const isOperator = ({ scopes }: { readonly scopes: readonly string[] }): boolean =>
  scopes.includes('operator');

/** The next start would bring the former secret back where a setting has it. */
async function stageOperatorKey(ctx: TxCtx, record: KeyRecord, key: string): Promise<void> {
  if (ctx.config.adminKey !== null) {
    const message = 'MNEME_ADMIN_KEY sets this key: change that setting and restart the server.';
    throw new AppError('conflict', { message });
  }
  await stageRotatedKey(ctx, record, key);
}

/** The key is valid by now, and its caller is told: a file that waits for a start is no failure. */
const settleFile = (ctx: Ctx): Promise<void> =>
  settleAdminKeyFile(ctx).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'the admin-key file is updated by the next start'),
  );
