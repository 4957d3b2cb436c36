import {
  type Answer,
  type Checked,
  characterCount,
  fieldFaults,
  limits,
  type routes,
  type SearchBody,
  searchBody,
} from '@mneme/contract';
import { AppError, itemError, validationError } from '../../kernel/errors.ts';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { pipelineFaults, type SearchSettings, settingsOf } from './presets.ts';
import { searchCharged } from './search.ts';

type Batch = Checked<typeof routes.search.batch>['body'];
type BatchAnswer = Answer<typeof routes.search.batch>;
type Outcome = BatchAnswer['results'][number];

/** A query that may run once it is paid for. */
interface Ready {
  readonly query: SearchBody;
  readonly settings: SearchSettings;
}

/** So many at the same time: one batch must not keep everybody else waiting. */
const lanes = 4;

/**
 * Several searches, each on its own: what is wrong with one stands in its place. Throws 429
 * quota_exceeded where the month's searches are used up before the first.
 */
export async function searchBatch(ctx: Ctx, { queries, session }: Batch): Promise<BatchAnswer> {
  const checked = await each(queries, (query) => unlessFaulty(() => ready(ctx, query, session)));
  const payable = checked.filter((one) => !(one instanceof AppError)).length;
  const { admitted, refusal } = await charge(ctx, payable);
  if (refusal && admitted === 0) throw refusal;
  let left = admitted;
  const admissible = checked.map((one) => {
    if (one instanceof AppError) return one;
    left -= 1;
    return left >= 0 || !refusal ? one : refusal;
  });
  const results = await each(admissible, async (one, i): Promise<Outcome> => {
    const found = one instanceof AppError ? one : await unlessFaulty(() => run(ctx, one));
    if (!(found instanceof AppError)) return found;
    return { query: textOf(queries[i]), error: itemError(found) };
  });
  return { results };
}

/** Throws 422, 404 space_not_found, 403 space_access_denied. */
async function ready(ctx: Ctx, sent: unknown, session: string | undefined): Promise<Ready> {
  const { data, error } = searchBody.safeParse(sent);
  if (error) {
    const more = await pipelineFaults(ctx, sent);
    throw validationError({ ...more, ...fieldFaults(searchBody, error.issues, sent) });
  }
  const settings = await settingsOf(ctx, data);
  if (data.space_id !== undefined) await requireUsableSpace(ctx, data.space_id);
  return { settings, query: { ...data, session: data.session ?? session } };
}

const run = async (ctx: Ctx, { query, settings }: Ready): Promise<Outcome> => ({
  query: query.q,
  ...(await searchCharged(ctx, query, settings)),
});

/** Counts as many searches as the month has left. */
async function charge(
  ctx: Ctx,
  queries: number,
): Promise<{ admitted: number; refusal: AppError | null }> {
  const refused = await unlessFaulty(() => chargeSearches(ctx, queries));
  if (!refused) return { admitted: queries, refusal: null };
  for (let admitted = 0; admitted < queries; admitted += 1) {
    const refusal = await unlessFaulty(() => chargeSearches(ctx, 1));
    if (refusal) return { admitted, refusal };
  }
  return { admitted: queries, refusal: null };
}

async function unlessFaulty<T>(verb: () => Promise<T>): Promise<T | AppError> {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Runs them in a few lanes; the outcomes stand in the order of the items. */
async function each<T, R>(
  items: readonly T[],
  verb: (item: T, i: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [i, item] of waiting) outcomes[i] = await verb(item, i);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}

/** What was asked, as far as it can be said again. */
function textOf(sent: unknown): string | null {
  const { q } = Object(sent) as { q?: unknown };
  const isText = typeof q === 'string' && q.isWellFormed();
  return isText && characterCount(q) <= limits.searchQueryCharactersMax ? q : null;
}
