import type { Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requireWholeAccount } from '../../ctx.ts';
import { countMail, knownRecipient, type Mailbox } from './recipient.ts';
import { keepRaw, type Raw, takeMail } from './take.ts';

/**
 * Takes a raw mail from a relay. Throws 404 not_found where none of its recipients is the
 * account's (an operator hands in for all), 413 payload_too_large, 403 space_access_denied for a
 * key limited to spaces: the commands of a mail reach every space.
 */
export async function handIn(
  ctx: Ctx,
  query: Checked<typeof routes.email.inbound>['query'],
  bytes: AsyncIterable<Uint8Array>,
): Promise<Answer<typeof routes.email.inbound>> {
  requireWholeAccount(ctx.actor);
  const sender = query.sender ?? null;
  const named = query.recipient === undefined ? null : await own(ctx, query.recipient, sender);
  const raw = await keepRaw(ctx, bytes);
  try {
    const address = named ?? (await firstOwn(ctx, raw, sender));
    const envelope = {
      sender: sender ?? raw.head.from[0] ?? '',
      ip: query.ip ?? null,
      helo: query.helo ?? null,
      isDeclared: query.verified,
    };
    const isOverLimit = await isOver(ctx, address);
    const taken = await takeMail(ctx, address, { raw, envelope, isOverLimit });
    if (!taken.isNew) await ctx.blobs.remove(raw.kept.name);
    return { history_id: taken.id, status: taken.status };
  } catch (error) {
    await ctx.blobs.remove(raw.kept.name);
    throw error;
  }
}

async function own(ctx: Ctx, recipient: string, sender: string | null): Promise<Mailbox> {
  const address = await knownRecipient(ctx, recipient, sender);
  const { accountId, scopes } = ctx.actor;
  if (address.accountId === accountId || scopes.has('operator')) return address;
  throw new AppError('not_found', { message: `Nobody takes mail at ${recipient}.` });
}

async function firstOwn(ctx: Ctx, { head }: Raw, sender: string | null): Promise<Mailbox> {
  for (const recipient of head.to.slice(0, recipientsTried)) {
    const found = await own(ctx, recipient, sender).catch(unlessUnknown);
    if (found) return found;
  }
  throw new AppError('not_found', { message: 'Nobody takes mail at its recipients.' });
}

const recipientsTried = 100;

function unlessUnknown(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

async function isOver(ctx: Ctx, address: Mailbox): Promise<boolean> {
  try {
    await countMail(ctx, address);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded') return true;
    throw error;
  }
}
