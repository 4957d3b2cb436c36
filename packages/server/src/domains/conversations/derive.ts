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
import { KnownMemories, speakerOf } from './known.ts';
import { type Message, statementKeyOf, type Target, toStatementMemory } from './model.ts';

/** A statement as it is to be stored. */
export interface Derivation {
  /** Indices of the messages that state it. */
  readonly messages: readonly number[];
  /** The memory to store, or the id of the one that says so already. */
  readonly memory: NewMemory | string;
}

/**
 * What the messages state that are to be read; the others are context. Throws 500
 * embedding_failed.
 */
export async function deriveMemories(
  ctx: Ctx,
  target: Target,
  messages: readonly Message[],
  isRead: (index: number) => boolean,
): Promise<Derivation[]> {
  const now = ctx.clock.now();
  const turns = messages.map(({ role, name, content, occurred_at }, index): Turn => {
    return { role, speaker: name, text: content, at: occurred_at ?? now, isKnown: !isRead(index) };
  });
  const known = new KnownMemories(ctx, target);
  const findKnown = (text: string) => known.find(text);
  const { value } = await ctx.language.statements({ turns, findKnown });
  const statements = value.filter(({ turns: said }) => said.some(isRead));
  const dated = statements.map((statement) => {
    const times = statement.turns.map((index) => messages[index]?.occurred_at);
    const at = times.findLast((time) => time !== undefined);
    const isEarlier = (record: MemoryRecord) => referenceTimeOf(record) <= (at ?? now);
    // Before more is searched for: it must be among what the model or the rules were told.
    return { statement, at, replaced: known.replaceable(statement.replaces, isEarlier) };
  });
  const matches = await findStored(ctx, target, dated, known);
  return dated.map(({ statement, at, replaced }, i): Derivation => {
    const { id = null, isKeyTaken = false } = matches[i] ?? {};
    if (id !== null) return { messages: statement.turns, memory: id };
    const supersedes = replaced === null ? [] : [replaced];
    const options = { at, supersedes, isKeyTaken };
    return { messages: statement.turns, memory: toStatementMemory(target, statement, options) };
  });
}

interface DatedStatement {
  readonly statement: Statement;
  readonly at: Date | undefined;
}

interface StoredMatch {
  /** The memory that says the same; null: none that holds. */
  readonly id: string | null;
  /** Another memory has the key of the statement: one that is outdated, or was edited. */
  readonly isKeyTaken: boolean;
}

/** For each statement the memory that says the same, the newest of several. */
async function findStored(
  ctx: Ctx,
  target: Target,
  statements: readonly DatedStatement[],
  known: KnownMemories,
): Promise<StoredMatch[]> {
  const hashes = statements.map(({ statement }) => {
    const key = statementKeyOf(statement);
    return key === null ? hashContent(statement.content) : hashDuplicateKey(key);
  });
  const now = ctx.clock.now();
  const ids = await findIdsByHashes(ctx.engine.db, target, hashes, now);
  const stored = ids.flatMap((id) => id ?? []);
  const newer = await findOutdatedBy(ctx.engine.db, {
    accountId: ctx.actor.accountId,
    ids: stored,
    visible: visibilityOf(ctx.actor),
    now: null,
  });
  const records = await memoriesById(ctx, [...stored, ...newer.values()]);
  const matches: StoredMatch[] = [];
  for (const [i, { statement, at = now }] of statements.entries()) {
    const id = ids[i] ?? null;
    const keyed = id === null ? undefined : records.get(id);
    const newest = keyed && records.get(newer.get(keyed.id) ?? keyed.id);
    const match = keyed && newest ? matchOf(statement, at, keyed, newest) : null;
    matches.push({ id: match ?? (await known.findSame(statement)), isKeyTaken: id !== null });
  }
  return matches;
}

/**
 * Which of a memory with the key of a statement, and the newest that supersedes it, says the same;
 * null if it was outdated before the statement was made, or edited.
 */
function matchOf(
  statement: Statement,
  at: Date,
  keyed: MemoryRecord,
  newest: MemoryRecord,
): string | null {
  const saysSame = (record: MemoryRecord): boolean =>
    record.content === statement.content && speakerOf(record) === statement.speaker;
  if (saysSame(newest)) return newest.id;
  const isOutdatedSince = newest !== keyed && referenceTimeOf(newest) > at;
  return isOutdatedSince && saysSame(keyed) ? keyed.id : null;
}
