import type { FieldFault } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { isOurHeader } from '../../providers/fetch/index.ts';
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
/** Parsers of URLs disagree about these. */
const doubtful = /[\s\\]|\p{Cc}/u;

function urlFault({ config }: Ctx, value: unknown): FieldFault | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, port } = new URL(value);
  const isKnown = protocol === 'https:' || (protocol === 'http:' && config.webhooks.allowHttp);
  const authority = /^\w+:\/\/([^/?#]+)/.exec(value)?.[1];
  if (!isKnown || doubtful.test(value) || authority === undefined) {
    return fault('must be an absolute https URL');
  }
  if (port === '0') return fault('must have a port from 1 to 65535');
  return authority.includes('@') ? fault('must have no credentials (use headers)') : null;
}

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

function faultsOf(ctx: Ctx, settings: unknown, prefix = ''): Faults {
  const { url, headers } = Object(settings) as { url?: unknown; headers?: unknown };
  const wrong = urlFault(ctx, url);
  const inHeaders = headerFaults(headers).map(([name, one]) => [`${prefix}headers.${name}`, one]);
  return {
    ...(wrong ? { [`${prefix}url`]: wrong } : {}),
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
