import type { Statement, Turn } from '../../providers/language/index.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import {
  findIdsByHashes,
  hashContent,
  hashDuplicateKey,
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
  const repeated = await findStored(ctx, target, statements);
  return statements.map((statement, i): Derivation => {
    const times = statement.turns.map((index) => messages[index]?.occurred_at);
    const at = times.findLast((time) => time !== undefined);
    const replaced = known.replaceable(
      statement.replaces,
      (record) => referenceTimeOf(record) <= (at ?? now),
    );
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
): Promise<(Stored | null)[]> {
  const hashes = statements.map((statement) => {
    const key = statementKeyOf(statement);
    return key === null ? hashContent(statement.content) : hashDuplicateKey(key);
  });
  const ids = await findIdsByHashes(ctx.engine.db, target, hashes, ctx.clock.now());
  const newer = await findOutdatedBy(ctx.engine.db, {
    accountId: ctx.actor.accountId,
    ids: ids.flatMap((id) => id ?? []),
    visible: visibleSpaces(ctx.actor),
  });
  const newerMemories = await memoriesById(ctx, [...newer.values()]);
  return ids.map((id, i) => {
    if (id === null) return null;
    const newest = newer.get(id);
    if (newest === undefined) return { id, isCurrent: true };
    // It was stated again, after what had outdated it.
    const saysTheSame = newerMemories.get(newest)?.content === statements[i]?.content;
    return saysTheSame ? { id: newest, isCurrent: true } : { id, isCurrent: false };
  });
}
