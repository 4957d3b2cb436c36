import type { Memory } from '@mneme/contract';
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
import { replyWithETag } from './model.ts';

interface PendingCreate {
  readonly prepared: PreparedMemory;
  readonly resolve: (reply: Reply<Memory>) => void;
  readonly reject: (error: unknown) => void;
}

const groupItemsMax = 64;

/**
 * Group commit: creates that arrive while a transaction runs share the next one, so that one
 * fsync serves them all. Each request's seal is written with its memory.
 */
class GroupCommitWriter {
  readonly #app: App;
  readonly #waiting: PendingCreate[] = [];
  /** Members of a group that failed: one member's fault must not fail the others. */
  readonly #alone: PendingCreate[] = [];
  #running = false;

  constructor(app: App) {
    this.#app = app;
  }

  add(prepared: PreparedMemory): Promise<Reply<Memory>> {
    if (isInTransaction(prepared.ctx)) throw new Error('a group cannot join a transaction');
    const outcome = new Promise<Reply<Memory>>((resolve, reject) => {
      this.#waiting.push({ prepared, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return outcome;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let group = this.#next(); group.length > 0; group = this.#next()) {
      await this.#commit(group).catch((error: unknown) => this.#failed(group, error));
    }
    this.#running = false;
  }

  #next(): PendingCreate[] {
    if (this.#alone.length > 0) return this.#alone.splice(0, 1);
    const charactersOf = ({ prepared }: PendingCreate): number => prepared.record.content.length;
    const [group = []] = batchBySize(
      this.#waiting.slice(0, groupItemsMax),
      charactersOf,
      batchCharactersMax,
    );
    return this.#waiting.splice(0, group.length);
  }

  async #commit(group: readonly PendingCreate[]): Promise<void> {
    const outcomes = await runInTransaction(this.#app, async (tx, journal) => {
      const items = group.map(({ prepared }) => prepared);
      const stored = await insertPreparedMemories({ ...this.#app, tx, journal }, items);
      const now = this.#app.clock.now();
      const replies = stored.map((outcome) =>
        outcome instanceof AppError ? outcome : replyWithETag(outcome, now),
      );
      for (const [i, reply] of replies.entries()) {
        if (!(reply instanceof AppError)) await items[i]?.ctx.beforeCommit?.(tx, reply);
      }
      return replies;
    });
    group.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i];
      if (outcome === undefined || outcome instanceof AppError) reject(outcome);
      else resolve(outcome);
    });
  }

  /**
   * Without a database nobody is tried again: each would wait as long, and what was committed when
   * the connection broke would be refused as a duplicate of itself.
   */
  #failed(group: readonly PendingCreate[], error: unknown): void {
    if (isConnectionError(error)) {
      const all = [...group, ...this.#alone.splice(0), ...this.#waiting.splice(0)];
      for (const { reject } of all) reject(error);
    } else if (group.length > 1) this.#alone.push(...group);
    else for (const { reject } of group) reject(asConstraintError(error) ?? error);
  }
}

export const groupCommitWriter = perApp<App, GroupCommitWriter>(
  (app) => new GroupCommitWriter(app),
);
