import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requireAccountWideAccess } from '../../ctx.ts';
import { acceptMail, type RawMail, storeRawMail } from './accept-mail.ts';
import { countInboundMail, type Mailbox, resolveMailbox } from './mailbox.ts';

/**
 * Takes a raw mail from a relay. Throws 404 not_found where none of its recipients is the
 * account's (an operator hands in for all), 413 payload_too_large, 403 space_access_denied for a
 * key limited to spaces: the commands of a mail reach every space.
 */
export async function submitInboundMail(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.email.inbound>['query'],
  bytes: AsyncIterable<Uint8Array>,
): Promise<ResponseBody<typeof routes.email.inbound>> {
  requireAccountWideAccess(ctx.actor);
  const sender = query.sender ?? null;
  const named =
    query.recipient === undefined ? null : await requireOwnMailbox(ctx, query.recipient, sender);
  const raw = await storeRawMail(ctx, bytes);
  try {
    const address = named ?? (await findOwnMailbox(ctx, raw, sender));
    const envelope = {
      sender: sender ?? raw.head.from[0] ?? '',
      ip: query.ip ?? null,
      helo: query.helo ?? null,
      isRelayAuthenticated: query.verified,
    };
    const isOverLimit = await exceedsRateLimit(ctx, address);
    const taken = await acceptMail(ctx, address, { raw, envelope, isOverLimit });
    if (!taken.isNew) await ctx.blobs.remove(raw.blob.name);
    return { history_id: taken.id, status: taken.status };
  } catch (error) {
    await ctx.blobs.remove(raw.blob.name);
    throw error;
  }
}

async function requireOwnMailbox(
  ctx: Ctx,
  recipient: string,
  sender: string | null,
): Promise<Mailbox> {
  const address = await resolveMailbox(ctx, recipient, sender);
  const { accountId, scopes } = ctx.actor;
  if (address.accountId === accountId || scopes.has('operator')) return address;
  throw new AppError('not_found', { message: `Nobody takes mail at ${recipient}.` });
}

async function findOwnMailbox(
  ctx: Ctx,
  { head }: RawMail,
  sender: string | null,
): Promise<Mailbox> {
  for (const recipient of head.to.slice(0, recipientsTriedMax)) {
    const found = await requireOwnMailbox(ctx, recipient, sender).catch(nullIfUnknown);
    if (found) return found;
  }
  throw new AppError('not_found', { message: 'Nobody takes mail at its recipients.' });
}

const recipientsTriedMax = 100;

function nullIfUnknown(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

async function exceedsRateLimit(ctx: Ctx, address: Mailbox): Promise<boolean> {
  try {
    await countInboundMail(ctx, address);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return true;
    throw error;
  }
}
