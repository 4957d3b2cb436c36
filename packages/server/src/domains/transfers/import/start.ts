import type { ImportQuery, routes, ValidatedRequest } from '@mneme/contract';
import { advisoryLock } from '../../../database/index.ts';
import { enqueueJob, findActiveJobs } from '../../../jobs/job-queue.ts';
import { AppError } from '../../../kernel/errors.ts';
import { BlobTooLarge } from '../../../providers/blobs/index.ts';
import { createImportedAccount, getAccount } from '../../accounts/index.ts';
import { tryRemoveBlob } from '../../blobs/index.ts';
import {
  type Ctx,
  requireAccountWideAccess,
  requireEveryUser,
  type TxCtx,
  withTransaction,
} from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { type ImportPayload, type ImportRequest, initialImportState } from './import-state.ts';
import { importKind } from './run-import.ts';
import { accountLevelName, findRequested } from './space-map.ts';
import { toInvalidArchiveError, type VerifiedExport, verifyExport } from './verify-archive.ts';

type Started = Reply<{ import_id: string }>;

const toRequest = (query: Partial<ImportQuery>): ImportRequest => ({
  dry_run: query.dry_run ?? false,
  apply_deletions: query.apply_deletions ?? false,
  map_spaces: query.map_spaces ?? {},
  map_users: query.map_users ?? {},
  map_agents: query.map_agents ?? {},
  map_runs: query.map_runs ?? {},
});

/**
 * Stores and checks an archive of one account, and queues its import into the caller's account.
 * Throws 422 invalid_archive, 413, 404 space_not_found, 409 conflict while another import runs.
 */
export async function startImport(
  ctx: Ctx,
  query: ImportQuery,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Started> {
  requireAccountWideAccess(ctx.actor);
  requireEveryUser(ctx.actor);
  const { accountId } = ctx.actor;
  await requireNoActiveImport(ctx, [accountId]);
  const target = query.map_spaces?.[accountLevelName];
  if (target !== undefined) await requireTargetSpace(ctx, target);
  return storeAndQueue(ctx, toRequest(query), bytes, async ({ manifest }) => {
    const [account, ...others] = manifest.accounts;
    if (account === undefined || others.length > 0) throw severalAccountsError(others.length + 1);
    return [[account.id, accountId]];
  });
}

/** The account level of the archive has no record with which a space could be created. */
async function requireTargetSpace(ctx: Ctx, name: string): Promise<void> {
  const found = await withTransaction(ctx, (inTx) => findRequested(inTx, name));
  if (found === undefined) throw new AppError('space_not_found', { details: { space: name } });
}

const severalAccountsError = (count: number): AppError =>
  new AppError('invalid_archive', {
    message: `The archive has ${count} accounts: an operator can import it.`,
    details: { reason: 'several_accounts', entry: 'manifest.json' },
  });

/** The same for archives of any accounts, into those with their ids, or into one that is named. */
export async function startOperatorImport(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.admin.import>['query'],
  bytes: AsyncIterable<Uint8Array>,
): Promise<Started> {
  const { account_id: accountId, ...options } = query;
  if (accountId !== undefined) await getAccount(ctx, accountId);
  return storeAndQueue(ctx, toRequest(options), bytes, async ({ manifest }) => {
    const { accounts } = manifest;
    if (accountId !== undefined) {
      const [account, ...others] = accounts;
      if (account === undefined || others.length > 0) throw severalAccountsError(accounts.length);
      return [[account.id, accountId]];
    }
    await requireNoActiveImport(
      ctx,
      accounts.map(({ id }) => id),
    );
    for (const account of accounts) await requireOrCreateAccount(ctx, account, options.dry_run);
    return accounts.map(({ id }) => [id, id]);
  });
}

/** A dry run cannot count what an account would get that does not exist. */
async function requireOrCreateAccount(
  ctx: Ctx,
  account: VerifiedExport['manifest']['accounts'][number],
  isDryRun: boolean,
): Promise<void> {
  if (isDryRun) await getAccount(ctx, account.id);
  else await createImportedAccount(ctx, account);
}

type FindTargets = (verified: VerifiedExport) => Promise<ImportPayload['accounts']>;

async function storeAndQueue(
  ctx: Ctx,
  request: ImportRequest,
  bytes: AsyncIterable<Uint8Array>,
  findTargets: FindTargets,
): Promise<Started> {
  const blob = await receive(ctx, bytes);
  try {
    const verified = await verifyExport(ctx.blobs.read(blob));
    const accounts = await findTargets(verified);
    const state = initialImportState;
    const { keyId } = ctx.actor;
    return await queue(ctx, { blob, request, accounts, total: verified.total, keyId, state });
  } catch (error) {
    await tryRemoveBlob(ctx, blob);
    throw toInvalidArchiveError(error);
  }
}

async function receive(ctx: Ctx, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const bytesMax = ctx.config.media.importBytesMax;
  try {
    return (await ctx.blobs.write(bytes, { bytesMax })).name;
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error;
    throw new AppError('payload_too_large', { details: { max_bytes: bytesMax } });
  }
}

const queue = (ctx: Ctx, payload: ImportPayload): Promise<Started> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await advisoryLock(tx, 'imports');
    const targets = payload.accounts.map(([, target]) => target);
    await requireNoActiveImport(inTx, targets);
    const id = ids.uuid();
    const job = { id, accountId: actor.accountId, kind: importKind, spaces: null };
    await enqueueJob(tx, { ...job, payload: { ...payload }, runAt: clock.now() });
    return new Reply({ import_id: id }, { status: 202 });
  });

/** Throws 409 conflict with the id of the import. */
async function requireNoActiveImport(
  ctx: Ctx | TxCtx,
  accountIds: readonly string[],
): Promise<void> {
  const db = 'tx' in ctx ? ctx.tx : ctx.engine.db;
  const wanted = new Set(accountIds);
  for (const { id, payload } of await findActiveJobs(db, importKind)) {
    const { accounts } = payload as unknown as ImportPayload;
    if (!accounts.some(([, target]) => wanted.has(target))) continue;
    throw new AppError('conflict', {
      message: 'An import into this account is running: wait until it has completed.',
      details: { import_id: id },
    });
  }
}
