import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import { perApp } from '../../kernel/per-app.ts';
import { ThreadStopped } from '../../kernel/thread.ts';
import type { App } from '../ctx.ts';
import type { DocumentRow } from './account/account-index.ts';
import { ModelChanged, modelRegistry } from './model-registry.ts';
import { readChanges, readIndexPosition } from './store/documents.ts';
import { findModel } from './store/models.ts';
import type {
  AccountSize,
  SalienceChange,
  SearchRequestKind,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './thread/protocol.ts';
import { SearchWorkerClient } from './thread/search-worker-client.ts';

/** A page of changes, as it is read and told to the thread. */
const pageLimits = { rows: 2_000, bytes: 8_000_000 };
/** Beyond this the least recently used accounts are dropped. */
const bytesMax = 1_000_000_000;
/** Mostly dead documents make searches slow: then loading afresh is better. */
const reloadMinDocuments = 1_000;

const emptySize: AccountSize = { documents: 0, deletedDocuments: 0, bytes: 0 };

interface Entry {
  /** Null until it is loaded. */
  model: string | null;
  position: number;
  size: AccountSize;
  /** Catch-ups of one account run one after the other. */
  lastCatchUp: Promise<void>;
  /** The one that has not begun yet: it serves everybody who comes until it does. */
  queuedCatchUp: Promise<void> | null;
}

const evicted = Symbol('dropped');

/** Which accounts the search thread holds, and up to where; it brings them up to date. */
class IndexCache {
  readonly #app: App;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  /** Of all entries together. */
  #bytes = 0;
  /** Two at once: one waits in the thread while the other is answered. */
  readonly #requests = new FairSemaphore(2);
  #worker: SearchWorkerClient | undefined;

  constructor(app: App) {
    this.#app = app;
    app.disposables.defer(async () => this.#worker?.close());
  }

  /**
   * An answer from an index that holds everything committed before this call, on any process.
   * Throws ThreadStopped when the thread stops twice, ModelChanged where a vector of `model` is
   * asked with and the account is searched by another.
   */
  async query<K extends SearchRequestKind>(
    asking: SearchWorkerRequest<K>,
    model?: string,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    try {
      return await this.#queryOnce(asking, model);
    } catch (error) {
      if (!(error instanceof ThreadStopped)) throw error;
      return this.#queryOnce(asking, model);
    }
  }

  async #queryOnce<K extends SearchRequestKind>(
    asking: SearchWorkerRequest<K>,
    model: string | undefined,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    const { accountId } = asking;
    for (;;) {
      const entry = this.#touchEntry(accountId);
      await this.#waitForCatchUp(accountId, entry);
      this.#evictLeastRecentlyUsed(accountId);
      if (!this.#isCurrent(accountId, entry)) continue;
      if (model !== undefined && entry.model !== null && entry.model !== model) {
        throw new ModelChanged(accountId, entry.model);
      }
      const answer = await this.#runQueued(entry, asking);
      if (answer !== evicted) return answer;
    }
  }

  /** `dropped` where another account took its room while it waited for its turn. */
  #runQueued<K extends SearchRequestKind>(
    entry: Entry,
    asking: SearchWorkerRequest<K>,
  ): Promise<SearchWorkerRequests[K]['answer'] | typeof evicted> {
    return this.#requests.run(async () =>
      this.#isCurrent(asking.accountId, entry) ? this.#getWorker().request(asking) : evicted,
    );
  }

  /** Resolves when the account is where it was at this call, or further. */
  #waitForCatchUp(accountId: string, entry: Entry): Promise<void> {
    entry.queuedCatchUp ??= entry.lastCatchUp.then(() => {
      entry.queuedCatchUp = null;
      return this.#catchUp(accountId, entry);
    });
    entry.lastCatchUp = entry.queuedCatchUp.catch(() => undefined);
    return entry.queuedCatchUp;
  }

  /** The account's entry, as the one that was used last. */
  #touchEntry(accountId: string): Entry {
    const lastCatchUp = Promise.resolve();
    const fresh = { model: null, position: 0, size: emptySize, lastCatchUp, queuedCatchUp: null };
    const entry: Entry = this.#entries.get(accountId) ?? fresh;
    this.#entries.delete(accountId);
    this.#entries.set(accountId, entry);
    return entry;
  }

  /**
   * False where it was dropped while something was waited for: another account took its room, or
   * it was erased. Then the thread must not be told of it any more, since by now it may hold the
   * account anew, and newer rows.
   */
  #isCurrent(accountId: string, entry: Entry): boolean {
    return this.#entries.get(accountId) === entry;
  }

  /** Tells the index what salience is now, where the account is loaded. */
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

  /**
   * Tells the thread what changed since the entry's position. From the beginning where the account
   * has got another model, where most of what is held is dead, and where tombstones are forgotten
   * that it has not seen. After each wait the account may have been dropped.
   */
  async #catchUp(accountId: string, entry: Entry): Promise<void> {
    const { db } = this.#app.engine;
    for (;;) {
      const head = await readIndexPosition(db, accountId);
      if (!head) return;
      const model = head.model ?? this.#app.embedder.model;
      if (model === entry.model && head.indexed_to === entry.position) return;
      const { documents, deletedDocuments } = entry.size;
      const isWorn = documents > reloadMinDocuments && deletedDocuments > documents / 2;
      if (model !== entry.model || isWorn) await this.#reset(accountId, entry, model);
      await this.#applyChanges(accountId, entry, model);
      // Asked after the rows were read: a removal forgotten, and a model left, in between is then
      // known of, too.
      const since = await readIndexPosition(db, accountId);
      if (!this.#isCurrent(accountId, entry)) return;
      if ((since?.model ?? model) !== model) continue;
      if (entry.position > 0 && entry.position < (since?.compacted_to ?? 0)) {
        await this.#reset(accountId, entry, model);
        continue;
      }
      // Rows committed since are past the head; they are read again next time.
      entry.position = head.indexed_to;
      const size = await this.#getWorker().request({ kind: 'size', accountId });
      if (this.#isCurrent(accountId, entry)) this.#bytes += size.bytes - entry.size.bytes;
      entry.size = size;
      return;
    }
  }

  async #reset(accountId: string, entry: Entry, model: string): Promise<void> {
    const { engine, embedder } = this.#app;
    const { dimensions } =
      model === embedder.model ? embedder : ((await findModel(engine.db, model)) ?? embedder);
    if (!this.#isCurrent(accountId, entry)) return;
    this.#getWorker().post({ kind: 'open', accountId, dimensions });
    modelRegistry.of(this.#app).set(accountId, model);
    Object.assign(entry, { model, position: 0 });
  }

  async #applyChanges(accountId: string, entry: Entry, model: string): Promise<void> {
    const { engine } = this.#app;
    let after = { position: entry.position, id: maxUuid };
    for (;;) {
      const { rows, next } = await readChanges(engine.db, accountId, after, model, pageLimits);
      if (rows.length === 0 || !this.#isCurrent(accountId, entry)) return;
      this.#getWorker().post({ kind: 'rows', accountId, rows: rows.map(toTransferable) });
      if (next === null) return;
      after = next;
      // The thread parses while the next page is read, and no more than one page waits.
      await this.#getWorker().request({ kind: 'size', accountId });
    }
  }

  #evictLeastRecentlyUsed(keep: string): void {
    for (const [accountId, { size }] of this.#entries) {
      if (this.#bytes <= bytesMax) return;
      // One that is loaded for the first time counts nothing yet, and would only begin anew.
      if (accountId !== keep && size !== emptySize) this.evict(accountId);
    }
  }

  #getWorker(): SearchWorkerClient {
    this.#worker ??= new SearchWorkerClient(
      { dimensions: this.#app.embedder.dimensions },
      (error) => {
        this.#app.log.error({ err: error }, 'the search thread has stopped; it is started anew');
        this.#worker = undefined;
        this.#entries.clear();
        this.#bytes = 0;
      },
    );
    return this.#worker;
  }
}

/** Bytes of its own: a view would take the whole buffer it is cut from along. */
const toTransferable = (row: DocumentRow): DocumentRow => ({
  ...row,
  vector: row.vector && new Uint8Array(row.vector),
});

/** Sorts after every id: the whole of a position has been seen. */
const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const indexCache = perApp<App, IndexCache>((app) => new IndexCache(app));
