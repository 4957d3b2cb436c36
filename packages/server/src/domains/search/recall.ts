import {
  type Memory,
  ownerNames,
  type RecallBody,
  type RecalledMemory,
  type RecallResponse,
} from '@mneme/contract';
import { perApp } from '../../kernel/per-app.ts';
import { loadTokenizer, type Tokenizer } from '../../providers/tokens/index.ts';
import { chargeSearches } from '../accounts/index.ts';
import type { App, Ctx } from '../ctx.ts';
import {
  type MemoryRecord,
  memoryPages,
  presentCurrentMemory,
  presentMemories,
  recordAccess,
  referenceTimeOf,
} from '../memories/index.ts';
import { neighboursOf, supersededBy } from '../relationships/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { PromptContextWriter } from './context-writer.ts';
import { parseQueryIntent } from './intent.ts';
import { findRankedHits, type ModelReports } from './model-ranking.ts';
import { presentPassage } from './passage.ts';
import { loadVisibleMemories } from './records.ts';
import { singleSpaceEventContext } from './searchable-spaces.ts';

const tokenizer = perApp<App, Promise<Tokenizer>>(() => loadTokenizer());

/** A match of the query, with its place in its conversation. */
interface Match {
  readonly memory: RecalledMemory;
  readonly ordinal: number | null;
}

/**
 * Builds a context for a prompt: the best matching memories, then related ones, up to the token
 * budget. Superseded memories are omitted, with `as_of` those that were superseded then; a question
 * about the past keeps them, marked. Those whose facts have ended are kept and marked. Throws what
 * a search throws.
 */
export async function recallMemories(ctx: Ctx, body: RecallBody): Promise<RecallResponse> {
  if (body.space_id !== undefined) await requireUsableSpace(ctx, body.space_id);
  await chargeSearches(ctx, 1);
  const tokenCounter = await tokenizer.of(ctx);
  const writer = new PromptContextWriter(tokenCounter, body.max_tokens, body.format);
  const { matches, reports } = await findMatches(ctx, body);
  const relevant = matches.filter(({ memory }) => (memory.score ?? 0) >= body.threshold);
  const allFit = relevant.every(({ memory, ordinal }) => writer.add(memory, ordinal));
  if (allFit && body.include_related) await addRelated(ctx, body, writer);
  const { memories } = writer;
  const ids = memories.map(({ id }) => id);
  recordAccess(
    ctx,
    ids,
    { via: 'recall' },
    singleSpaceEventContext(ctx, body, { query: body.query }),
  );
  recordActivation(ctx, body.session, ids);
  const omitted = listOmitted(matches, memories, body.threshold);
  return { ...writer.finish(), memories, omitted, ...reports };
}

function listOmitted(
  matches: readonly Match[],
  memories: readonly RecalledMemory[],
  threshold: number,
): RecallResponse['omitted'] {
  const given = new Set(memories.map(({ id }) => id));
  return matches
    .filter(({ memory }) => !given.has(memory.id))
    .map(({ memory: { id: memory_id, score } }) => ({
      memory_id,
      reason: (score ?? 0) >= threshold ? 'budget' : 'score',
    }));
}

/**
 * Adds the nearest memories by relationships, within the requested scope, until the budget is used
 * up. Each memory is added once; no more are read than are checked.
 */
async function addRelated(ctx: Ctx, body: RecallBody, writer: PromptContextWriter): Promise<void> {
  if (writer.memories.length >= body.max_memories) return;
  const neighbours = await neighboursOf(ctx, writer.memories);
  const from = new Map(neighbours.map((one) => [one.id, one.from]));
  const superseded = await supersededBy(ctx, [...from.keys()]);
  const current = [...from.keys()].filter((id) => !superseded.has(id));
  for await (const page of memoryPages(ctx, current)) {
    const presented = await presentMemories(ctx, page);
    for (const [i, record] of page.entries()) {
      if (body.space_id !== undefined && record.space_id !== body.space_id) continue;
      if (ownerNames.some((name) => (body[name] ?? record[name]) !== record[name])) continue;
      if (isExcluded(record, body)) continue;
      if (body.tags && !body.tags.every((tag) => record.tags.includes(tag))) continue;
      if (!isWithinPeriod(referenceTimeOf(record), body)) continue;
      const related_to = from.get(record.id) ?? null;
      const memory = { ...(presented[i] as Memory), score: null, passage: null, related_to };
      const hasRoom = writer.add(memory, record.session_ordinal);
      if (!hasRoom || writer.memories.length >= body.max_memories) return;
    }
  }
}

const isExcluded = (
  { session_id }: Pick<MemoryRecord, 'session_id'>,
  { exclude_session_id: excluded }: RecallBody,
): boolean => excluded !== undefined && session_id === excluded;

const isWithinPeriod = (
  time: Date,
  { occurred_after: after, occurred_before: before }: RecallBody,
): boolean => (after === undefined || time >= after) && (before === undefined || time < before);

async function findMatches(
  ctx: Ctx,
  body: RecallBody,
): Promise<{ matches: Match[]; reports: ModelReports }> {
  const now = ctx.clock.now();
  const { query: q, space_id, user_id, agent_id, run_id, tags, as_of } = body;
  const { occurred_after, occurred_before, rewrite, rerank } = body;
  const isAboutPast = as_of === undefined && parseQueryIntent(q, now).isAboutPast;
  const owner = { user_id, agent_id, run_id };
  const scope = { space_id, ...owner, tags, occurred_after, occurred_before };
  const criteria = { q, ...scope, as_of, include_superseded: isAboutPast };
  const limit = body.max_memories;
  const { hits, reports } = await findRankedHits(ctx, criteria, { rewrite, rerank }, limit);
  const records = await loadVisibleMemories(ctx, hits);
  const matches = hits.flatMap(({ id, score, passage: range, outdatedBy, foundBy }): Match[] => {
    const record = records.get(id);
    if (!record || isExcluded(record, body)) return [];
    const memory = { ...presentCurrentMemory(record, now), outdated_by: outdatedBy };
    const found = foundBy === undefined ? {} : { found_by: foundBy };
    const passage = presentPassage(record.content, range);
    const recalled = { ...memory, score, passage, ...found, related_to: null };
    return [{ memory: recalled, ordinal: record.session_ordinal }];
  });
  return { matches, reports };
}
