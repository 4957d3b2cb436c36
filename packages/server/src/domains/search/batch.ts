import {
  characterCount,
  fieldErrors,
  limits,
  type ResponseBody,
  type routes,
  type SearchBody,
  searchBody,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError, toItemError, validationError } from '../../kernel/errors.ts';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { findPipelineFieldErrors, resolveSettings, type SearchSettings } from './presets.ts';
import { executeSearch } from './search.ts';

type Batch = ValidatedRequest<typeof routes.search.batch>['body'];
type BatchResponse = ResponseBody<typeof routes.search.batch>;
type ItemResult = BatchResponse['results'][number];

/** A query that may run once it is paid for. */
interface PreparedSearch {
  readonly query: SearchBody;
  readonly settings: SearchSettings;
}

/** So many at the same time: one batch must not keep everybody else waiting. */
const concurrency = 4;

/**
 * Several searches, each on its own: what is wrong with one stands in its place. Throws 429
 * quota_exceeded where the month's searches are used up before the first.
 */
export async function searchBatch(ctx: Ctx, { queries, session }: Batch): Promise<BatchResponse> {
  const checked = await mapConcurrently(queries, (query) =>
    captureAppError(() => prepareSearch(ctx, query, session)),
  );
  const payable = checked.filter((one) => !(one instanceof AppError)).length;
  const { admitted, refusal } = await chargeQueries(ctx, payable);
  if (refusal && admitted === 0) throw refusal;
  let left = admitted;
  const admissible = checked.map((one) => {
    if (one instanceof AppError) return one;
    left -= 1;
    return left >= 0 || !refusal ? one : refusal;
  });
  const results = await mapConcurrently(admissible, async (one, i): Promise<ItemResult> => {
    const found =
      one instanceof AppError ? one : await captureAppError(() => runPrepared(ctx, one));
    if (!(found instanceof AppError)) return found;
    return { query: echoQuery(queries[i]), error: toItemError(found) };
  });
  return { results };
}

/** Throws 422, 404 space_not_found, 403 space_access_denied. */
async function prepareSearch(
  ctx: Ctx,
  sent: unknown,
  session: string | undefined,
): Promise<PreparedSearch> {
  const { data, error } = searchBody.safeParse(sent);
  if (error) {
    const more = await findPipelineFieldErrors(ctx, sent);
    throw validationError({ ...more, ...fieldErrors(searchBody, error.issues, sent) });
  }
  const settings = await resolveSettings(ctx, data);
  if (data.space_id !== undefined) await requireUsableSpace(ctx, data.space_id);
  return { settings, query: { ...data, session: data.session ?? session } };
}

const runPrepared = async (ctx: Ctx, { query, settings }: PreparedSearch): Promise<ItemResult> => ({
  query: query.q,
  ...(await executeSearch(ctx, query, settings)),
});

/** Counts as many searches as the month has left. */
async function chargeQueries(
  ctx: Ctx,
  queries: number,
): Promise<{ admitted: number; refusal: AppError | null }> {
  const refused = await captureAppError(() => chargeSearches(ctx, queries));
  if (!refused) return { admitted: queries, refusal: null };
  for (let admitted = 0; admitted < queries; admitted += 1) {
    const refusal = await captureAppError(() => chargeSearches(ctx, 1));
    if (refusal) return { admitted, refusal };
  }
  return { admitted: queries, refusal: null };
}

async function captureAppError<T>(verb: () => Promise<T>): Promise<T | AppError> {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Runs them in a few lanes; the outcomes stand in the order of the items. */
async function mapConcurrently<T, R>(
  items: readonly T[],
  verb: (item: T, i: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [i, item] of waiting) outcomes[i] = await verb(item, i);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return outcomes;
}

/** What was asked, as far as it can be said again. */
function echoQuery(sent: unknown): string | null {
  const { q } = Object(sent) as { q?: unknown };
  const isText = typeof q === 'string' && q.isWellFormed();
  return isText && characterCount(q) <= limits.searchQueryCharactersMax ? q : null;
}
