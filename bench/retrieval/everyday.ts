/**
 * Short memories of people and teams, asked for in other words, and how far a score can be
 * trusted; by the protocol of the data set.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mean } from './metrics.ts';
import { type BenchmarkReport, formatPercent, renderTable, type Threshold } from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';

export const everydayFile = 'everyday-dev.json';

const limit = 20;
/** From this score on, a result claims to answer. */
const trusted = 0.5;
/** Right answers up to this place must be trusted. */
const placesTrusted = 3;
const contextTokens = 300;

interface Question {
  readonly q: string;
  /** Keys of memories that answer; none for an unanswerable question. */
  readonly answers: readonly string[];
  /** Keys of outdated memories, which must come after the answers. */
  readonly stale: readonly string[];
  readonly kind: string;
}

/** Questions that the memories of an account do not answer, though they tempt. */
const unanswerableFile = new URL('unanswerable.json', import.meta.url);

interface Account {
  readonly id: string;
  readonly memories: readonly { key: string; content: string; occurred_at: string }[];
  readonly questions: readonly Question[];
}

interface Outcome {
  readonly question: Question;
  /** From 1; infinite where no answer was found. */
  readonly rank: number;
  readonly staleRank: number;
  readonly answerScore: number;
  readonly bestWrongScore: number;
  /** Share of the answers in the context for a prompt; null: not measured, or no answer. */
  readonly recalled: number | null;
}

/** Null when the data set is not there. */
export async function measureEveryday(
  service: RetrievalTarget,
  dataDir: string,
): Promise<BenchmarkReport | null> {
  const file = path.join(dataDir, everydayFile);
  if (!existsSync(file)) return null;
  const { accounts } = JSON.parse(readFileSync(file, 'utf8')) as { accounts: Account[] };
  const outcomes: Outcome[] = [];
  const more: Outcome[] = [];
  for (const account of accounts) {
    const stored = await storeMemories(service, account);
    outcomes.push(...(await runQuestions(service, stored, account.questions)));
    more.push(...(await runQuestions(service, stored, unanswerableOf(account.id))));
  }
  const answerable = outcomes.filter(({ question }) => question.answers.length > 0);
  const unanswerable = outcomes.filter(({ question }) => question.answers.length === 0);
  const kinds = [...new Set(answerable.map(({ question }) => question.kind))];
  const rows = [
    { name: 'all', ...ranksOf(answerable) },
    ...kinds.map((kind) => {
      const own = answerable.filter(({ question }) => question.kind === kind);
      return { name: kind, ...ranksOf(own) };
    }),
  ];
  const withStale = answerable.filter(({ question }) => question.stale.length > 0);
  const inTop = answerable.filter(({ rank }) => rank <= placesTrusted);
  const figures = {
    rows,
    outdatedFirst: share(withStale, ({ rank, staleRank }) => staleRank < rank),
    kept: share(inTop, ({ answerScore }) => answerScore >= trusted),
    falselyTrusted: share(unanswerable, ({ bestWrongScore }) => bestWrongScore >= trusted),
    falselyTrustedOfMore: share(more, ({ bestWrongScore }) => bestWrongScore >= trusted),
    recalled: meanOrNull(answerable.map(({ recalled }) => recalled)),
    auc: areaUnderCurve(
      answerable.map(({ answerScore }) => answerScore),
      outcomes.map(({ bestWrongScore }) => bestWrongScore),
    ),
  };
  return {
    lines: [
      ...renderTable(
        ['', 'n', 'R@1', 'R@5', 'R@20', 'MRR'],
        rows.map(({ name, count, r1, r5, r20, mrr }) => [
          name,
          String(count),
          ...[r1, r5, r20, mrr].map(formatPercent),
        ]),
      ),
      '',
      `outdated first ${formatPercent(figures.outdatedFirst)} %; of right answers in the top ` +
        `${placesTrusted} with a score ≥ ${trusted}: ${formatPercent(figures.kept)} %; ` +
        `unanswerable with one: ${formatPercent(figures.falselyTrusted)} %, ` +
        `of ${more.length} more ${formatPercent(figures.falselyTrustedOfMore)} %; ` +
        `AUC ${formatPercent(figures.auc)} %` +
        (figures.recalled === null
          ? ''
          : `; answers within ${contextTokens} tokens ${formatPercent(figures.recalled)} %`),
    ],
    thresholds: thresholdsOf(figures),
    figures,
  };
}

interface Figures {
  readonly rows: readonly { readonly name: string; readonly r1: number; readonly r5: number }[];
  readonly kept: number;
  readonly falselyTrusted: number;
  readonly auc: number;
  readonly recalled: number | null;
}

function thresholdsOf(figures: Figures): Threshold[] {
  const { rows } = figures;
  const [all] = rows;
  const paraphrase = rows.find(({ name }) => name === 'paraphrase');
  const bar = (description: string, value: number, min: number) => ({
    description: `everyday: ${description}`,
    value,
    min,
    unit: '%' as const,
  });
  return [
    bar('R@1', all?.r1 ?? 0, 0.68),
    bar('R@5', all?.r5 ?? 0, 0.9),
    bar('R@5 of paraphrases', paraphrase?.r5 ?? 0, 0.78),
    bar(`right answers in the top ${placesTrusted} with a score ≥ ${trusted}`, figures.kept, 0.7),
    bar(`unanswerable without a score ≥ ${trusted}`, 1 - figures.falselyTrusted, 0.8),
    bar('AUC of the score', figures.auc, 0.85),
    ...(figures.recalled === null
      ? []
      : [bar(`answers within ${contextTokens} tokens`, figures.recalled, 0.88)]),
  ];
}

interface StoredAccount {
  readonly spaceId: string;
  /** By the key of a memory. */
  readonly ids: ReadonlyMap<string, string>;
}

async function storeMemories(
  service: RetrievalTarget,
  { id, memories }: Account,
): Promise<StoredAccount> {
  const spaceId = await service.createSpace(`everyday ${id}`);
  const ids = await service.store(
    spaceId,
    memories.map(({ content, occurred_at }) => ({ content, occurred_at })),
  );
  return { spaceId, ids: new Map(memories.map(({ key }, i) => [key, ids[i] ?? ''])) };
}

function unanswerableOf(accountId: string): Question[] {
  const all = JSON.parse(readFileSync(unanswerableFile, 'utf8')) as {
    account: string;
    q: string;
  }[];
  return all
    .filter(({ account }) => account === accountId)
    .map(({ q }) => ({ q, answers: [], stale: [], kind: 'unanswerable' }));
}

async function runQuestions(
  service: RetrievalTarget,
  { spaceId, ids }: StoredAccount,
  questions: readonly Question[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const { hits } = await service.search(question.q, spaceId, limit);
    const toIds = (keys: readonly string[]) => new Set(keys.map((key) => ids.get(key)));
    const [answers, stale] = [toIds(question.answers), toIds(question.stale)];
    const placeOf = (wanted: ReadonlySet<string | undefined>): number => {
      const place = hits.findIndex(({ id }) => wanted.has(id));
      return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
    };
    outcomes.push({
      question,
      rank: placeOf(answers),
      staleRank: placeOf(stale),
      answerScore: hits.find(({ id }) => answers.has(id))?.score ?? 0,
      bestWrongScore: hits.find(({ id }) => !answers.has(id))?.score ?? 0,
      recalled: await shareRecalled(service, question.q, spaceId, answers),
    });
  }
  return outcomes;
}

async function shareRecalled(
  service: RetrievalTarget,
  query: string,
  spaceId: string,
  answers: ReadonlySet<string | undefined>,
): Promise<number | null> {
  if (!service.recall || answers.size === 0) return null;
  const ids = await service.recall(query, spaceId, contextTokens);
  return ids.filter((id) => answers.has(id)).length / answers.size;
}

const meanOrNull = (values: readonly (number | null)[]): number | null =>
  values.some((value) => value === null) ? null : mean(values.map(Number));

const ranksOf = (outcomes: readonly Outcome[]) => ({
  count: outcomes.length,
  r1: share(outcomes, ({ rank }) => rank <= 1),
  r5: share(outcomes, ({ rank }) => rank <= 5),
  r20: share(outcomes, ({ rank }) => rank <= limit),
  mrr: mean(outcomes.map(({ rank }) => 1 / rank)),
});

const share = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.filter(holds).length / Math.max(1, all.length);

/** The probability that a positive has the greater value; equal values count half. */
const areaUnderCurve = (positives: readonly number[], negatives: readonly number[]): number =>
  mean(
    positives.map((positive) =>
      mean(
        negatives.map((negative) => {
          if (positive === negative) return 0.5;
          return positive > negative ? 1 : 0;
        }),
      ),
    ),
  );
