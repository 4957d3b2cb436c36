import type { RecallAnswer, RecallBody, RecalledMemory } from '@mneme/contract';
import { service } from '../../kernel/service.ts';
import { loadTokenizer, type Tokenizer } from '../../providers/tokens/index.ts';
import { chargeSearches } from '../accounts/index.ts';
import { type App, type Ctx, maySee } from '../ctx.ts';
import { memoriesById, noteAccess, presentMemory } from '../memories/index.ts';
import { neighboursOf, supersededBy } from '../relationships/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { ContextWriter } from './context-writer.ts';
import { findPage } from './find.ts';

const tokenizer = service<App, Promise<Tokenizer>>(() => loadTokenizer());

/**
 * A context for a prompt: the memories that match best, then those related to them, as many as
 * the budget holds. Superseded ones are left out. Throws what a search throws.
 */
export async function recall(ctx: Ctx, body: RecallBody): Promise<RecallAnswer> {
  if (body.space_id !== undefined) await requireUsableSpace(ctx, body.space_id);
  await chargeSearches(ctx, 1);
  const counts = await tokenizer.of(ctx);
  const writer = new ContextWriter(counts, body.max_tokens);
  const matches = await matchesOf(ctx, body);
  const allFit = matches.every((match) => writer.add(match));
  const room = body.max_memories - writer.memories.length;
  if (allFit && body.include_related && room > 0) {
    const related = await relatedTo(ctx, body, writer.memories, room);
    related.every((memory) => writer.add(memory));
  }
  const memories = writer.memories;
  const ids = memories.map(({ id }) => id);
  noteAccess(ctx, ids, { via: 'recall', query: body.query });
  recordActivation(ctx, body.session, ids);
  return { ...writer.finish(), memories };
}

/** Nearest by relationships, in the scope that was asked for; a memory is related but once. */
async function relatedTo(
  ctx: Ctx,
  body: RecallBody,
  matches: readonly RecalledMemory[],
  most: number,
): Promise<RecalledMemory[]> {
  const neighbours = await neighboursOf(ctx, matches);
  const ids = neighbours.map(({ id }) => id);
  const [records, superseded] = [await memoriesById(ctx, ids), await supersededBy(ctx, ids)];
  const now = ctx.clock.now();
  const found = neighbours.flatMap(({ id, from }): RecalledMemory[] => {
    const record = records.get(id);
    if (!record || superseded.has(id) || !maySee(ctx.actor, record.space_id)) return [];
    if (body.space_id !== undefined && record.space_id !== body.space_id) return [];
    if (body.tags && !body.tags.every((tag) => record.tags.includes(tag))) return [];
    return [{ ...presentMemory(record, now), score: null, related_to: from }];
  });
  return found.slice(0, most);
}

async function matchesOf(ctx: Ctx, body: RecallBody): Promise<RecalledMemory[]> {
  const query = { q: body.query, space_id: body.space_id, tags: body.tags };
  const sought = { ...query, include_superseded: false };
  const page = { offset: 0, limit: body.max_memories, explain: false };
  const { hits: best } = await findPage(ctx, sought, 0, page);
  const records = await memoriesById(
    ctx,
    best.map(({ id }) => id),
  );
  const now = ctx.clock.now();
  return best.flatMap(({ id, score }) => {
    const record = records.get(id);
    // Moved or deleted since the index was asked: the record has the last word.
    if (!record || !maySee(ctx.actor, record.space_id)) return [];
    return [{ ...presentMemory(record, now), score, related_to: null }];
  });
}
