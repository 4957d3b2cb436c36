import {
  characterCount,
  findSpaceNames,
  limits,
  type ResponseBody,
  type routes,
  type SearchBody,
  searchBody,
  toFieldErrors,
  type ValidatedRequest,
} from '@mneme/contract';
import type { z } from 'zod';
import { AppError, toBatchItemError, validationError } from '../../kernel/errors.ts';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { requireUsableSpace, resolveSpaceNames } from '../spaces/index.ts';
import {
  findUnknownPipelineErrors,
  resolveSearchSettings,
  type SearchSettings,
} from './presets.ts';
import { executeSearch } from './search.ts';

type Batch = ValidatedRequest<typeof routes.search.batch>['body'];
type BatchResponse = ResponseBody<typeof routes.search.batch>;
type ItemResult = BatchResponse['results'][number];

/** A validated query that may run once it is charged. */
interface PreparedSearch {
  readonly query: SearchBody;
  readonly settings: SearchSettings;
}

/** Concurrent searches of a batch: one batch must not block other callers. */
const concurrency = 4;

/**
 * Runs several searches independently: an invalid one has its error at its position. Throws 429
 * quota_exceeded if the month's searches are used up before the first.
 */
export async function searchBatch(ctx: Ctx, { queries, session }: Batch): Promise<BatchResponse> {
  const parsed = queries.map((query) => searchBody.safeParse(query));
  const named = parsed.flatMap(({ data }) => findSpaceNames(searchBody, data));
  await resolveSpaceNames(ctx, named);
  const checked = await mapConcurrently(parsed, (query, i) =>
    captureAppError(() => prepareSearch(ctx, { ...query, sent: queries[i] }, session)),
  );
  const validCount = checked.filter((one) => !(one instanceof AppError)).length;
  const { acceptedCount, rejection } = await chargeQueries(ctx, validCount);
  if (rejection && acceptedCount === 0) throw rejection;
  let remaining = acceptedCount;
  const accepted = checked.map((one) => {
    if (one instanceof AppError) return one;
    remaining -= 1;
    return remaining >= 0 || !rejection ? one : rejection;
  });
  const results = await mapConcurrently(accepted, async (one, i): Promise<ItemResult> => {
    const result =
      one instanceof AppError ? one : await captureAppError(() => runPrepared(ctx, one));
    if (!(result instanceof AppError)) return result;
    return { query: echoQuery(queries[i]), error: toBatchItemError(result) };
  });
  return { results };
}

/** Throws 422, 404 space_not_found, 403 space_access_denied. */
async function prepareSearch(
  ctx: Ctx,
  { data, error, sent }: z.ZodSafeParseResult<SearchBody> & { readonly sent: unknown },
  session: string | undefined,
): Promise<PreparedSearch> {
  if (error) {
    const more = await findUnknownPipelineErrors(ctx, sent);
    throw validationError({ ...more, ...toFieldErrors(searchBody, error.issues, sent) });
  }
  const settings = await resolveSearchSettings(ctx, data);
  if (data.space_id !== undefined) await requireUsableSpace(ctx, data.space_id);
  return { settings, query: { ...data, session: data.session ?? session } };
}

const runPrepared = async (ctx: Ctx, { query, settings }: PreparedSearch): Promise<ItemResult> => ({
  query: query.q,
  ...(await executeSearch(ctx, query, settings)),
});

/** Charges as many searches as the month has left. */
async function chargeQueries(
  ctx: Ctx,
  queries: number,
): Promise<{ acceptedCount: number; rejection: AppError | null }> {
  const batchRejection = await captureAppError(() => chargeSearches(ctx, queries));
  if (!batchRejection) return { acceptedCount: queries, rejection: null };
  for (let acceptedCount = 0; acceptedCount < queries; acceptedCount += 1) {
    const rejection = await captureAppError(() => chargeSearches(ctx, 1));
    if (rejection) return { acceptedCount, rejection };
  }
  return { acceptedCount: queries, rejection: null };
}

async function captureAppError<T>(verb: () => Promise<T>): Promise<T | AppError> {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Runs the items with limited concurrency; results are in the order of the items. */
async function mapConcurrently<T, R>(
  items: readonly T[],
  verb: (item: T, i: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of queue) outcomes[i] = await verb(item, i);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return outcomes;
}

/** The query text for the response, if it can be read. */
function echoQuery(sent: unknown): string | null {
  const { q } = Object(sent) as { q?: unknown };
  const isText = typeof q === 'string' && q.isWellFormed();
  return isText && characterCount(q) <= limits.searchQueryCharactersMax ? q : null;
}
