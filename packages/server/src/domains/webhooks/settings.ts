import type { FieldFault } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { isOurHeader, urlFault } from '../../providers/fetch/index.ts';
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

const fault = (message: string): FieldFault => ({ code: 'invalid_format', message });

/** Faults of headers that could never be sent, by their names. */
function headerFaults(headers: unknown): [string, FieldFault][] {
  const names = Object.keys(Object(headers) as object);
  const seen = new Set<string>();
  return names.flatMap((name): [string, FieldFault][] => {
    if (isOurHeader(name)) return [[name, fault('must not be set')]];
    if (seen.has(name.toLowerCase())) return [[name, fault('must be there once, in any case')]];
    seen.add(name.toLowerCase());
    return [];
  });
}

function faultsOf({ config }: Ctx, settings: unknown, prefix = ''): Faults {
  const { url, headers } = Object(settings) as { url?: unknown; headers?: unknown };
  // What is no URL at all is the schema's to tell.
  const isUrl = typeof url === 'string' && URL.canParse(url);
  const wrong = isUrl ? urlFault(url, config.webhooks) : null;
  const inHeaders = headerFaults(headers).map(([name, one]) => [`${prefix}headers.${name}`, one]);
  return {
    ...(wrong ? { [`${prefix}url`]: fault(wrong) } : {}),
    ...(Object.fromEntries(inHeaders) as Faults),
  };
}

/** Faults of a body with the settings of one webhook. */
export const faultsOfOne = async (ctx: Ctx, { body }: { body: unknown }): Promise<Faults> =>
  faultsOf(ctx, body);

/** Faults of a body with many webhooks. */
export async function faultsOfMany(ctx: Ctx, { body }: { body: unknown }): Promise<Faults> {
  const { webhooks } = Object(body) as { webhooks?: unknown };
  const all: readonly unknown[] = Array.isArray(webhooks) ? webhooks : [];
  return Object.assign({}, ...all.map((one, i) => faultsOf(ctx, one, `webhooks.${i}.`))) as Faults;
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
