import type { CreateMemory, Memory } from '@mneme/contract';
import { isForeignKeyViolation, isUniqueViolation, type Tx } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { service } from '../../kernel/service.ts';
import { Journal } from '../../work/journal.ts';
import { reserveMemories, returnMemories } from '../accounts/index.ts';
import { type App, type Ctx, inTransaction, requireSpace, type TxCtx } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { indexDocuments, type NewDocument } from '../index/index.ts';
import { existingSpaces } from '../spaces/index.ts';
import { embedContents, isFaultOfText, requireContentFits, requireFittingVector } from './embed.ts';
import {
  distinct,
  factsOf,
  hashContent,
  type MemoryRecord,
  presentMemory,
  replyWith,
} from './model.ts';
import { findDuplicate, insertMemories } from './store.ts';

/** A memory that is checked and embedded, and only has to be written. */
export interface Prepared {
  readonly ctx: Ctx;
  readonly record: MemoryRecord;
  readonly content: NewDocument['content'];
}

/**
 * Stores a memory. When this resolves it is durable, and the next search finds it. Throws
 * content_too_large, invalid_embedding, embedding_failed, space_not_found, space_access_denied,
 * not_found (session), duplicate_memory.
 */
export async function createMemory(ctx: Ctx, body: CreateMemory): Promise<Reply<Memory>> {
  requireStorable(ctx, body);
  const [prepared] = await prepareMemories(ctx, [body]);
  if (!prepared) throw new AppError('internal_error');
  return groupWriter.of(ctx).add(prepared);
}

/** Everything that can be refused without looking at stored data. */
export function requireStorable(ctx: Ctx, body: CreateMemory): void {
  requireContentFits(ctx, body.content);
  requireFittingVector(ctx, body.embedding);
  if (body.session_id !== undefined) {
    throw new AppError('not_found', {
      message: 'There is no such session.',
      details: { session_id: body.session_id },
    });
  }
}

async function prepareMemories(ctx: Ctx, bodies: readonly CreateMemory[]): Promise<Prepared[]> {
  const contents = await embedContents(ctx, bodies);
  const now = ctx.clock.now();
  return bodies.flatMap((body, i) => {
    const content = contents[i];
    return content ? [{ ctx, content, record: newRecord(ctx, body, now) }] : [];
  });
}

/**
 * As prepareMemories, but a text that the model refuses is one fault among the outcomes. Throws
 * embedding_failed when no text would fare better.
 */
export async function prepareEach(
  ctx: Ctx,
  bodies: readonly CreateMemory[],
): Promise<(Prepared | AppError)[]> {
  try {
    return await prepareMemories(ctx, bodies);
  } catch (error) {
    if (!isFaultOfText(error)) throw error;
  }
  const settled = await Promise.allSettled(bodies.map((body) => embedContents(ctx, [body])));
  const now = ctx.clock.now();
  return bodies.map((body, i) => {
    const one = settled[i];
    if (one?.status === 'rejected') {
      if (isFaultOfText(one.reason)) return one.reason;
      throw one.reason;
    }
    const [content] = one?.value ?? [];
    if (!content) throw new AppError('embedding_failed');
    return { ctx, content, record: newRecord(ctx, body, now) };
  });
}

function newRecord(ctx: Ctx, body: CreateMemory, now: Date): MemoryRecord {
  return {
    account_id: ctx.actor.accountId,
    id: ctx.ids.uuid(),
    space_id: body.space_id ?? null,
    session_id: null,
    content: body.content,
    content_type: body.type ?? body.content_type ?? 'text',
    content_hash: hashContent(body.content),
    tags: distinct(body.tags ?? []),
    metadata: body.metadata ?? {},
    priority: body.priority ?? 0,
    salience: null,
    salience_at: null,
    is_pinned: body.is_pinned ?? false,
    protection_level: body.protection_level ?? 'none',
    quality_score: null,
    revision: 1,
    occurred_at: body.occurred_at ?? null,
    verified_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

type Outcome = MemoryRecord | AppError;
type Storing = Pick<TxCtx, 'tx' | 'journal' | 'clock'>;

/** Writes memories of any accounts with set-wise statements; each has its own outcome. */
export async function storeMemories(inTx: Storing, items: readonly Prepared[]): Promise<Outcome[]> {
  const outcomes = new Map<Prepared, Outcome>(await refusedSpaces(inTx, items));
  const now = inTx.clock.now();
  let waiting = items.filter((item) => !outcomes.has(item));
  while (waiting.length > 0) waiting = await storeWhatFits(inTx, waiting, outcomes, now);
  const stored = items.filter((item) => outcomes.get(item) === item.record);
  announce(inTx, stored);
  return items.map((item) => outcomes.get(item) ?? new AppError('internal_error'));
}

/** One turn. Returns those without room for whom duplicates, which need none, have left some. */
async function storeWhatFits(
  { tx }: Storing,
  items: readonly Prepared[],
  outcomes: Map<Prepared, Outcome>,
  now: Date,
): Promise<Prepared[]> {
  const refusals = await refusedForQuota(tx, items, now);
  const admitted = items.filter((item) => !refusals.has(item));
  const records = admitted.map(({ record }) => record);
  const stored = records.length > 0 ? await insertMemories(tx, records) : new Set<string>();
  const duplicates = new Map<string, number>();
  for (const item of admitted) {
    const { record } = item;
    if (stored.has(record.id)) outcomes.set(item, record);
    else {
      outcomes.set(item, await duplicateOf({ tx }, record));
      duplicates.set(record.account_id, (duplicates.get(record.account_id) ?? 0) + 1);
    }
  }
  await returnMemories(tx, duplicates, now);
  for (const [item, refusal] of refusals) outcomes.set(item, refusal);
  return [...refusals.keys()].filter(({ record }) => duplicates.has(record.account_id));
}

/** Reserves what may be stored; the last ones of an account that is full are refused. */
async function refusedForQuota(
  tx: Tx,
  items: readonly Prepared[],
  now: Date,
): Promise<Map<Prepared, AppError>> {
  const byAccount = Map.groupBy(items, ({ record }) => record.account_id);
  const storing = [...byAccount.values()].flatMap(([first, ...more]) =>
    first ? [{ actor: first.ctx.actor, count: 1 + more.length }] : [],
  );
  const refusals = new Map<Prepared, AppError>();
  for (const [accountId, { admitted, refusal }] of await reserveMemories(tx, storing, now)) {
    if (!refusal) continue;
    for (const item of byAccount.get(accountId)?.slice(admitted) ?? []) refusals.set(item, refusal);
  }
  return refusals;
}

async function refusedSpaces(
  { tx }: Pick<TxCtx, 'tx'>,
  items: readonly Prepared[],
): Promise<Map<Prepared, AppError>> {
  const named = items.filter(({ record }) => record.space_id !== null);
  const known =
    named.length > 0
      ? await existingSpaces(
          tx,
          named.map(({ record }) => record.account_id),
          named.map(({ record }) => record.space_id ?? ''),
        )
      : new Set<string>();
  const refusals = new Map<Prepared, AppError>();
  for (const item of items) {
    const { account_id, space_id } = item.record;
    if (space_id !== null && !known.has(`${account_id}:${space_id}`)) {
      refusals.set(item, new AppError('space_not_found', { details: { space_id } }));
      continue;
    }
    try {
      requireSpace(item.ctx.actor, space_id);
    } catch (error) {
      refusals.set(item, error as AppError);
    }
  }
  return refusals;
}

export async function duplicateOf(
  { tx }: Pick<TxCtx, 'tx'>,
  record: Pick<MemoryRecord, 'account_id' | 'space_id' | 'content_hash'>,
): Promise<AppError> {
  const id = await findDuplicate(tx, record);
  return new AppError('duplicate_memory', { details: { memory_id: id ?? null } });
}

/** The refusal that a transaction would have given, had it looked a moment later; else null. */
export function overtaken(error: unknown): AppError | null {
  if (isUniqueViolation(error, 'memories_content')) return new AppError('duplicate_memory');
  if (isForeignKeyViolation(error, 'memories_space')) return new AppError('space_not_found');
  return null;
}

function announce(inTx: Storing, stored: readonly Prepared[]): void {
  for (const { ctx, record } of stored) {
    inTx.journal.event({
      accountId: record.account_id,
      type: 'memory.created',
      spaceId: record.space_id,
      data: presentMemory(record, ctx.clock.now()),
    });
  }
  indexDocuments(
    inTx,
    stored.map(({ record, content }) => ({ ...factsOf(record), content })),
  );
}

interface Waiting {
  readonly prepared: Prepared;
  readonly resolve: (reply: Reply<Memory>) => void;
  readonly reject: (error: unknown) => void;
}

const groupMax = 64;

/**
 * Group commit: creates that arrive while a transaction runs share the next one, so that one
 * fsync serves them all. Each request's seal is written with its memory.
 */
class GroupWriter {
  readonly #app: App;
  readonly #waiting: Waiting[] = [];
  #running = false;

  constructor(app: App) {
    this.#app = app;
  }

  add(prepared: Prepared): Promise<Reply<Memory>> {
    if (inTransaction(prepared.ctx)) throw new Error('a group cannot join a transaction');
    const outcome = new Promise<Reply<Memory>>((resolve, reject) => {
      this.#waiting.push({ prepared, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return outcome;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, groupMax);
      await this.#commit(group);
    }
    this.#running = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#app.engine.transaction(async (tx) => {
        const journal = new Journal();
        const items = group.map(({ prepared }) => prepared);
        const stored = await storeMemories({ tx, journal, clock: this.#app.clock }, items);
        const replies = stored.map((outcome, i) => this.#reply(outcome, items[i]?.ctx));
        for (const [i, reply] of replies.entries()) {
          if (!(reply instanceof AppError)) await items[i]?.ctx.seal?.(tx, reply);
        }
        await journal.flush(tx, this.#app);
        return replies;
      });
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i];
        if (outcome === undefined || outcome instanceof AppError) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      // One member's fault must not fail the others: each tries again on its own.
      const [only] = group;
      if (group.length === 1) only?.reject(overtaken(error) ?? error);
      else for (const member of group) await this.#commit([member]);
    }
  }

  #reply(outcome: MemoryRecord | AppError, ctx: Ctx | undefined): Reply<Memory> | AppError {
    if (outcome instanceof AppError) return outcome;
    return replyWith(outcome, (ctx ?? this.#app).clock.now());
  }
}

const groupWriter = service<App, GroupWriter>((app) => new GroupWriter(app));
