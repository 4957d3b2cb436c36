import type { EnrichmentOperation } from '@mneme/contract';
import { extractTerms, truncateText } from '@mneme/text';
import type {
  DocumentFrequencies,
  ModelResult,
  QualityFactors,
} from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import { extractMemoryNow, toSourceText } from '../graph/index.ts';
import { encodeMemories, type MemoryRecord } from '../memories/index.ts';
import { indexCache } from '../search-index/index.ts';
import { type ComputedEnrichment, type EnrichmentValues, roundToThousandths } from './model.ts';

/** Computes one enrichment of a memory's content, by the model or, as a fallback, by the rules. */
export function computeEnrichment(
  ctx: Ctx,
  record: MemoryRecord,
  operation: EnrichmentOperation,
): Promise<ComputedEnrichment> {
  switch (operation) {
    case 'topics':
      return withOperation('topics', computeTopics(ctx, record));
    case 'summary':
      return withOperation('summary', ctx.language.summary(toSourceText(record)));
    case 'entities':
      return withOperation('entities', computeEntities(ctx, record));
    case 'quality':
      return withOperation('quality', encodeAndComputeQuality(ctx, record));
  }
}

const withOperation = async <K extends EnrichmentOperation>(
  operation: K,
  saying: Promise<ModelResult<EnrichmentValues[K]>>,
): Promise<ComputedEnrichment<K>> => ({ operation, ...(await saying) });

async function computeTopics(
  ctx: Ctx,
  record: MemoryRecord,
): Promise<ModelResult<EnrichmentValues['topics']>> {
  return ctx.language.topics(toSourceText(record), await readFrequencies(ctx, record));
}

/**
 * Document frequencies of the memory's terms in its own space: they reveal nothing about other
 * spaces.
 */
async function readFrequencies(ctx: Ctx, record: MemoryRecord): Promise<DocumentFrequencies> {
  const { words, compounds } = extractTerms(truncateText(record.content));
  const terms = [...new Set([...words, ...compounds])];
  const { documents, frequencies } = await indexCache.of(ctx).query({
    kind: 'frequencies',
    accountId: record.account_id,
    spaces: [record.space_id],
    terms,
  });
  const counts = new Map(terms.map((term, i) => [term, frequencies[i] ?? 0]));
  return { documents, documentFrequency: (term) => counts.get(term) ?? 0 };
}

/** Also records them in the graph, as after any change. */
async function computeEntities(
  ctx: Ctx,
  { id }: MemoryRecord,
): Promise<ModelResult<EnrichmentValues['entities']>> {
  const { entities, model } = await extractMemoryNow(ctx, id);
  return {
    model,
    value: entities.map(({ name, type, confidence }) => ({ name, type, confidence })),
  };
}

async function encodeAndComputeQuality(
  ctx: Ctx,
  record: MemoryRecord,
): Promise<ModelResult<EnrichmentValues['quality']>> {
  await encodeMemories(ctx, [record.id]);
  return computeQuality(ctx, record);
}

/**
 * The quality of a memory whose vector is not provisional any more.
 * @param previous the earlier result for the same text: only its neighbours are checked again
 */
export async function computeQuality(
  ctx: Ctx,
  record: MemoryRecord,
  previous?: ModelResult<QualityFactors>,
): Promise<ModelResult<EnrichmentValues['quality']>> {
  const [{ value, model }, uniqueness] = await Promise.all([
    previous ?? ctx.language.quality(toSourceText(record)),
    computeUniqueness(ctx, record),
  ]);
  const { specificity, clarity, actionability } = value;
  return { model, value: { specificity, clarity, actionability, uniqueness } };
}

/**
 * 1 − the similarity to the nearest other memory of its space, on the scale of the shipped encoder;
 * 1 if there is none.
 */
async function computeUniqueness(ctx: Ctx, record: MemoryRecord): Promise<number> {
  const nearest = await indexCache.of(ctx).query({
    kind: 'nearest',
    accountId: record.account_id,
    query: {
      source: { documentId: record.id },
      spaces: [record.space_id],
      threshold: 0,
      scale: 'encoder',
      limit: 1,
    },
  });
  return roundToThousandths(1 - (nearest?.[0]?.similarity ?? 0));
}
