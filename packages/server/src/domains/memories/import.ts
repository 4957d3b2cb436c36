import { isDeepStrictEqual } from 'node:util';
import { filterErased } from '../../instance/erasure-ledger.ts';
import type { AppError } from '../../kernel/errors.ts';
import { releaseMemoryQuota, reserveMemoryQuota } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { compareVersions, type ImportOptions, type ImportOutcome } from '../import-outcome.ts';
import { indexNewDocuments, retryOnModelChange } from '../search-index/index.ts';
import { applyToIndex, type MemoryUpdate } from './change.ts';
import { type EmbeddedContent, embedContents, requireContentSize } from './embed.ts';
import { onMemoryChanges } from './hooks.ts';
import { isExpired, type MemoryRecord, referenceTimeOf, toDocumentAttributes } from './model.ts';
import { eraseLockedMemories } from './remove.ts';
import { findUnerasedMemories } from './store/checks.ts';
import { findDuplicate, insertMemories, lockMemories, saveMemories } from './store/memories.ts';
import { findTakenOrdinals } from './store/session-ordinals.ts';

/** A memory of an import, with the ids of this account. */
export interface MemoryToImport extends MemoryRecord {
  readonly access_count: number;
}

export interface ImportedMemory {
  readonly outcome: ImportOutcome;
  /** The memory that the account has for it; null: none. */
  readonly id: string | null;
}

interface ImportMemoriesOptions extends ImportOptions {
  /** What an earlier batch of a dry run would have created: it counts towards quotas. */
  readonly countedBefore: number;
  /** Locks sessions, and says which ordinal of each no memory has had yet. */
  readonly nextOrdinals: (inTx: TxCtx, ids: readonly string[]) => Promise<Map<string, number>>;
  /** Runs in the transaction that stores them. */
  readonly beforeCommit: (inTx: TxCtx, imported: readonly ImportedMemory[]) => Promise<void>;
}

/**
 * Stores memories of an import in one transaction, with their times and without an event for each.
 * Of a memory that exists, the later change counts; what was erased here stays erased. Throws
 * embedding_failed.
 */
export const importMemories = (
  ctx: Ctx,
  records: readonly MemoryToImport[],
  options: ImportMemoriesOptions,
): Promise<ImportedMemory[]> =>
  retryOnModelChange(ctx, async () => {
    const contents = await embedChanged(ctx, records, options);
    return withTransaction(ctx, async (inTx) => {
      const batch = new ImportBatch(inTx, contents, options);
      const imported = await batch.run(records);
      await options.beforeCommit(inTx, imported);
      return imported;
    });
  });

/** By id; without those that are stored with the same text, and those that are too large. */
async function embedChanged(
  ctx: Ctx,
  records: readonly MemoryToImport[],
  { isDryRun }: ImportOptions,
): Promise<Map<string, EmbeddedContent>> {
  const fitting = records.filter((record) => isFitting(ctx, record));
  const ids = fitting.map(({ id }) => id);
  const stored = await findUnerasedMemories(ctx.engine.db, ctx.actor.accountId, ids);
  const known = new Map(stored.map((memory) => [memory.id, memory]));
  const changed = fitting.filter((record) => {
    const before = known.get(record.id);
    return (
      before === undefined || (isNewText(before, record) && record.updated_at > before.updated_at)
    );
  });
  if (isDryRun || changed.length === 0) return new Map();
  const items = changed.map((record) => {
    return { content: record.content, occurred_at: referenceTimeOf(record) };
  });
  const contents = await embedContents(ctx, items, 'provisional');
  return new Map(
    changed.flatMap(({ id }, i): [string, EmbeddedContent][] => {
      const content = contents[i];
      return content ? [[id, content]] : [];
    }),
  );
}

function isFitting(ctx: Ctx, { content }: MemoryRecord): boolean {
  try {
    requireContentSize(ctx, content);
    return true;
  } catch {
    return false;
  }
}

const isNewText = (before: MemoryRecord, after: MemoryRecord): boolean =>
  before.content !== after.content ||
  referenceTimeOf(before).getTime() !== referenceTimeOf(after).getTime();

class ImportBatch {
  readonly #inTx: TxCtx;
  readonly #contents: ReadonlyMap<string, EmbeddedContent>;
  readonly #options: ImportMemoriesOptions;
  readonly #imported = new Map<MemoryToImport, ImportedMemory>();
  readonly #created: MemoryToImport[] = [];
  readonly #updated: MemoryUpdate[] = [];
  readonly #now: Date;

  constructor(
    inTx: TxCtx,
    contents: ReadonlyMap<string, EmbeddedContent>,
    options: ImportMemoriesOptions,
  ) {
    this.#inTx = inTx;
    this.#contents = contents;
    this.#options = options;
    this.#now = inTx.clock.now();
  }

  async run(records: readonly MemoryToImport[]): Promise<ImportedMemory[]> {
    const { tx, actor } = this.#inTx;
    const ids = records.map(({ id }) => id);
    const locked = await lockMemories(tx, actor.accountId, ids);
    const stored = new Map(locked.map((memory) => [memory.id, memory]));
    const erased = await filterErased(tx, 'memory', ids);
    for (const record of records) {
      const before = stored.get(record.id);
      if (before) await this.#update(before, record);
      else await this.#create(record, erased.has(record.id));
    }
    const created = await this.#reserve();
    if (!this.#options.isDryRun) {
      await this.#insert(created);
      await this.#save();
    }
    return records.map(
      (record) => this.#imported.get(record) ?? { outcome: 'unchanged', id: null },
    );
  }

  #skip(record: MemoryToImport, outcome: ImportOutcome, id: string | null = null): void {
    this.#imported.set(record, { outcome, id });
  }

  async #update(before: MemoryRecord, record: MemoryToImport): Promise<void> {
    if (isDeepStrictEqual(versionOf(before), versionOf(record)))
      return this.#skip(record, 'unchanged', before.id);
    const compared = compareVersions(before, record);
    if (compared !== 'updated') return this.#skip(record, compared, before.id);
    if (!isFitting(this.#inTx, record)) return this.#skip(record, 'content_too_large', before.id);
    if (before.protection_level === 'hard') return this.#skip(record, 'protected', before.id);
    const isDeletion = record.deleted_at !== null && before.deleted_at === null;
    if (isDeletion && !this.#options.appliesDeletions)
      return this.#skip(record, 'deletion_not_applied', before.id);
    const { session_id, session_ordinal, revision, quality_score, salience, salience_at } = before;
    const kept = { session_id, session_ordinal, quality_score, salience, salience_at };
    const after: MemoryRecord = { ...record, ...kept, revision: revision + 1 };
    const duplicate = after.deleted_at === null ? await this.#findDuplicate(after) : undefined;
    if (duplicate !== undefined) return this.#skip(record, 'duplicate', before.id);
    this.#skip(record, 'updated', before.id);
    const content = this.#contents.get(record.id);
    const isText = before.content !== after.content;
    this.#updated.push({
      before,
      after,
      ...(content && { [isText ? 'content' : 'terms']: content }),
    });
  }

  async #create(record: MemoryToImport, isErased: boolean): Promise<void> {
    if (isErased) return this.#skip(record, 'erased_in_account');
    if (isExpired(record, this.#now)) return this.#skip(record, 'expired');
    if (!isFitting(this.#inTx, record)) return this.#skip(record, 'content_too_large');
    const duplicate = record.deleted_at === null ? await this.#findDuplicate(record) : undefined;
    if (duplicate !== undefined) return this.#skip(record, 'duplicate', duplicate);
    this.#created.push(record);
  }

  /** Another memory with the same content in the database. */
  async #findDuplicate(record: MemoryRecord): Promise<string | undefined> {
    const id = await findDuplicate(this.#inTx.tx, record, this.#now);
    return id === record.id ? undefined : id;
  }

  /** Those that the quotas admit. */
  async #reserve(): Promise<MemoryToImport[]> {
    const { tx, actor } = this.#inTx;
    const { isDryRun, countedBefore } = this.#options;
    if (this.#created.length === 0) return [];
    const before = isDryRun ? countedBefore : 0;
    const request = { actor, count: this.#created.length + before };
    const { admitted, rejection } = await reserveMemoryQuota(tx, request, this.#now);
    if (isDryRun) await releaseMemoryQuota(tx, actor.accountId, admitted, this.#now);
    const count = Math.max(0, admitted - before);
    const reason = quotaReason(rejection);
    for (const record of this.#created.slice(count)) this.#skip(record, reason);
    const created = this.#created.slice(0, count);
    for (const record of created) this.#skip(record, 'created', record.id);
    return created;
  }

  async #insert(records: readonly MemoryToImport[]): Promise<void> {
    if (records.length === 0) return;
    const { tx, actor } = this.#inTx;
    const placed = await withFreeOrdinals(this.#inTx, records, this.#options.nextOrdinals);
    const stored = await insertMemories(tx, actor.accountId, placed);
    // Two of one batch may have the same content in the space that both are mapped to.
    const others = records.filter(({ id }) => !stored.has(id));
    for (const record of others)
      this.#skip(record, 'duplicate', (await this.#findDuplicate(record)) ?? null);
    await releaseMemoryQuota(tx, actor.accountId, others.length, this.#now);
    const created = placed.filter(({ id }) => stored.has(id));
    const changes = created.map((after) => ({ before: null, after, isImported: true }));
    await onMemoryChanges.run(this.#inTx, this.#inTx, changes);
    indexNewDocuments(
      this.#inTx,
      created.flatMap((record) => {
        const content = this.#contents.get(record.id);
        return content ? [{ ...toDocumentAttributes(record), content }] : [];
      }),
    );
  }

  async #save(): Promise<void> {
    const updates = this.#updated.filter(
      ({ before, after }) => !isDeepStrictEqual({ ...before }, { ...after }),
    );
    if (updates.length === 0) return;
    const changes = updates.map((update) => ({ ...update, isImported: true }));
    await onMemoryChanges.run(this.#inTx, this.#inTx, changes);
    await saveMemories(
      this.#inTx.tx,
      this.#inTx.actor.accountId,
      updates.map(({ after }) => after),
    );
    applyToIndex(this.#inTx, updates);
  }
}

/** What a client can change: with the same, two versions differ in their times only. */
const versionOf = (record: MemoryRecord) => ({
  space_id: record.space_id,
  content: record.content,
  tags: record.tags,
  metadata: record.metadata,
  priority: record.priority,
  is_pinned: record.is_pinned,
  protection_level: record.protection_level,
  occurred_at: record.occurred_at,
  expires_at: record.expires_at,
  verified_at: record.verified_at,
  deleted_at: record.deleted_at,
});

const quotaReason = (rejection: AppError | null): ImportOutcome =>
  rejection?.code === 'daily_limit_exceeded' ? 'daily_limit_exceeded' : 'quota_exceeded';

/** A session may have got memories since the export: theirs stay, imported ones come after them. */
async function withFreeOrdinals(
  inTx: TxCtx,
  records: readonly MemoryToImport[],
  nextOrdinals: ImportMemoriesOptions['nextOrdinals'],
): Promise<MemoryToImport[]> {
  const sessionIds = [...new Set(records.flatMap(({ session_id }) => session_id ?? []))];
  if (sessionIds.length === 0) return [...records];
  // Locks them, so that no other memory takes an ordinal.
  const next = await nextOrdinals(inTx, sessionIds);
  const all = await findTakenOrdinals(inTx.tx, inTx.actor.accountId, sessionIds);
  return records.map((record) => {
    const { session_id: id } = record;
    const taken = id === null ? undefined : all.get(id);
    if (id === null || taken === undefined) return record;
    const own = record.session_ordinal ?? 0;
    const following = next.get(id) ?? 1;
    const ordinal = own === 0 || taken.has(own) ? following : own;
    taken.add(ordinal);
    next.set(id, Math.max(following, ordinal + 1));
    return { ...record, session_ordinal: ordinal };
  });
}

/** An erasure in the exported account. */
export interface ErasureToImport {
  readonly id: string;
  readonly erased_at: Date;
}

/**
 * Erases memories that were erased in the exported account, unless they are hard-protected or have
 * changed since. `updated`: erased now. `unchanged`: the account does not have it.
 */
export async function importMemoryErasures(
  inTx: TxCtx,
  erasures: readonly ErasureToImport[],
  { isDryRun, appliesDeletions }: ImportOptions,
): Promise<ImportOutcome[]> {
  const { tx, actor } = inTx;
  const ids = erasures.map(({ id }) => id);
  const locked = await lockMemories(tx, actor.accountId, ids);
  const stored = new Map(locked.map((memory) => [memory.id, memory]));
  const outcomes = erasures.map(({ id, erased_at }): ImportOutcome => {
    const memory = stored.get(id);
    if (!memory) return 'unchanged';
    if (!appliesDeletions) return 'deletion_not_applied';
    if (memory.protection_level === 'hard') return 'protected';
    return memory.updated_at > erased_at ? 'newer_in_account' : 'updated';
  });
  const erased = erasures.flatMap(({ id }, i) => {
    const memory = stored.get(id);
    return memory && outcomes[i] === 'updated' ? [memory] : [];
  });
  if (erased.length > 0 && !isDryRun) await eraseLockedMemories(inTx, erased);
  return outcomes;
}
