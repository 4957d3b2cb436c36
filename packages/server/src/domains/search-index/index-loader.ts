import type { App } from '../ctx.ts';
import type { DocumentRow } from './account/document-row.ts';
import { accountModels } from './account-models.ts';
import { isFitted } from './model-scales.ts';
import type { SegmentIdentity } from './segments/format.ts';
import { segmentFiles } from './segments/segment-files.ts';
import {
  type IndexPosition,
  readDocumentChanges,
  readIndexPosition,
  readScaledIndexPosition,
  startAfter,
} from './store/documents.ts';
import { findEmbeddingModel, findModelScale } from './store/models.ts';
import { readVectorChanges } from './store/provisional-vectors.ts';
import { readSalienceSince } from './store/segments.ts';
import type { AccountIndexSize, SearchWorkerMessage } from './thread/protocol.ts';
import type { SearchWorkerClient } from './thread/search-worker-client.ts';

/** Limits of a page of changes that is read and sent to the thread. */
const pageLimits = { rows: 2_000, bytes: 8_000_000 };
/** An index of mostly dead documents is slow to search: reloading is better. */
const reloadMinDocuments = 1_000;
/** Salience is written within a minute, by clocks that differ. */
const salienceOverlapMs = 300_000;

/** What is known of an account's index in the thread. */
export interface LoadedIndex {
  /** Null until it is loaded. */
  model: string | null;
  /** Of the scale of the model; 0: none. */
  scaleRevision: number;
  position: number;
  size: AccountIndexSize;
  /** Whether there is a segment that has a part of it. */
  hasSegment: boolean;
  /** Changes that no segment has. */
  unsegmented: number;
  /** Counts what was sent to the thread that changes documents, vectors or the scale. */
  changes: number;
  /** Values of salience since then are still to be read; null: none. */
  salienceSince: Date | null;
}

interface LoaderOptions {
  /** The thread of the account. */
  getWorker(accountId: string): SearchWorkerClient;
  /**
   * False if it was dropped during a wait: the thread must then get no more messages for it, since
   * it may have loaded the account again, with newer rows.
   */
  isCurrent(accountId: string, index: LoadedIndex): boolean;
  setSize(accountId: string, index: LoadedIndex, size: AccountIndexSize): void;
  /** Called as a load proceeds, with its memory so far; the load waits until it resolves. */
  reserveMemory(accountId: string, bytes: number): Promise<void>;
}

/** Loads the indexes of accounts and their changes from segments and from the tables. */
export class IndexLoader {
  readonly #app: App;
  readonly #options: LoaderOptions;
  /** The running updates of salience. */
  readonly #refreshes = new Set<Promise<void>>();
  #isStopped = false;

  constructor(app: App, options: LoaderOptions) {
    this.#app = app;
    this.#options = options;
  }

  /** Resolves when no update of salience runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#refreshes);
  }

  /**
   * Sends all changes since the entry's position to the thread. Reloads the account if its model
   * has changed, if most loaded documents are dead, or if tombstones were pruned that the thread
   * has not seen. After each wait the account may have been dropped.
   */
  async catchUp(accountId: string, entry: LoadedIndex): Promise<void> {
    const { db } = this.#app.engine;
    for (;;) {
      const head = await this.#readHead(accountId, entry.model);
      if (!head) return;
      const model = head.model ?? this.#app.embedding.open.current.model;
      // Undefined, if the model has become another one: then it is still to be read.
      const isCurrentScale = (): boolean =>
        isFitted(model) || head.scale_revision === entry.scaleRevision;
      const isCurrent = model === entry.model && head.index_position === entry.position;
      if (isCurrent && isCurrentScale()) return;
      const { documents, deletedDocuments } = entry.size;
      const needsReload = documents > reloadMinDocuments && deletedDocuments > documents / 2;
      if (model !== entry.model || needsReload) {
        await this.#reset(accountId, entry, model);
        await this.#loadSegment(accountId, entry, model);
      }
      if (!isCurrentScale()) await this.#applyScale(accountId, entry, model);
      await this.#applyChanges(accountId, entry, model);
      // A whole load has read the vectors with their documents.
      if (entry.position > 0) await this.#applyVectorChanges(accountId, entry, model);
      // Read after the rows, so that a tombstone pruned or a model changed in between is
      // detected.
      const latest = await readIndexPosition(db, accountId);
      if (!this.#options.isCurrent(accountId, entry)) return;
      if ((latest?.model ?? model) !== model) continue;
      if (entry.position > 0 && entry.position < (latest?.compaction_cursor ?? 0)) {
        await this.#reset(accountId, entry, model);
        continue;
      }
      // Rows committed since are beyond the head; they are read next time.
      entry.position = head.index_position;
      const size = await this.#options.getWorker(accountId).request({ kind: 'size', accountId });
      this.#options.setSize(accountId, entry, size);
      this.#startSalienceRefresh(accountId, entry);
      return;
    }
  }

  /** Without the revision of the scale, if the account's model, as far as known, has none. */
  #readHead(
    accountId: string,
    knownModel: string | null,
  ): Promise<(IndexPosition & { readonly scale_revision?: number }) | undefined> {
    const { db } = this.#app.engine;
    return knownModel !== null && isFitted(knownModel)
      ? readIndexPosition(db, accountId)
      : readScaledIndexPosition(db, accountId);
  }

  #post(entry: LoadedIndex, message: SearchWorkerMessage & { readonly accountId: string }): void {
    entry.changes += 1;
    this.#options.getWorker(message.accountId).post(message);
  }

  async #reset(accountId: string, entry: LoadedIndex, model: string): Promise<void> {
    const dimensions = await this.#dimensionsOf(model);
    if (!this.#options.isCurrent(accountId, entry)) return;
    this.#post(entry, { kind: 'open', accountId, dimensions });
    accountModels.of(this.#app).set(accountId, model);
    Object.assign(entry, {
      model,
      scaleRevision: 0,
      position: 0,
      hasSegment: false,
      unsegmented: 0,
      salienceSince: null,
    });
  }

  /** What a segment of an account's index is of. */
  async segmentIdentity(accountId: string, id: string, model: string): Promise<SegmentIdentity> {
    const dimensions = await this.#dimensionsOf(model);
    return { id, accountId, model, dimensions, release: this.#app.version };
  }

  async #dimensionsOf(model: string): Promise<number> {
    const { engine, embedding } = this.#app;
    const embedder = embedding.open.current;
    const known = model === embedder.model ? embedder : await findEmbeddingModel(engine.db, model);
    return (known ?? embedder).dimensions;
  }

  /** Loads the newest usable segment of an account that was reset; without one it stays empty. */
  async #loadSegment(accountId: string, entry: LoadedIndex, model: string): Promise<void> {
    const files = segmentFiles.of(this.#app);
    const segment = await files.load(accountId, model, async (id, file) => {
      const identity = await this.segmentIdentity(accountId, id, model);
      await this.#options.reserveMemory(accountId, await files.sizeOf(file));
      if (!this.#options.isCurrent(accountId, entry)) return { result: 'dropped', message: '' };
      return this.#options
        .getWorker(accountId)
        .request({ kind: 'loadSegment', accountId, file, segment: identity });
    });
    if (!segment || !this.#options.isCurrent(accountId, entry)) return;
    entry.changes += 1;
    entry.position = segment.position;
    entry.hasSegment = true;
    entry.salienceSince = new Date(segment.created_at.getTime() - salienceOverlapMs);
  }

  /** After a load, which it would delay: the ranking tolerates older values meanwhile. */
  #startSalienceRefresh(accountId: string, entry: LoadedIndex): void {
    const since = entry.salienceSince;
    if (!since) return;
    entry.salienceSince = null;
    const refresh = this.#refreshSalience(accountId, entry, since)
      .catch((error: unknown) => this.#app.log.warn({ err: error }, 'salience reading failed'))
      .finally(() => this.#refreshes.delete(refresh));
    this.#refreshes.add(refresh);
  }

  /** Values that a segment lacks: they have no position. */
  async #refreshSalience(accountId: string, entry: LoadedIndex, since: Date): Promise<void> {
    for (let after: string | null = null; ; ) {
      const { rows, next } = await readSalienceSince(this.#app.engine.db, accountId, since, after);
      if (this.#isStopped || !this.#options.isCurrent(accountId, entry)) return;
      const values = rows.map(({ id, salience, salience_at: at }) => ({
        id,
        salience,
        atMs: at.getTime(),
      }));
      if (values.length > 0) {
        this.#options.getWorker(accountId).post({ kind: 'salience', accountId, values });
      }
      if (next === null) return;
      after = next;
    }
  }

  async #applyScale(accountId: string, entry: LoadedIndex, model: string): Promise<void> {
    const { revision, scale } = await findModelScale(this.#app.engine.db, model);
    if (!this.#options.isCurrent(accountId, entry)) return;
    this.#post(entry, { kind: 'scale', accountId, scale });
    entry.scaleRevision = revision;
  }

  async #applyChanges(accountId: string, entry: LoadedIndex, model: string): Promise<void> {
    const { engine } = this.#app;
    let after = startAfter(entry.position);
    for (;;) {
      const { rows, next } = await readDocumentChanges(
        engine.db,
        accountId,
        after,
        model,
        pageLimits,
      );
      if (rows.length === 0 || !this.#options.isCurrent(accountId, entry)) return;
      this.#post(entry, { kind: 'rows', accountId, rows: rows.map(toTransferable) });
      entry.unsegmented += rows.length;
      if (next === null) return;
      after = next;
      // The thread parses one page while the next is read; at most one page waits.
      const { bytes } = await this.#options
        .getWorker(accountId)
        .request({ kind: 'size', accountId });
      await this.#options.reserveMemory(accountId, bytes);
      if (!this.#options.isCurrent(accountId, entry)) return;
    }
  }

  async #applyVectorChanges(accountId: string, entry: LoadedIndex, model: string): Promise<void> {
    const { db } = this.#app.engine;
    let after = startAfter(entry.position);
    for (;;) {
      const { rows, next } = await readVectorChanges(db, accountId, after, model, pageLimits);
      if (rows.length === 0 || !this.#options.isCurrent(accountId, entry)) return;
      const copied = rows.map(({ id, vector, passages }) => ({
        id,
        vector: new Uint8Array(vector),
        passages: passages && new Uint8Array(passages),
      }));
      this.#post(entry, { kind: 'vectors', accountId, rows: copied });
      entry.unsegmented += rows.length;
      if (next === null) return;
      after = next;
    }
  }
}

/** Copies the bytes: a view would transfer the whole buffer that it is part of. */
export const toTransferable = (row: DocumentRow): DocumentRow => ({
  ...row,
  vector: row.vector && new Uint8Array(row.vector),
  passages: row.passages && new Uint8Array(row.passages),
});
