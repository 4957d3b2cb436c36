import type { CreatedMemory } from '@mneme/contract';
import { isConnectionError } from '../../database/index.ts';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import { type App, isInTransaction, runInTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  asConstraintError,
  batchCharactersMax,
  insertPreparedMemories,
  type PreparedMemory,
} from './insert.ts';
import { replyWithCreated } from './model.ts';

interface PendingCreate {
  readonly prepared: PreparedMemory;
  readonly resolve: (reply: Reply<CreatedMemory>) => void;
  readonly reject: (error: unknown) => void;
}

const groupItemsMax = 64;

/**
 * Group commit: creates that arrive while a transaction runs share the next one, and therefore one
 * fsync. The `beforeCommit` hook of each request runs with its memory.
 */
class GroupCommitWriter {
  readonly #app: App;
  readonly #pending: PendingCreate[] = [];
  /** Members of a failed group: the error of one member must not fail the others. */
  readonly #retrySingly: PendingCreate[] = [];
  #running = false;

  constructor(app: App) {
    this.#app = app;
  }

  add(prepared: PreparedMemory): Promise<Reply<CreatedMemory>> {
    if (isInTransaction(prepared.ctx)) throw new Error('group commit inside a transaction');
    const reply = new Promise<Reply<CreatedMemory>>((resolve, reject) => {
      this.#pending.push({ prepared, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return reply;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let group = this.#next(); group.length > 0; group = this.#next()) {
      await this.#commit(group).catch((error: unknown) => this.#handleFailure(group, error));
    }
    this.#running = false;
  }

  #next(): PendingCreate[] {
    if (this.#retrySingly.length > 0) return this.#retrySingly.splice(0, 1);
    const charactersOf = ({ prepared }: PendingCreate): number => prepared.record.content.length;
    const [group = []] = batchBySize(
      this.#pending.slice(0, groupItemsMax),
      charactersOf,
      batchCharactersMax,
    );
    return this.#pending.splice(0, group.length);
  }

  async #commit(group: readonly PendingCreate[]): Promise<void> {
    const results = await runInTransaction(this.#app, async (tx, journal) => {
      const items = group.map(({ prepared }) => prepared);
      const stored = await insertPreparedMemories({ ...this.#app, tx, journal }, items);
      const now = this.#app.clock.now();
      const replies = stored.map((result, i) =>
        result instanceof AppError
          ? result
          : replyWithCreated(result, items[i]?.possibleUpdates ?? [], now),
      );
      for (const [i, reply] of replies.entries()) {
        if (!(reply instanceof AppError)) await items[i]?.ctx.beforeCommit?.(tx, reply);
      }
      return replies;
    });
    group.forEach(({ resolve, reject }, i) => {
      const result = results[i];
      if (result === undefined || result instanceof AppError) reject(result);
      else resolve(result);
    });
  }

  /**
   * After a lost connection nothing is retried: each retry would wait again, and a memory that was
   * committed before the loss would be rejected as a duplicate of itself.
   */
  #handleFailure(group: readonly PendingCreate[], error: unknown): void {
    if (isConnectionError(error)) {
      const all = [...group, ...this.#retrySingly.splice(0), ...this.#pending.splice(0)];
      for (const { reject } of all) reject(error);
    } else if (group.length > 1) this.#retrySingly.push(...group);
    else for (const { reject } of group) reject(asConstraintError(error) ?? error);
  }
}

export const groupCommitWriter = perApp<App, GroupCommitWriter>(
  (app) => new GroupCommitWriter(app),
);
