import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import { metrics, timed } from '../../kernel/metrics/metrics.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WorkerThreadStopped } from '../../kernel/worker-thread.ts';
import type { App } from '../ctx.ts';
import type { DocumentRow } from './account/account-index.ts';
import { accountModels, ModelChanged } from './account-models.ts';
import { type CommitFollower, commitFollowers } from './index-writes.ts';
import { modelScales } from './model-scales.ts';
import { readDocumentChanges, readIndexPosition } from './store/documents.ts';
import { findEmbeddingModel, findModelScale } from './store/models.ts';
import { readVectorChanges } from './store/provisional-vectors.ts';
import type {
  AccountIndexSize,
  SalienceChange,
  SearchRequestKind,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './thread/protocol.ts';
import { SearchWorkerClient } from './thread/search-worker-client.ts';

/** Limits of a page of changes that is read and sent to the thread. */
const pageLimits = { rows: 2_000, bytes: 8_000_000 };
/** Above this the least recently used accounts are evicted. */
const bytesMax = 1_000_000_000;
/** Loading so many transactions' changes takes a fraction of a second at most. */
const nearlyCurrentChanges = 100;
/** An index of mostly dead documents is slow to search: reloading is better. */
const reloadMinDocuments = 1_000;
/** After so many documents from commits the size of an account is estimated again. */
const documentsPerSize = 500;

const emptySize: AccountIndexSize = { documents: 0, deletedDocuments: 0, bytes: 0 };

interface Entry {
  /** Null until it is loaded. */
  model: string | null;
  /** Of the scale of the model; 0: none. */
  scaleRevision: number;
  position: number;
  /**
   * `current`: it has everything that this process has committed. `catching up`: it will, unless
   * more is committed meanwhile. `behind`: changes have to be read first.
   */
  state: 'behind' | 'catching up' | 'current';
  size: AccountIndexSize;
  /** Documents taken from commits since its size was estimated. */
  unsized: number;
  /** Catch-ups of one account run sequentially. */
  lastCatchUp: Promise<void>;
  /** The catch-up that has not started yet: it serves every caller until it starts. */
  queuedCatchUp: Promise<void> | null;
}

const evicted = Symbol('dropped');

/**
 * Tracks which accounts the search thread has loaded and up to which position, and updates them.
 */
class IndexCache {
  readonly #app: App;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  /** Sum over all entries. */
  #bytes = 0;
  /** Two at once: one waits in the thread while the other is processed. */
  readonly #requests = new FairSemaphore(2);
  #worker: SearchWorkerClient | undefined;

  constructor(app: App) {
    this.#app = app;
    commitFollowers.of(app).add((...commit) => this.#followCommit(...commit));
    app.disposables.defer(async () => this.#worker?.close());
  }

  /**
   * The response of an index that has everything committed before this call, on any process. Throws
   * WorkerThreadStopped if the thread stops twice, ModelChanged if the request has a vector of
   * `model` and the account now uses another model.
   */
  async query<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model?: string,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    if (comparesVectors(request)) await this.#ensureScale(request.accountId);
    try {
      return await this.#queryOnce(request, model);
    } catch (error) {
      if (!(error instanceof WorkerThreadStopped)) throw error;
      return this.#queryOnce(request, model);
    }
  }

  async #ensureScale(accountId: string): Promise<void> {
    const model = await accountModels.of(this.#app).get(accountId);
    await modelScales.of(this.#app).ensure(model);
  }

  async #queryOnce<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string | undefined,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    const { accountId } = request;
    for (;;) {
      const entry = this.#touchEntry(accountId);
      await this.#waitForCatchUp(accountId, entry);
      this.#evictLeastRecentlyUsed(accountId);
      if (!this.#isCurrent(accountId, entry)) continue;
      if (model !== undefined && entry.model !== null && entry.model !== model) {
        throw new ModelChanged(accountId, entry.model);
      }
      const response = await this.#runQueued(entry, request);
      if (response !== evicted) return response;
    }
  }

  /** `dropped` if the account was evicted while the request waited in the queue. */
  #runQueued<K extends SearchRequestKind>(
    entry: Entry,
    request: SearchWorkerRequest<K>,
  ): Promise<SearchWorkerRequests[K]['answer'] | typeof evicted> {
    return this.#requests.run(async () =>
      this.#isCurrent(request.accountId, entry) ? this.#getWorker().request(request) : evicted,
    );
  }

  /**
   * The response of an index that has everything that this process has committed before this call;
   * on PostgreSQL also what others have. Null if much would have to be loaded first. Throws as
   * `query` does.
   */
  async queryIfLoaded<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string,
  ): Promise<SearchWorkerRequests[K]['answer'] | null> {
    const { accountId } = request;
    if (!modelScales.of(this.#app).isKnown(model)) return null;
    const entry = this.#entries.get(accountId);
    if (entry?.state === 'current' && entry.model === model) {
      if (this.#app.engine.kind !== 'embedded') return this.query(request, model);
      const response = await this.#runQueued(entry, request);
      if (response !== evicted) return response;
    }
    return (await this.#isNearlyCurrent(accountId)) ? this.query(request, model) : null;
  }

  /** Takes what this process has committed to an account's index, if it lacks nothing before. */
  #followCommit(...[accountId, move, changes]: Parameters<CommitFollower>): void {
    const entry = this.#entries.get(accountId);
    if (!entry) return;
    const model = move.model ?? this.#app.embedding.open.current.model;
    const isNext = entry.state === 'current' && entry.position === move.from;
    const target = { accountId, model, position: move.to };
    const messages =
      isNext && entry.model === model ? changes.map((change) => change(target)) : [null];
    if (messages.includes(null)) {
      entry.state = 'behind';
      return;
    }
    for (const message of messages) {
      if (!message) continue;
      this.#getWorker().post(message);
      if (message.kind === 'rows') entry.unsized += message.rows.length;
    }
    entry.position = move.to;
    if (entry.unsized >= documentsPerSize) void this.#updateSize(accountId, entry);
  }

  async #updateSize(accountId: string, entry: Entry): Promise<void> {
    entry.unsized = 0;
    try {
      const size = await this.#getWorker().request({ kind: 'size', accountId });
      if (this.#isCurrent(accountId, entry)) this.#bytes += size.bytes - entry.size.bytes;
      entry.size = size;
    } catch (error) {
      // Its failure has dropped every account already.
      if (!(error instanceof WorkerThreadStopped)) throw error;
    }
  }

  /** Whether a query has to load hardly anything first. */
  async #isNearlyCurrent(accountId: string): Promise<boolean> {
    const head = await readIndexPosition(this.#app.engine.db, accountId);
    const position = this.#entries.get(accountId)?.position ?? 0;
    return (head?.index_position ?? 0) - position <= nearlyCurrentChanges;
  }

  /** Resolves when the account has reached its position at this call, or a later one. */
  #waitForCatchUp(accountId: string, entry: Entry): Promise<void> {
    entry.queuedCatchUp ??= entry.lastCatchUp.then(() => {
      entry.queuedCatchUp = null;
      return this.#catchUpTracked(accountId, entry);
    });
    entry.lastCatchUp = entry.queuedCatchUp.catch(() => undefined);
    return entry.queuedCatchUp;
  }

  /** Returns the account's entry and marks it as the most recently used. */
  #touchEntry(accountId: string): Entry {
    const lastCatchUp = Promise.resolve();
    const entry: Entry = this.#entries.get(accountId) ?? {
      model: null,
      scaleRevision: 0,
      position: 0,
      state: 'behind',
      size: emptySize,
      unsized: 0,
      lastCatchUp,
      queuedCatchUp: null,
    };
    this.#entries.delete(accountId);
    this.#entries.set(accountId, entry);
    return entry;
  }

  /**
   * False if the entry was dropped during a wait, because the account was evicted or erased. The
   * thread must then get no more messages for it: it may have loaded the account again, with newer
   * rows.
   */
  #isCurrent(accountId: string, entry: Entry): boolean {
    return this.#entries.get(accountId) === entry;
  }

  /** Sends new salience values to the index, if the account is loaded. */
  setSalience(accountId: string, values: readonly SalienceChange[], atMs: number): void {
    if (!this.#entries.has(accountId)) return;
    this.#getWorker().post({ kind: 'salience', accountId, values, atMs });
  }

  evict(accountId: string): void {
    const entry = this.#entries.get(accountId);
    if (!entry) return;
    this.#entries.delete(accountId);
    this.#bytes -= entry.size.bytes;
    this.#getWorker().post({ kind: 'drop', accountId });
  }

  /** The accounts, their documents and their estimated memory. */
  get loaded(): { readonly accounts: number; readonly documents: number; readonly bytes: number } {
    const sizes = [...this.#entries.values()].map(({ size }) => size.documents);
    const documents = sizes.reduce((sum, size) => sum + size, 0);
    return { accounts: sizes.length, documents, bytes: this.#bytes };
  }

  async #catchUpTracked(accountId: string, entry: Entry): Promise<void> {
    entry.state = 'catching up';
    const catchUp = () => this.#catchUp(accountId, entry);
    try {
      if (entry.position > 0) await catchUp();
      else await timed(this.#app, 'mneme_index_load_duration_seconds', {}, catchUp);
      // A commit meanwhile has set it to `behind`.
      if (entry.state === 'catching up') entry.state = 'current';
    } catch (error) {
      entry.state = 'behind';
      throw error;
    }
  }

  /**
   * Sends all changes since the entry's position to the thread. Reloads the account if its model
   * has changed, if most loaded documents are dead, or if tombstones were pruned that the thread
   * has not seen. After each wait the account may have been dropped.
   */
  async #catchUp(accountId: string, entry: Entry): Promise<void> {
    const { db } = this.#app.engine;
    for (;;) {
      const head = await readIndexPosition(db, accountId);
      if (!head) return;
      const model = head.model ?? this.#app.embedding.open.current.model;
      const isCurrentScale = head.scale_revision === entry.scaleRevision;
      if (model === entry.model && isCurrentScale && head.index_position === entry.position) return;
      const { documents, deletedDocuments } = entry.size;
      const needsReload = documents > reloadMinDocuments && deletedDocuments > documents / 2;
      if (model !== entry.model || needsReload) await this.#reset(accountId, entry, model);
      if (head.scale_revision !== entry.scaleRevision)
        await this.#applyScale(accountId, entry, model);
      await this.#applyChanges(accountId, entry, model);
      // A whole load has read the vectors with their documents.
      if (entry.position > 0) await this.#applyVectorChanges(accountId, entry, model);
      // Read after the rows, so that a tombstone pruned or a model changed in between is
      // detected.
      const latest = await readIndexPosition(db, accountId);
      if (!this.#isCurrent(accountId, entry)) return;
      if ((latest?.model ?? model) !== model) continue;
      if (entry.position > 0 && entry.position < (latest?.compaction_cursor ?? 0)) {
        await this.#reset(accountId, entry, model);
        continue;
      }
      // Rows committed since are beyond the head; they are read next time.
      entry.position = head.index_position;
      const size = await this.#getWorker().request({ kind: 'size', accountId });
      if (this.#isCurrent(accountId, entry)) this.#bytes += size.bytes - entry.size.bytes;
      entry.size = size;
      return;
    }
  }

  async #reset(accountId: string, entry: Entry, model: string): Promise<void> {
    const { engine, embedding } = this.#app;
    const embedder = embedding.open.current;
    const { dimensions } =
      model === embedder.model
        ? embedder
        : ((await findEmbeddingModel(engine.db, model)) ?? embedder);
    if (!this.#isCurrent(accountId, entry)) return;
    this.#getWorker().post({ kind: 'open', accountId, dimensions });
    accountModels.of(this.#app).set(accountId, model);
    Object.assign(entry, { model, scaleRevision: 0, position: 0 });
  }

  async #applyScale(accountId: string, entry: Entry, model: string): Promise<void> {
    const { revision, scale } = await findModelScale(this.#app.engine.db, model);
    if (!this.#isCurrent(accountId, entry)) return;
    this.#getWorker().post({ kind: 'scale', accountId, scale });
    entry.scaleRevision = revision;
  }

  async #applyChanges(accountId: string, entry: Entry, model: string): Promise<void> {
    const { engine } = this.#app;
    let after = { position: entry.position, id: maxUuid };
    for (;;) {
      const { rows, next } = await readDocumentChanges(
        engine.db,
        accountId,
        after,
        model,
        pageLimits,
      );
      if (rows.length === 0 || !this.#isCurrent(accountId, entry)) return;
      this.#getWorker().post({ kind: 'rows', accountId, rows: rows.map(toTransferable) });
      if (next === null) return;
      after = next;
      // The thread parses one page while the next is read; at most one page waits.
      await this.#getWorker().request({ kind: 'size', accountId });
    }
  }

  async #applyVectorChanges(accountId: string, entry: Entry, model: string): Promise<void> {
    const { db } = this.#app.engine;
    let after = { position: entry.position, id: maxUuid };
    for (;;) {
      const { rows, next } = await readVectorChanges(db, accountId, after, model, pageLimits);
      if (rows.length === 0 || !this.#isCurrent(accountId, entry)) return;
      const copied = rows.map(({ id, vector, passages }) => ({
        id,
        vector: new Uint8Array(vector),
        passages: passages && new Uint8Array(passages),
      }));
      this.#getWorker().post({ kind: 'vectors', accountId, rows: copied });
      if (next === null) return;
      after = next;
    }
  }

  #evictLeastRecentlyUsed(keptAccountId: string): void {
    for (const [accountId, { size }] of this.#entries) {
      if (this.#bytes <= bytesMax) return;
      // An account that is loading for the first time has no size yet; evicting it only restarts
      // it.
      if (accountId === keptAccountId || size === emptySize) continue;
      this.evict(accountId);
      metrics.of(this.#app).count('mneme_index_evictions_total', {});
    }
  }

  #getWorker(): SearchWorkerClient {
    this.#worker ??= new SearchWorkerClient(
      { dimensions: this.#app.embedding.open.current.dimensions },
      (error) => {
        this.#app.log.error({ err: error }, 'search thread stopped; restarting');
        this.#worker = undefined;
        this.#entries.clear();
        this.#bytes = 0;
      },
    );
    return this.#worker;
  }
}

/** Whether the response depends on the scale of the model's cosines. */
const comparesVectors = (request: SearchWorkerRequest): boolean =>
  'query' in request &&
  ('vector' in request.query
    ? request.query.vector !== null
    : 'scale' in request.query && request.query.scale === 'encoder');

/** Copies the bytes: a view would transfer the whole buffer that it is part of. */
const toTransferable = (row: DocumentRow): DocumentRow => ({
  ...row,
  vector: row.vector && new Uint8Array(row.vector),
  passages: row.passages && new Uint8Array(row.passages),
});

/** Sorts after every id: the position has been read completely. */
const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const indexCache = perApp<App, IndexCache>((app) => new IndexCache(app));
