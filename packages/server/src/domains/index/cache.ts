import { service } from '../../kernel/service.ts';
import type { App } from '../ctx.ts';
import { AccountIndex } from './account-index.ts';
import { readChanges, readPosition } from './store.ts';

const pageRows = 2_000;
/** About 1 KB a document: beyond this the least recently used accounts are dropped. */
const documentsMax = 1_000_000;

interface Entry {
  index: AccountIndex;
  /** Catch-ups of one account run one after the other. */
  turn: Promise<void>;
}

/** The indexes of the accounts that were searched last. */
class IndexCache {
  readonly #app: App;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(app: App) {
    this.#app = app;
  }

  /** An index that holds everything committed before this call, on any process. */
  async current(accountId: string): Promise<AccountIndex> {
    const entry = this.#entries.get(accountId) ?? {
      index: new AccountIndex(this.#app.embedder.dimensions),
      turn: Promise.resolve(),
    };
    this.#entries.delete(accountId);
    this.#entries.set(accountId, entry);
    const turn = entry.turn.then(() => this.#catchUp(accountId, entry));
    entry.turn = turn.catch(() => undefined);
    await turn;
    this.#dropOldest(accountId);
    return entry.index;
  }

  /** The index of an account as far as it is loaded, without reading anything. */
  peek(accountId: string): AccountIndex | undefined {
    return this.#entries.get(accountId)?.index;
  }

  drop(accountId: string): void {
    this.#entries.delete(accountId);
  }

  async #catchUp(accountId: string, entry: Entry): Promise<void> {
    const { engine, embedder } = this.#app;
    const head = await readPosition(engine.db, accountId);
    if (!head || head.indexed_to === entry.index.position) return;
    if (entry.index.isWorn) entry.index = new AccountIndex(embedder.dimensions);
    await this.#applyChanges(accountId, entry.index);
    // Asked after the rows were read: a removal forgotten in between is then known of, too.
    const compactedTo = (await readPosition(engine.db, accountId))?.compacted_to ?? 0;
    if (entry.index.position > 0 && entry.index.position < compactedTo) {
      entry.index = new AccountIndex(embedder.dimensions);
      await this.#applyChanges(accountId, entry.index);
    }
    // Rows committed since are past the head; they are read again next time.
    entry.index.position = head.indexed_to;
  }

  async #applyChanges(accountId: string, index: AccountIndex): Promise<void> {
    const { engine, embedder } = this.#app;
    let after = { position: index.position, id: lastId };
    for (;;) {
      const rows = await readChanges(engine.db, accountId, after, embedder.model, pageRows);
      for (const row of rows) index.apply(row);
      const last = rows.at(-1);
      if (!last || rows.length < pageRows) return;
      after = { position: last.position, id: last.id };
    }
  }

  #dropOldest(keep: string): void {
    let total = 0;
    for (const { index } of this.#entries.values()) total += index.documents.length;
    for (const [accountId, { index }] of this.#entries) {
      if (total <= documentsMax) return;
      if (accountId === keep) continue;
      this.#entries.delete(accountId);
      total -= index.documents.length;
    }
  }
}

/** Sorts after every id: the whole of a position has been seen. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const indexCache = service<App, IndexCache>((app) => new IndexCache(app));
