import {
  type BuiltInPipeline,
  builtInPipelineNames,
  builtInPipelines,
  type FieldError,
  limits,
  type ResponseBody,
  type routes,
  type SearchBody,
  type SearchPreset,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError, fieldError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { lockCountLimit } from '../accounts/index.ts';
import { type Ctx, requireAccountWideAccess, withTransaction } from '../ctx.ts';
import { Reply } from '../handler.ts';
import {
  countPresets,
  deletePreset,
  deletePresets,
  findPreset,
  findPresets,
  type PresetRecord,
  savePreset,
} from './store/presets.ts';

/** Settings from a pipeline: number of results, and the minimum score. */
export interface SearchSettings {
  readonly limit: number;
  readonly threshold: number;
}

const isBuiltIn = (name: string): name is BuiltInPipeline => Object.hasOwn(builtInPipelines, name);

/**
 * Number of results and minimum score of a search: from the request, else from its pipeline, else
 * the published defaults. Throws 422 for an unknown pipeline.
 */
export async function resolveSearchSettings(
  ctx: Ctx,
  { limit, threshold, pipeline }: Pick<SearchBody, 'limit' | 'threshold' | 'pipeline'>,
): Promise<SearchSettings> {
  const seed = pipeline === undefined ? undefined : await findSettings(ctx, pipeline);
  if (seed === null) throw fieldError('pipeline', await unknownPipelineFieldError(ctx, pipeline));
  return {
    limit: limit ?? seed?.limit ?? limits.pageDefault,
    threshold: threshold ?? seed?.threshold ?? 0,
  };
}

/** Null if there is no such pipeline. */
async function findSettings(ctx: Ctx, name: string): Promise<SearchSettings | null> {
  if (isBuiltIn(name)) return builtInPipelines[name];
  const preset = await findPreset(ctx.engine.db, ctx.actor.accountId, name);
  return preset ? { limit: preset.result_limit, threshold: preset.threshold } : null;
}

async function unknownPipelineFieldError(ctx: Ctx, received: unknown): Promise<FieldError> {
  const presets = await findPresets(ctx.engine.db, ctx.actor.accountId);
  const names = [...builtInPipelineNames, ...presets.map(({ name }) => name)];
  const message = `must be one of ${names.join(', ')}`;
  return { code: 'invalid_enum_value', message, received };
}

/** The pipeline error of a query with other errors, so that all are reported together. */
export async function findUnknownPipelineErrors(
  ctx: Ctx,
  query: unknown,
): Promise<Record<string, FieldError>> {
  const { pipeline } = Object(query) as { pipeline?: unknown };
  const isName = typeof pipeline === 'string' && pipeline.length <= limits.presetNameCharactersMax;
  if (!isName || pipeline.includes('\0') || !pipeline.isWellFormed()) return {};
  const isKnown = (await findSettings(ctx, pipeline)) !== null;
  return isKnown ? {} : { pipeline: await unknownPipelineFieldError(ctx, pipeline) };
}

const presentPreset = (record: PresetRecord): SearchPreset => ({
  name: record.name,
  limit: record.result_limit,
  threshold: record.threshold,
  is_built_in: false,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
});

const presentBuiltIn = (name: BuiltInPipeline): SearchPreset => ({
  name,
  ...builtInPipelines[name],
  is_built_in: true,
  created_at: null,
  updated_at: null,
});

/** Built-in presets first. */
export async function listPresets(
  ctx: Ctx,
  page: ValidatedRequest<typeof routes.search.listPresets>['query'],
): Promise<ResponseBody<typeof routes.search.listPresets>> {
  const presets = await findPresets(ctx.engine.db, ctx.actor.accountId);
  const all = [...builtInPipelineNames.map(presentBuiltIn), ...presets.map(presentPreset)];
  const data = all.slice(page.offset, page.offset + page.limit);
  return { data, pagination: toPagination(page, all.length, data.length) };
}

/** Throws 404 not_found. */
export async function getPreset(ctx: Ctx, name: string): Promise<SearchPreset> {
  if (isBuiltIn(name)) return presentBuiltIn(name);
  const record = await findPreset(ctx.engine.db, ctx.actor.accountId, name);
  if (!record) throw new AppError('not_found');
  return presentPreset(record);
}

/** Searches of every space may name a preset: a key limited to spaces must not change one. */
function requireCustomPreset(ctx: Ctx, name: string): void {
  requireAccountWideAccess(ctx.actor);
  if (!isBuiltIn(name)) return;
  throw new AppError('conflict', {
    message: `The pipeline ${name} is built in and cannot be replaced or removed.`,
    details: { name },
  });
}

/** 201 for a new one. Throws 409 conflict for a built-in name, 403 quota_exceeded. */
export async function putPreset(
  ctx: Ctx,
  name: string,
  { limit, threshold }: SearchSettings,
): Promise<Reply<SearchPreset>> {
  requireCustomPreset(ctx, name);
  const now = ctx.clock.now();
  const { accountId } = ctx.actor;
  return withTransaction(ctx, async ({ tx }) => {
    await lockCountLimit(tx, accountId, 'search presets');
    const { record, isNew } = await savePreset(tx, {
      account_id: accountId,
      name,
      result_limit: limit,
      threshold,
      created_at: now,
      updated_at: now,
    });
    if (isNew && (await countPresets(tx, accountId)) > limits.presetsMax) throw presetQuotaError();
    return new Reply(presentPreset(record), { status: isNew ? 201 : 200 });
  });
}

const presetQuotaError = (): AppError =>
  new AppError('quota_exceeded', {
    message: `An account can have at most ${limits.presetsMax} search presets.`,
    details: { quota: 'search_presets', limit: limits.presetsMax, used: limits.presetsMax },
  });

/** Throws 404 not_found, 409 conflict for a built-in name. */
export async function removePreset(ctx: Ctx, name: string): Promise<void> {
  requireCustomPreset(ctx, name);
  const isDeleted = await deletePreset(ctx.engine.db, ctx.actor.accountId, name);
  if (!isDeleted) throw new AppError('not_found');
}

export const eraseSearchPresets = (ctx: Ctx): Promise<void> =>
  deletePresets(ctx.engine.db, ctx.actor.accountId);
