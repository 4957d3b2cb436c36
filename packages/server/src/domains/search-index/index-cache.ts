import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import { metrics, timed } from '../../kernel/metrics/metrics.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WorkerThreadStopped } from '../../kernel/worker-thread.ts';
import type { App } from '../ctx.ts';
import { accountModels, ModelChanged } from './account-models.ts';
import { IndexLoader, type LoadedIndex } from './index-loader.ts';
import { type CommitFollower, commitFollowers } from './index-writes.ts';
import { modelScales } from './model-scales.ts';
import { readIndexPosition } from './store/documents.ts';
import type {
  AccountIndexSize,
  SalienceChange,
  SearchRequestKind,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './thread/protocol.ts';
import { SearchWorkerClient } from './thread/search-worker-client.ts';

/** Above this the least recently used accounts are evicted. */
const bytesMax = 1_000_000_000;
/** Loading so many transactions' changes takes a fraction of a second at most. */
const nearlyCurrentChanges = 100;
/** After so many documents from commits the size of an account is estimated again. */
const documentsPerSize = 500;

const emptySize: AccountIndexSize = { documents: 0, deletedDocuments: 0, bytes: 0 };

interface Entry extends LoadedIndex {
  /**
   * `current`: it has everything that this process has committed. `catching up`: it will, unless
   * more is committed meanwhile. `behind`: changes have to be read first.
   */
  state: 'behind' | 'catching up' | 'current';
  /** Documents taken from commits since its size was estimated. */
  unsized: number;
  /** Catch-ups of one account run sequentially. */
  lastCatchUp: Promise<void>;
  /** The catch-up that has not started yet: it serves every caller until it starts. */
  queuedCatchUp: Promise<void> | null;
}

/** A loaded account that a segment may be written of. */
export interface SegmentState {
  readonly accountId: string;
  /** That are live. */
  readonly documents: number;
  /** Estimated memory. */
  readonly bytes: number;
  /** Changes that no segment has. */
  readonly unsegmented: number;
}

interface WrittenSegment {
  readonly model: string;
  readonly position: number;
  readonly bytes: number;
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
  readonly #loader: IndexLoader;
  #worker: SearchWorkerClient | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#loader = new IndexLoader(app, {
      getWorker: () => this.#getWorker(),
      isCurrent: (accountId, entry) => this.#entries.get(accountId) === entry,
      setSize: (accountId, entry, size) => this.#setSize(accountId, entry, size),
    });
    commitFollowers.of(app).add((...commit) => this.#followCommit(...commit));
    app.disposables.defer(async () => {
      await this.#loader.stop();
      await this.#worker?.close();
    });
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
      if ('rows' in message) entry.unsegmented += message.rows.length;
    }
    entry.position = move.to;
    if (entry.unsized >= documentsPerSize) void this.#updateSize(accountId, entry);
  }

  async #updateSize(accountId: string, entry: Entry): Promise<void> {
    entry.unsized = 0;
    try {
      const size = await this.#getWorker().request({ kind: 'size', accountId });
      this.#setSize(accountId, entry, size);
    } catch (error) {
      // Its failure has dropped every account already.
      if (!(error instanceof WorkerThreadStopped)) throw error;
    }
  }

  #setSize(accountId: string, entry: LoadedIndex, size: AccountIndexSize): void {
    if (this.#entries.get(accountId) === entry) this.#bytes += size.bytes - entry.size.bytes;
    entry.size = size;
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
      unsegmented: 0,
      salienceSince: null,
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
  setSalience(accountId: string, values: readonly SalienceChange[]): void {
    if (!this.#entries.has(accountId)) return;
    this.#getWorker().post({ kind: 'salience', accountId, values });
  }

  /** The loaded accounts, with their live documents and the changes that no segment has. */
  listSegmentStates(): SegmentState[] {
    return [...this.#entries]
      .filter(([, { model, position }]) => model !== null && position > 0)
      .map(([accountId, { size, unsegmented }]) => ({
        accountId,
        documents: size.documents - size.deletedDocuments,
        bytes: size.bytes,
        unsegmented,
      }));
  }

  /** Another process has written a segment of everything that this one has loaded. */
  setSegmented(accountId: string, position: number): void {
    const entry = this.#entries.get(accountId);
    if (entry && position >= entry.position) entry.unsegmented = 0;
  }

  /** No segment has anything of the account: that which there was has been removed. */
  setUnsegmented(accountId: string): void {
    const entry = this.#entries.get(accountId);
    if (entry) entry.unsegmented = entry.size.documents;
  }

  /**
   * Writes the index of an account, with all that is committed, to a new file; null if it is not
   * loaded. Throws errors of the disk.
   */
  async writeSegment(accountId: string, id: string, file: string): Promise<WrittenSegment | null> {
    const entry = this.#entries.get(accountId);
    if (!entry) return null;
    // Behind a removal, it would have what was removed.
    await this.#waitForCatchUp(accountId, entry);
    if (!this.#isCurrent(accountId, entry) || entry.model === null || entry.position === 0) {
      return null;
    }
    const { model, position, unsegmented } = entry;
    const segment = await this.#loader.segmentIdentity(accountId, id, model);
    if (!this.#isCurrent(accountId, entry) || entry.model !== model) return null;
    const request = { kind: 'writeSegment', accountId, file, segment } as const;
    const bytes = await this.#getWorker().request(request);
    if (bytes === null || !this.#isCurrent(accountId, entry)) return null;
    entry.unsegmented -= unsegmented;
    return { model, position, bytes };
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
    const catchUp = () => this.#loader.catchUp(accountId, entry);
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

  /** Starts the thread before its first request. */
  startThread(): void {
    this.#getWorker(true);
  }

  #getWorker(isAhead = false): SearchWorkerClient {
    this.#worker ??= new SearchWorkerClient(
      { dimensions: this.#app.embedding.open.current.dimensions, isAhead },
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

export const indexCache = perApp<App, IndexCache>((app) => new IndexCache(app));
