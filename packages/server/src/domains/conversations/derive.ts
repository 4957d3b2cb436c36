import type { Statement, Turn } from '../../providers/language/index.ts';
import { type Ctx, visibilityOf } from '../ctx.ts';
import {
  findIdsByHashes,
  hashContent,
  hashDuplicateKey,
  type MemoryRecord,
  memoriesById,
  type NewMemory,
  referenceTimeOf,
} from '../memories/index.ts';
import { findOutdatedBy } from '../search-index/index.ts';
import { KnownMemories } from './known.ts';
import { type Message, statementKeyOf, type Target, toStatementMemory } from './model.ts';

/** A statement as it is to be stored. */
export interface Derivation {
  /** Indices of the messages that state it. */
  readonly messages: readonly number[];
  /** The memory to store, or the id of the one that says so already. */
  readonly memory: NewMemory | string;
}

/**
 * What the new messages state; the others, which are stored already, are context. Throws 500
 * embedding_failed.
 */
export async function deriveMemories(
  ctx: Ctx,
  target: Target,
  messages: readonly Message[],
  isNew: (index: number) => boolean,
): Promise<Derivation[]> {
  const now = ctx.clock.now();
  const turns = messages.map(({ role, name, content, occurred_at }, index): Turn => {
    return { role, speaker: name, text: content, at: occurred_at ?? now, isKnown: !isNew(index) };
  });
  const known = new KnownMemories(ctx, target);
  const findKnown = (text: string) => known.find(text);
  const { value } = await ctx.language.statements({ turns, findKnown });
  const statements = value.filter(({ turns: said }) => said.some(isNew));
  const dated = statements.map((statement) => {
    const times = statement.turns.map((index) => messages[index]?.occurred_at);
    const at = times.findLast((time) => time !== undefined);
    const isEarlier = (record: MemoryRecord) => referenceTimeOf(record) <= (at ?? now);
    // Before more is searched for: it must be among what the model or the rules were told.
    return { statement, at, replaced: known.replaceable(statement.replaces, isEarlier) };
  });
  const repeated = await findStored(ctx, target, statements, known);
  return dated.map(({ statement, at, replaced }, i): Derivation => {
    const stored = repeated[i] ?? null;
    if (stored && (stored.isCurrent || replaced === null)) {
      return { messages: statement.turns, memory: stored.id };
    }
    const supersedes = replaced === null ? [] : [replaced];
    const options = { at, supersedes, isRepeated: stored !== null };
    return { messages: statement.turns, memory: toStatementMemory(target, statement, options) };
  });
}

interface Stored {
  readonly id: string;
  /** Nothing supersedes it. */
  readonly isCurrent: boolean;
}

/** For each statement the memory that says the same, the newest of several. */
async function findStored(
  ctx: Ctx,
  target: Target,
  statements: readonly Statement[],
  known: KnownMemories,
): Promise<(Stored | null)[]> {
  const hashes = statements.map((statement) => {
    const key = statementKeyOf(statement);
    return key === null ? hashContent(statement.content) : hashDuplicateKey(key);
  });
  const ids = await findIdsByHashes(ctx.engine.db, target, hashes, ctx.clock.now());
  const newer = await findOutdatedBy(ctx.engine.db, {
    accountId: ctx.actor.accountId,
    ids: ids.flatMap((id) => id ?? []),
    visible: visibilityOf(ctx.actor),
  });
  const newerMemories = await memoriesById(ctx, [...newer.values()]);
  const stored: (Stored | null)[] = [];
  for (const [i, statement] of statements.entries()) {
    const id = ids[i] ?? null;
    if (id === null) {
      const same = await known.findSame(statement);
      stored.push(same === null ? null : { id: same, isCurrent: true });
      continue;
    }
    const newest = newer.get(id) ?? id;
    // The newest one may say the same again, after what had outdated the first one.
    const isCurrent = newest === id || newerMemories.get(newest)?.content === statement.content;
    stored.push({ id: isCurrent ? newest : id, isCurrent });
  }
  return stored;
}
