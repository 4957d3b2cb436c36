import type { EmailAddress, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { toPagination } from '../../../kernel/pagination.ts';
import {
  type Ctx,
  requireAccountWideAccess,
  requireSpaceAccess,
  type TxCtx,
  withTransaction,
} from '../../ctx.ts';
import { presentEmailAddress } from '../model.ts';
import {
  type AddressRecord,
  deactivateAddresses,
  findActiveAddress,
  insertAddress,
  listAddressRows,
} from './store/addresses.ts';

const dayMs = 86_400_000;
/** 16 characters of 32: 80 bits, which cannot be guessed. */
const localPartBytes = 16;
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Throws 404 not_found if the account has no address. */
export async function getAddress(ctx: Ctx): Promise<EmailAddress> {
  requireSpaceAccess(ctx.actor, null);
  const row = await findActiveAddress(ctx.engine.db, ctx.actor.accountId);
  if (!row) throw noAddressError();
  return presentEmailAddress(row);
}

/** Throws 409 conflict if an address exists and `regenerate` is false. */
export async function createAddress(
  ctx: Ctx,
  { regenerate }: ValidatedRequest<typeof routes.email.createAddress>['body'],
): Promise<EmailAddress> {
  requireAccountWideAccess(ctx.actor);
  return withTransaction(ctx, async (inTx) => {
    if (regenerate) await deactivateAddresses(inTx.tx, inTx.actor.accountId, inTx.clock.now());
    return presentEmailAddress(await insertNewAddress(inTx));
  });
}

/** Throws 404 not_found if the account has no address. */
export async function rotateAddress(
  ctx: Ctx,
  { gracePeriodDays }: ValidatedRequest<typeof routes.email.rotateAddress>['body'],
): Promise<ResponseBody<typeof routes.email.rotateAddress>> {
  requireAccountWideAccess(ctx.actor);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    const previous = await findActiveAddress(tx, actor.accountId);
    if (!previous) throw noAddressError();
    const until = new Date(clock.now().getTime() + gracePeriodDays * dayMs);
    await deactivateAddresses(tx, actor.accountId, until);
    const { id, email, createdAt } = presentEmailAddress(await insertNewAddress(inTx));
    const { email: previousEmail } = presentEmailAddress(previous);
    return { id, email, previousEmail, gracePeriodDays, createdAt };
  });
}

export async function listAddresses(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.listAddresses>['query'],
): Promise<ResponseBody<typeof routes.email.listAddresses>> {
  requireSpaceAccess(ctx.actor, null);
  const { rows, total } = await listAddressRows(ctx.engine.db, ctx.actor.accountId, query);
  const data = rows.map(presentEmailAddress);
  return { data, pagination: toPagination(query, total, data.length) };
}

/** Throws 404 not_found if the account has no address. */
export async function deactivateAddress(ctx: Ctx): Promise<void> {
  requireAccountWideAccess(ctx.actor);
  await withTransaction(ctx, async ({ tx, actor }) => {
    if (!(await findActiveAddress(tx, actor.accountId))) throw noAddressError();
    await deactivateAddresses(tx, actor.accountId, null);
  });
}

async function insertNewAddress({ tx, actor, ids, clock, config }: TxCtx): Promise<AddressRecord> {
  const letters = [...ids.bytes(localPartBytes)].map((byte) => alphabet[byte % alphabet.length]);
  const row = {
    account_id: actor.accountId,
    id: ids.uuid(),
    local_part: letters.join(''),
    domain: config.email.domain,
    is_active: true,
    accepts_until: null,
    created_at: clock.now(),
  };
  if (await insertAddress(tx, row)) return row;
  throw new AppError('conflict', {
    message:
      'The account has an address. Set regenerate to replace it, or rotate it with a grace period.',
  });
}

const noAddressError = (): AppError =>
  new AppError('not_found', {
    message: 'The account has no email address. Create one with POST /email/address.',
  });
