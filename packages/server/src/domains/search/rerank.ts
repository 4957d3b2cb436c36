import type { RerankReport } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { findSegmentsById, segmentText } from '../media/index.ts';
import type { DocumentKind } from '../search-index/index.ts';
import { callModel } from './model-calls.ts';
import { candidatesOf, type RankedHit, reorderCandidates } from './order-hits.ts';
import { parseQuery } from './query.ts';
import { loadVisibleMemories } from './records.ts';

/** Of a longer text, the reranker gets so much from its best passage on. */
const documentCharactersMax = 2_000;

export type Heads = ReadonlyMap<DocumentKind, readonly RankedHit[]>;

/** Whether results are to be reordered: on request, and by default if there is a reranker. */
export const usesReranker = (ctx: Ctx, requested: boolean | undefined): boolean =>
  ctx.reranker !== null && requested !== false;

/** The report of a request for a reranker that is not configured; undefined without one. */
export const reportWithoutReranker = (
  ctx: Ctx,
  requested: boolean | undefined,
): RerankReport | undefined =>
  ctx.reranker === null && requested === true
    ? { status: 'not_configured', model: null, candidates: 0 }
    : undefined;

/** Reorders the best hits of each kind by one call. A failure leaves all as they are. */
export async function rerankHeads(
  ctx: Ctx,
  q: string,
  heads: Heads,
): Promise<{ readonly heads: Heads; readonly report: RerankReport }> {
  const { reranker } = ctx;
  const top = ctx.config.rerank?.top ?? 0;
  if (reranker === null) throw new Error('there is no reranker');
  const { model } = reranker;
  const filled = [...heads.values()].filter((hits) => hits.length > 0).length;
  const candidates: Candidate[] = [];
  for (const [kind, hits] of heads) {
    const chosen = candidatesOf(hits, Math.ceil(top / Math.max(1, filled)));
    if (chosen.length > 1) candidates.push(...(await loadCandidates(ctx, kind, chosen)));
  }
  const count = candidates.length;
  if (count < 2) return { heads, report: { status: 'not_needed', model, candidates: count } };
  const texts = candidates.map(({ text }) => text);
  const called = await callModel(ctx, 'reranker', (signal) =>
    reranker.score(parseQuery(q).text, texts, signal),
  );
  if ('status' in called) {
    return { heads, report: { status: called.status, model, candidates: count } };
  }
  const scores = new Map(candidates.map(({ id }, i) => [id, called.value[i] as number]));
  const reordered = [...heads].map(
    ([kind, hits]) => [kind, reorderCandidates(hits, scores)] as const,
  );
  return { heads: new Map(reordered), report: { status: 'applied', model, candidates: count } };
}

interface Candidate {
  readonly id: string;
  readonly text: string;
}

/** What was deleted or moved meanwhile has no text and is no candidate. */
async function loadCandidates(
  ctx: Ctx,
  kind: DocumentKind,
  hits: readonly RankedHit[],
): Promise<Candidate[]> {
  const texts = kind === 'memory' ? await memoryTexts(ctx, hits) : await segmentTexts(ctx, hits);
  return hits.flatMap(({ id, passage }) => {
    const text = excerptFrom(texts.get(id) ?? '', passage[0]);
    return text === '' ? [] : [{ id, text }];
  });
}

async function memoryTexts(ctx: Ctx, hits: readonly RankedHit[]): Promise<Map<string, string>> {
  const records = await loadVisibleMemories(ctx, hits);
  return new Map([...records.values()].map(({ id, content }) => [id, content]));
}

async function segmentTexts(ctx: Ctx, hits: readonly RankedHit[]): Promise<Map<string, string>> {
  const segments = await findSegmentsById(
    ctx,
    hits.map(({ id }) => id),
  );
  const owners = [...segments.values()].map(({ memory_id: id }) => ({ id }));
  const records = await loadVisibleMemories(ctx, owners);
  const visible = [...segments.values()].filter(({ memory_id: id }) => records.has(id));
  return new Map(visible.map((segment) => [segment.id, segmentText(segment)]));
}

function excerptFrom(text: string, start: number): string {
  const latest = Math.max(0, text.length - documentCharactersMax);
  const from = Math.min(start, latest);
  return text
    .slice(from, from + documentCharactersMax)
    .toWellFormed()
    .trim();
}
