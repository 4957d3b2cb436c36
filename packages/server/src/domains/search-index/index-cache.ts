import { AppError } from '../../kernel/errors.ts';
import { metrics, timed } from '../../kernel/metrics/metrics.ts';
import { Mutex } from '../../kernel/mutex.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WorkerThreadStopped } from '../../kernel/worker-thread.ts';
import type { App } from '../ctx.ts';
import { ModelChanged } from './account-models.ts';
import { searchAffinity } from './affinity/search-affinity.ts';
import { IndexLoader, type LoadedIndex } from './index-loader.ts';
import { type CommitFollower, commitFollowers } from './index-writes.ts';
import { type LoadedAccount, LoadedAccounts } from './loaded-accounts.ts';
import { modelScales } from './model-scales.ts';
import { OversizedAccounts } from './oversized-accounts.ts';
import { readIndexPosition } from './store/documents.ts';
import type {
  SalienceChange,
  SearchRequestKind,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './thread/protocol.ts';
import { SearchThreads } from './thread/search-threads.ts';
import type { SearchWorkerClient } from './thread/search-worker-client.ts';

/** After so long without a use an account that is larger than the limit leaves memory. */
const oversizedIdleMs = 300_000;
/** Loading so many transactions' changes takes a fraction of a second at most. */
const nearlyCurrentChanges = 100;
/** After so many documents from commits the size of an account is estimated again. */
const documentsPerSize = 500;

interface WrittenSegment {
  readonly model: string;
  readonly position: number;
  readonly bytes: number;
}

interface QueuedRun<K extends SearchRequestKind> {
  readonly answer: SearchWorkerRequests[K]['answer'];
  /** Changes that the thread had been sent before. */
  readonly sentAfter: number;
}

/**
 * Tracks which accounts the search threads have loaded and up to which position, and updates them.
 */
class IndexCache {
  readonly #app: App;
  readonly loaded: LoadedAccounts;
  readonly threads: SearchThreads;
  /** A segment is written by one thread at a time. */
  readonly #segmentWrites = new Mutex();
  readonly #loader: IndexLoader;
  readonly #oversized: OversizedAccounts;
  /** Called before an account that is larger than the limit leaves memory; it never rejects. */
  beforeRelease: (accountId: string) => Promise<void> = () => Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    this.#oversized = new OversizedAccounts({
      monotonicMs: () => app.clock.monotonicMs(),
      release: (accountId) => this.#releaseOversized(accountId),
    });
    this.loaded = new LoadedAccounts(app.config.index.bytesMax, this.#oversized);
    this.threads = new SearchThreads({
      count: app.config.index.searchThreads,
      clock: app.clock,
      workerOptions: () => ({ dimensions: app.embedding.open.current.dimensions }),
      onFailure: (error, hasLost) => {
        app.log.error({ err: error }, 'search thread stopped');
        metrics.of(app).count('mneme_search_thread_failures_total', {});
        this.loaded.deleteAll(hasLost);
      },
      onWarning: (error) => {
        app.log.warn({ err: error }, 'searches of large accounts have lost their second thread');
        metrics.of(app).count('mneme_search_thread_failures_total', {});
      },
    });
    this.#loader = new IndexLoader(app, {
      getWorker: (accountId) => this.#getWorker(accountId),
      isCurrent: (accountId, entry) => this.#isCurrent(accountId, entry),
      setSize: (accountId, entry, size) => this.loaded.setSize(accountId, entry, size),
      reserveMemory: async (accountId, bytes) => {
        if (bytes > this.loaded.bytesMax) await this.#oversized.add(accountId);
      },
    });
    commitFollowers.of(app).add((...commit) => this.#followCommit(...commit));
    app.disposables.defer(async () => {
      await this.#loader.stop();
      await this.threads.close();
    });
  }

  /**
   * The response of an index that has everything committed before this call, on any process: that
   * of the process that the account prefers, or of this one. Throws service_unavailable if the
   * account's thread stops twice or pauses after failures, ModelChanged if the request has a vector
   * of `model` and the account now uses another model.
   * @param requestEnd makes a signal after which nobody needs the answer of another process
   */
  async query<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model?: string,
    requestEnd?: () => AbortSignal,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    const search = { request: request as SearchWorkerRequest, model, isIfLoaded: false };
    const forwarded = await searchAffinity.of(this.#app).forward(search, requestEnd);
    return forwarded === null
      ? this.queryHere(request, model)
      : (forwarded.answer as SearchWorkerRequests[K]['answer']);
  }

  /** As `query`, always on the index of this process. */
  async queryHere<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model?: string,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    try {
      return await this.#query(request, model);
    } catch (error) {
      throw this.#toPublicError(request.accountId, error);
    }
  }

  /** As `query`, but throws WorkerThreadStopped. */
  async #query<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model?: string,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    await modelScales.of(this.#app).ensureFor(request);
    try {
      return await this.#queryOnce(request, model);
    } catch (error) {
      if (!(error instanceof WorkerThreadStopped)) throw error;
      return this.#queryOnce(request, model);
    }
  }

  #toPublicError(accountId: string, cause: unknown): unknown {
    if (!(cause instanceof WorkerThreadStopped)) return cause;
    const seconds = Math.ceil(this.threads.of(accountId).pauseMs / 1_000);
    return new AppError('service_unavailable', {
      message: 'The search index of this account is unavailable. Retry later.',
      headers: { 'retry-after': String(Math.max(1, seconds)) },
      cause,
    });
  }

  async #queryOnce<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string | undefined,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    const { accountId } = request;
    this.threads.of(accountId).checkAvailable();
    await this.#oversized.enter(accountId);
    try {
      return await this.#queryEntered(request, model);
    } finally {
      this.#oversized.leave(accountId);
    }
  }

  async #queryEntered<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string | undefined,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    const { accountId } = request;
    for (;;) {
      const entry = this.loaded.touch(accountId);
      // While the position is read, since mostly nothing has changed.
      const canRunEarly = entry.isQuiet && (model === undefined || entry.model === model);
      const early = canRunEarly ? this.#runQueued(entry, request) : null;
      // Awaited below, unless the account turns out to have changed.
      early?.catch(() => undefined);
      await this.#waitForCatchUp(accountId, entry);
      const { changes } = entry;
      if (this.#oversized.has(accountId)) await this.#oversized.add(accountId);
      this.#evictLeastRecentlyUsed(accountId);
      if (!this.#isCurrent(accountId, entry)) continue;
      if (model !== undefined && entry.model !== null && entry.model !== model) {
        throw new ModelChanged(accountId, entry.model);
      }
      const ranEarly = await early;
      const isValid = ranEarly !== null && ranEarly.sentAfter >= changes;
      const ran = isValid ? ranEarly : await this.#runQueued(entry, request);
      if (ran !== null) return ran.answer;
    }
  }

  /** Null if the account was evicted while the request waited in the queue. */
  #runQueued<K extends SearchRequestKind>(
    entry: LoadedAccount,
    request: SearchWorkerRequest<K>,
  ): Promise<QueuedRun<K> | null> {
    const thread = this.threads.of(request.accountId);
    return thread.requests.run(async () => {
      if (!this.#isCurrent(request.accountId, entry)) return null;
      const sentAfter = entry.changes;
      return { answer: await thread.getClient().request(request), sentAfter };
    });
  }

  /**
   * The response of an index that has everything that this process has committed before this call;
   * on PostgreSQL also what others have. Null if much would have to be loaded first, as after a
   * failure of the account's thread. Throws ModelChanged as `query` does.
   */
  async queryIfLoaded<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string,
  ): Promise<SearchWorkerRequests[K]['answer'] | null> {
    const search = { request: request as SearchWorkerRequest, model, isIfLoaded: true };
    const forwarded = await searchAffinity.of(this.#app).forward(search);
    return forwarded === null
      ? this.queryHereIfLoaded(request, model)
      : (forwarded.answer as SearchWorkerRequests[K]['answer'] | null);
  }

  /** As `queryIfLoaded`, always on the index of this process. */
  async queryHereIfLoaded<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string,
  ): Promise<SearchWorkerRequests[K]['answer'] | null> {
    try {
      return await this.#queryIfLoaded(request, model);
    } catch (error) {
      if (error instanceof WorkerThreadStopped) return null;
      throw error;
    }
  }

  async #queryIfLoaded<K extends SearchRequestKind>(
    request: SearchWorkerRequest<K>,
    model: string,
  ): Promise<SearchWorkerRequests[K]['answer'] | null> {
    const { accountId } = request;
    if (!modelScales.of(this.#app).isKnown(model)) return null;
    if (!this.#oversized.canEnter(accountId)) return null;
    const entry = this.loaded.get(accountId);
    if (entry?.state === 'current' && entry.model === model) {
      if (this.#app.engine.kind !== 'embedded') return this.#query(request, model);
      await this.#oversized.enter(accountId);
      const ran = await this.#runQueued(entry, request).finally(() =>
        this.#oversized.leave(accountId),
      );
      if (ran !== null) return ran.answer;
    }
    return (await this.#isNearlyCurrent(accountId)) ? this.#query(request, model) : null;
  }

  /** Takes what this process has committed to an account's index, if it lacks nothing before. */
  #followCommit(...[accountId, move, changes]: Parameters<CommitFollower>): void {
    const entry = this.loaded.get(accountId);
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
      entry.changes += 1;
      this.threads.of(accountId).post(message);
      if (message.kind === 'rows') entry.unsized += message.rows.length;
      if ('rows' in message) entry.unsegmented += message.rows.length;
    }
    entry.position = move.to;
    if (entry.unsized >= documentsPerSize) void this.#updateSize(accountId, entry);
  }

  async #updateSize(accountId: string, entry: LoadedAccount): Promise<void> {
    entry.unsized = 0;
    try {
      const size = await this.#getWorker(accountId).request({ kind: 'size', accountId });
      this.loaded.setSize(accountId, entry, size);
    } catch (error) {
      // Its failure has dropped every account already.
      if (!(error instanceof WorkerThreadStopped)) throw error;
    }
  }

  /** Whether a query has to load hardly anything first. */
  async #isNearlyCurrent(accountId: string): Promise<boolean> {
    const head = await readIndexPosition(this.#app.engine.db, accountId);
    const position = this.loaded.get(accountId)?.position ?? 0;
    return (head?.index_position ?? 0) - position <= nearlyCurrentChanges;
  }

  /** Resolves when the account has reached its position at this call, or a later one. */
  #waitForCatchUp(accountId: string, entry: LoadedAccount): Promise<void> {
    entry.queuedCatchUp ??= entry.lastCatchUp.then(() => {
      entry.queuedCatchUp = null;
      return this.#catchUpTracked(accountId, entry);
    });
    entry.lastCatchUp = entry.queuedCatchUp.catch(() => undefined);
    return entry.queuedCatchUp;
  }

  /**
   * False if the entry was dropped during a wait, because the account was evicted or erased. The
   * thread must then get no more messages for it: it may have loaded the account again, with newer
   * rows.
   */
  #isCurrent(accountId: string, entry: LoadedIndex): boolean {
    return this.loaded.get(accountId) === entry;
  }

  /** Sends new salience values to the index, if the account is loaded. */
  setSalience(accountId: string, values: readonly SalienceChange[]): void {
    if (!this.loaded.get(accountId)) return;
    this.threads.of(accountId).post({ kind: 'salience', accountId, values });
  }

  /**
   * Writes the index of an account, with all that is committed, to a new file; null if it is not
   * loaded. Throws errors of the disk.
   */
  async writeSegment(accountId: string, id: string, file: string): Promise<WrittenSegment | null> {
    const entry = this.loaded.get(accountId);
    if (!entry) return null;
    // Behind a removal, it would have what was removed.
    await this.#waitForCatchUp(accountId, entry);
    if (!this.#isCurrent(accountId, entry) || entry.model === null || entry.position === 0) {
      return null;
    }
    const { model, position, unsegmented } = entry;
    const segment = await this.#loader.segmentIdentity(accountId, id, model);
    if (!this.#isCurrent(accountId, entry) || entry.model !== model) return null;
    const bytes = await this.#segmentWrites.run(async () =>
      this.#isCurrent(accountId, entry)
        ? this.#getWorker(accountId).request({ kind: 'writeSegment', accountId, file, segment })
        : null,
    );
    if (bytes === null || !this.#isCurrent(accountId, entry)) return null;
    entry.unsegmented -= unsegmented;
    entry.hasSegment = true;
    return { model, position, bytes };
  }

  evict(accountId: string): void {
    if (!this.loaded.delete(accountId)) return;
    this.threads.of(accountId).post({ kind: 'drop', accountId });
  }

  async #catchUpTracked(accountId: string, entry: LoadedAccount): Promise<void> {
    entry.state = 'catching up';
    const { changes } = entry;
    const catchUp = () => this.#loader.catchUp(accountId, entry);
    try {
      if (entry.position > 0) await catchUp();
      else {
        await timed(this.#app, 'mneme_index_load_duration_seconds', {}, catchUp);
        this.#countOversizedLoad(accountId, entry);
      }
      entry.isQuiet = entry.changes === changes && entry.position > 0;
      // A commit meanwhile has set it to `behind`.
      if (entry.state === 'catching up') entry.state = 'current';
    } catch (error) {
      entry.state = 'behind';
      throw error;
    }
  }

  #countOversizedLoad(accountId: string, { hasSegment }: LoadedAccount): void {
    if (!this.#oversized.has(accountId)) return;
    const source = hasSegment ? 'segment' : 'database';
    metrics.of(this.#app).count('mneme_index_oversized_loads_total', { source });
  }

  #evictLeastRecentlyUsed(keptAccountId: string): void {
    for (const accountId of this.loaded.listExcess(keptAccountId)) {
      this.evict(accountId);
      metrics.of(this.#app).count('mneme_index_evictions_total', {});
    }
  }

  async #releaseOversized(accountId: string): Promise<void> {
    await this.beforeRelease(accountId);
    this.evict(accountId);
  }

  /** Takes an account that is larger than the limit out of memory if it is not used any more. */
  releaseIdle(): void {
    this.#oversized.releaseIdle(oversizedIdleMs);
  }

  #getWorker(accountId: string): SearchWorkerClient {
    return this.threads.of(accountId).getClient();
  }
}

export const indexCache = perApp<App, IndexCache>((app) => new IndexCache(app));
