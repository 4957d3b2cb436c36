import type { FieldFault } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { type Ctx, inTransaction, requireSpace } from '../ctx.ts';
import { existingSpaces } from '../spaces/index.ts';
import { requireSubscriptions } from './events.ts';
import type { WebhookFilters } from './model.ts';

/** What a create or a change says that the schema alone cannot judge. */
interface Said {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly space_id?: string | null | undefined;
  readonly filters?: WebhookFilters | undefined;
}

type Faults = Record<string, FieldFault>;

function urlFault({ config }: Ctx, value: unknown): FieldFault | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, username, password } = new URL(value);
  const fault = (message: string): FieldFault => ({ code: 'invalid_format', message });
  if (protocol !== 'https:' && !(protocol === 'http:' && config.webhooks.allowHttp)) {
    return fault('must be an absolute https URL');
  }
  if (username === '' && password === '') return null;
  return fault('must have no credentials (use headers)');
}

/** Faults of a body with the settings of one webhook. */
export async function faultsOfOne(ctx: Ctx, { body }: { body: unknown }): Promise<Faults> {
  const fault = urlFault(ctx, (Object(body) as { url?: unknown }).url);
  return fault ? { url: fault } : {};
}

/** Faults of a body with many webhooks. */
export async function faultsOfMany(ctx: Ctx, { body }: { body: unknown }): Promise<Faults> {
  const { webhooks } = Object(body) as { webhooks?: unknown };
  const faults = (Array.isArray(webhooks) ? webhooks : []).map((one: unknown, i) => [
    `webhooks.${i}.url`,
    urlFault(ctx, (Object(one) as { url?: unknown }).url),
  ]);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== null)) as Faults;
}

/**
 * Throws 400 bad_request for these faults, 400 invalid_events, and 404 space_not_found and 403
 * space_access_denied for a space that is named.
 */
export async function requireSettings(
  ctx: Ctx,
  faults: Faults,
  said: readonly Said[],
): Promise<void> {
  if (Object.keys(faults).length > 0) throw validationError(faults);
  requireSubscriptions(said.flatMap(({ events }) => events ?? []));
  const named = said.flatMap(({ space_id: id, filters }) => [
    ...(id ? [id] : []),
    ...(filters?.space_ids ?? []),
  ]);
  await requireSpaces(ctx, [...new Set(named)]);
}

async function requireSpaces(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { accountId } = ctx.actor;
  const db = inTransaction(ctx) ? ctx.tx : ctx.engine.db;
  const known = await existingSpaces(db, [accountId], ids);
  const missing = ids.filter((id) => !known.has(`${accountId}:${id}`));
  if (missing.length > 0) {
    throw new AppError('space_not_found', { details: { space_ids: missing } });
  }
  for (const id of ids) requireSpace(ctx.actor, id);
}
