import type { EnrichmentOperation } from '@mneme/contract';
import type { Frequencies, QualityFactors, Said } from '../../providers/language/index.ts';
import { beginOf } from '../../text/begin.ts';
import { termsOf } from '../../text/terms.ts';
import type { Ctx } from '../ctx.ts';
import { extractNow, sourceOf } from '../graph/index.ts';
import { indexShelf } from '../index/index.ts';
import type { MemoryRecord } from '../memories/index.ts';
import { type Made, rounded, type Values } from './model.ts';

/** Makes one thing of a memory's content, by the model or in its place by the rules. */
export function make(
  ctx: Ctx,
  record: MemoryRecord,
  operation: EnrichmentOperation,
): Promise<Made> {
  switch (operation) {
    case 'topics':
      return named('topics', makeTopics(ctx, record));
    case 'summary':
      return named('summary', ctx.language.summary(sourceOf(record)));
    case 'entities':
      return named('entities', makeEntities(ctx, record));
    case 'quality':
      return named('quality', makeQuality(ctx, record));
  }
}

const named = async <K extends EnrichmentOperation>(
  operation: K,
  saying: Promise<Said<Values[K]>>,
): Promise<Made<K>> => ({ operation, ...(await saying) });

async function makeTopics(ctx: Ctx, record: MemoryRecord): Promise<Said<Values['topics']>> {
  return ctx.language.topics(sourceOf(record), await frequenciesOf(ctx, record));
}

/** How common each term of a memory is in its own space: of other spaces nothing shows. */
async function frequenciesOf(ctx: Ctx, record: MemoryRecord): Promise<Frequencies> {
  const { words, compounds } = termsOf(beginOf(record.content));
  const terms = [...new Set([...words, ...compounds])];
  const { documents, holding } = await indexShelf.of(ctx).ask({
    kind: 'frequencies',
    accountId: record.account_id,
    spaces: [record.space_id],
    terms,
  });
  const counts = new Map(terms.map((term, i) => [term, holding[i] ?? 0]));
  return { documents, holding: (term) => counts.get(term) ?? 0 };
}

/** Recorded in the graph as well, as after any change. */
async function makeEntities(ctx: Ctx, { id }: MemoryRecord): Promise<Said<Values['entities']>> {
  const { entities, model } = await extractNow(ctx, id);
  return {
    model,
    value: entities.map(({ name, type, confidence }) => ({ name, type, confidence })),
  };
}

/** @param known what the text alone gave before: only its neighbours are looked at again */
export async function makeQuality(
  ctx: Ctx,
  record: MemoryRecord,
  known?: Said<QualityFactors>,
): Promise<Said<Values['quality']>> {
  const [{ value, model }, uniqueness] = await Promise.all([
    known ?? ctx.language.quality(sourceOf(record)),
    uniquenessOf(ctx, record),
  ]);
  const { specificity, clarity, actionability } = value;
  return { model, value: { specificity, clarity, actionability, uniqueness } };
}

/** 1 less the similarity to the nearest other memory of its space; 1 where there is none. */
async function uniquenessOf(ctx: Ctx, record: MemoryRecord): Promise<number> {
  const nearest = await indexShelf.of(ctx).ask({
    kind: 'nearest',
    accountId: record.account_id,
    query: { documentId: record.id, spaces: [record.space_id], threshold: 0, limit: 1 },
  });
  return rounded(1 - (nearest?.[0]?.similarity ?? 0));
}
