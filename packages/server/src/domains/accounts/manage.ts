import type { AuditAction, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { createHook } from '../../kernel/per-app.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../ctx.ts';
import { recordAuditEntry } from './audit.ts';
import { clearKeyCache } from './authenticate.ts';
import { type Account, presentAccount } from './model.ts';
import { endSuspension } from './resume.ts';
import {
  findAccount,
  insertAccount,
  listAccounts as listRows,
  lockAccount,
  lockAccountForShare,
  removeAccountLeftovers,
  removeAccountRow,
  updateAccountRow,
} from './store/accounts.ts';

type AccountResponse = ResponseBody<typeof routes.admin.getAccount>;

export const eraseAccountKind = 'accounts.erase';

/** Later domains register functions that erase an account's rows in small steps. */
export const beforeAccountErase = createHook<App, [ctx: Ctx, job: RunningJob]>();

export function buildAccount(ctx: Pick<App, 'ids' | 'clock'>, name: string, plan: string): Account {
  const now = ctx.clock.now();
  return {
    id: ctx.ids.uuid(),
    name,
    plan,
    suspended: false,
    resumed_at: null,
    settings: {},
    contact_email: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

export async function createAccount(
  ctx: Ctx,
  body: ValidatedRequest<typeof routes.admin.createAccount>['body'],
): Promise<AccountResponse> {
  return withTransaction(ctx, async (inTx) => {
    const account = buildAccount(ctx, body.name, body.plan);
    await insertAccount(inTx.tx, account);
    await recordAuditEntry(inTx, {
      ...auditChangeOf(account.id, 'account.created'),
      details: { ...body },
    });
    return toResponse(ctx, account);
  });
}

/** Creates the account of an import, without keys, unless one has the id. */
export async function createImportedAccount(
  ctx: Ctx,
  { id, name, plan }: Pick<Account, 'id' | 'name' | 'plan'>,
): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    if (await lockAccountForShare(inTx.tx, id)) return;
    await insertAccount(inTx.tx, { ...buildAccount(ctx, name, plan), id });
    await recordAuditEntry(inTx, {
      ...auditChangeOf(id, 'account.created'),
      details: { name, plan, imported: true },
    });
  });
}

const auditChangeOf = (accountId: string, action: AuditAction) => ({
  action,
  accountId,
  targetId: accountId,
});

const toResponse = (app: App, account: Account): AccountResponse =>
  presentAccount(account, app.config.contactEmail);

export async function listAccounts(
  ctx: Ctx,
  page: ValidatedRequest<typeof routes.admin.listAccounts>['query'],
): Promise<ResponseBody<typeof routes.admin.listAccounts>> {
  const { accounts, total } = await listRows(ctx.engine.db, page);
  return {
    data: accounts.map((account) => toResponse(ctx, account)),
    pagination: toPagination(page, total, accounts.length),
  };
}

export async function getAccount(ctx: Ctx, id: string): Promise<AccountResponse> {
  const account = await findAccount(ctx.engine.db, id);
  if (!account) throw new AppError('not_found');
  return toResponse(ctx, account);
}

type Changes = ValidatedRequest<typeof routes.admin.updateAccount>['body'];

/** Throws 404 not_found; 409 conflict if the operator suspends its own account. */
export async function updateAccount(ctx: Ctx, id: string, body: Changes): Promise<AccountResponse> {
  if (body.suspended && id === ctx.actor.accountId) {
    throw new AppError('conflict', { message: 'The operator cannot suspend its own account.' });
  }
  return toResponse(ctx, await applyAccountChanges(ctx, id, body));
}

/** Changes the fields that are set and writes an audit entry. Throws 404 not_found. */
export async function applyAccountChanges(ctx: Ctx, id: string, body: Changes): Promise<Account> {
  if (id === ctx.actor.accountId && 'suspended' in body && body.suspended === true) {
    const message = 'The operator cannot suspend its own account: none of its keys would work.';
    throw new AppError('conflict', { message });
  }
  const account = await withTransaction(ctx, (inTx) => change(inTx, id, body));
  clearKeyCache(ctx);
  return account;
}

async function change(ctx: TxCtx, id: string, body: Changes): Promise<Account> {
  const { tx, clock } = ctx;
  const before = await lockAccount(tx, id);
  if (!before) throw new AppError('not_found');
  if (Object.values(body).every((value) => value === undefined)) return before;
  const { settings, ...others } = body;
  const set = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  ) as Partial<Account>;
  const now = clock.now();
  const isResumed = before.suspended && body.suspended === false;
  const account = await updateAccountRow(tx, id, {
    ...set,
    ...(settings ? { settings: mergePatch(before.settings, settings) } : {}),
    ...(isResumed ? await endSuspension(ctx, tx, { accountId: id, now }) : {}),
    updated_at: now,
  });
  await recordAuditEntry(ctx, { ...auditChangeOf(id, 'account.updated'), details: { ...body } });
  return account ?? before;
}

/** Every request that runs at the deletion, in any process, has ended by then. */
const lateWritesMs = 3_600_000;

/**
 * Keys and reads end with this call. A job erases the rows, and a second one an hour later erases
 * rows that concurrent requests still wrote.
 */
export async function deleteAccount(ctx: Ctx, id: string, confirm: boolean): Promise<void> {
  if (id === ctx.actor.accountId) {
    throw new AppError('conflict', { message: 'The operator cannot delete its own account.' });
  }
  await withTransaction(ctx, async (inTx) => {
    const account = await lockAccount(inTx.tx, id);
    if (!account) throw new AppError('not_found');
    if (!confirm) {
      const message = 'This deletes the account and all its data: repeat with confirm=true.';
      throw new AppError('confirmation_required', { message });
    }
    const details = { name: account.name, plan: account.plan };
    await recordAuditEntry(inTx, { ...auditChangeOf(id, 'account.deleted'), details });
    await markAccountDeleted(inTx, id);
  });
  clearKeyCache(ctx);
}

/** After a restore. False if the account does not exist. */
export const reapplyAccountDeletion = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    if (!(await lockAccount(inTx.tx, id))) return false;
    await markAccountDeleted(inTx, id);
    return true;
  });

/** Hides the account from reads and queues the erasure of its rows. The account must be locked. */
async function markAccountDeleted(
  { tx, clock, ids }: Pick<TxCtx, 'tx' | 'clock' | 'ids'>,
  id: string,
): Promise<void> {
  const now = clock.now();
  await updateAccountRow(tx, id, { deleted_at: now, updated_at: now });
  await recordErasures({ tx, clock, actor: { accountId: id } }, 'account', [id]);
  for (const runAt of [now, new Date(now.getTime() + lateWritesMs)]) {
    const job = { id: ids.uuid(), accountId: id, kind: eraseAccountKind, payload: {}, runAt };
    await enqueueJob(tx, { ...job, spaces: null });
  }
}

/** Job: erases the rows of the domains first, the account last; every step is repeatable. */
export async function eraseAccount(app: App, job: RunningJob): Promise<void> {
  const { accountId } = job;
  if (accountId === null) return;
  await beforeAccountErase.run(app, systemCtx(app, accountId), job);
  await app.engine.transaction(async (tx) => {
    await removeAccountLeftovers(tx, accountId);
    await removeAccountRow(tx, accountId);
  });
}
