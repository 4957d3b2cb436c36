import type { FieldError } from '@mneme/contract';
import { AppError, validationError } from '../../kernel/errors.ts';
import { findUrlError, isOurHeader } from '../../providers/fetch/index.ts';
import { type Ctx, isInTransaction, requireSpaceAccess } from '../ctx.ts';
import { findExistingSpaces } from '../spaces/index.ts';
import { requireKnownSubscriptions } from './events.ts';
import type { WebhookFilters } from './model.ts';

/** Fields of a create or a change that need checks beyond the schema. */
interface SettingsInput {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly space_id?: string | null | undefined;
  readonly filters?: WebhookFilters | undefined;
}

type FieldErrors = Record<string, FieldError>;

const fieldErrorOf = (message: string): FieldError => ({ code: 'invalid_format', message });

/** Errors of headers that can never be sent, by name. */
function headerErrors(headers: unknown): [string, FieldError][] {
  const names = Object.keys(Object(headers) as object);
  const seen = new Set<string>();
  return names.flatMap((name): [string, FieldError][] => {
    if (isOurHeader(name)) return [[name, fieldErrorOf('must not be set')]];
    if (seen.has(name.toLowerCase()))
      return [[name, fieldErrorOf('must be set only once, regardless of case')]];
    seen.add(name.toLowerCase());
    return [];
  });
}

function findFieldErrors({ config }: Ctx, settings: unknown, prefix = ''): FieldErrors {
  const { url, headers } = Object(settings) as { url?: unknown; headers?: unknown };
  // Texts that are not URLs are reported by the schema.
  const isUrl = typeof url === 'string' && URL.canParse(url);
  const urlError = isUrl ? findUrlError(url, config.webhooks) : null;
  const inHeaders = headerErrors(headers).map(([name, error]) => [
    `${prefix}headers.${name}`,
    error,
  ]);
  return {
    ...(urlError ? { [`${prefix}url`]: fieldErrorOf(urlError) } : {}),
    ...(Object.fromEntries(inHeaders) as FieldErrors),
  };
}

/** Errors of a body with the settings of one webhook. */
export const findWebhookFieldErrors = async (
  ctx: Ctx,
  { body }: { body: unknown },
): Promise<FieldErrors> => findFieldErrors(ctx, body);

/** Errors of a body with many webhooks. */
export async function findBulkWebhookFieldErrors(
  ctx: Ctx,
  { body }: { body: unknown },
): Promise<FieldErrors> {
  const { webhooks } = Object(body) as { webhooks?: unknown };
  const all: readonly unknown[] = Array.isArray(webhooks) ? webhooks : [];
  return Object.assign(
    {},
    ...all.map((webhook, i) => findFieldErrors(ctx, webhook, `webhooks.${i}.`)),
  ) as FieldErrors;
}

/**
 * Throws 400 bad_request for these errors, 400 invalid_events, and 404 space_not_found and 403
 * space_access_denied for referenced spaces.
 */
export async function requireValidWebhookSettings(
  ctx: Ctx,
  errors: FieldErrors,
  settings: readonly SettingsInput[],
): Promise<void> {
  if (Object.keys(errors).length > 0) throw validationError(errors);
  requireKnownSubscriptions(settings.flatMap(({ events }) => events ?? []));
  const spaceIds = settings.flatMap(({ space_id: id, filters }) => [
    ...(id ? [id] : []),
    ...(filters?.space_ids ?? []),
  ]);
  await requireSpaces(ctx, [...new Set(spaceIds)]);
}

async function requireSpaces(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { accountId } = ctx.actor;
  const db = isInTransaction(ctx) ? ctx.tx : ctx.engine.db;
  const existing = await findExistingSpaces(db, accountId, ids);
  const missing = ids.filter((id) => !existing.has(id));
  if (missing.length > 0) {
    throw new AppError('space_not_found', { details: { space_ids: missing } });
  }
  for (const id of ids) requireSpaceAccess(ctx.actor, id);
}
