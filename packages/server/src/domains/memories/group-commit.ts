import type { CreatedMemory } from '@mneme/contract';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import { AccountBatches } from '../account-batches.ts';
import { type App, isInTransaction, runInTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import {
  asConstraintError,
  batchCharactersMax,
  insertPreparedMemories,
  type PreparedMemory,
} from './insert.ts';
import { replyWithCreated } from './model.ts';

type Result = Reply<CreatedMemory> | AppError;

const groupItemsMax = 64;
const charactersOf = ({ record }: PreparedMemory): number => record.content.length;

/** Creates of an account share transactions. The `beforeCommit` hooks run with their memories. */
class GroupCommitWriter {
  readonly #app: App;
  readonly #batches: AccountBatches<PreparedMemory, Result>;

  constructor(app: App) {
    this.#app = app;
    this.#batches = new AccountBatches<PreparedMemory, Result>({
      countNext(waiting) {
        const [group = []] = batchBySize(
          waiting.slice(0, groupItemsMax),
          charactersOf,
          batchCharactersMax,
        );
        return group.length;
      },
      write: (items) => this.#commit(items),
    });
  }

  async add(prepared: PreparedMemory): Promise<Reply<CreatedMemory>> {
    if (isInTransaction(prepared.ctx)) throw new Error('group commit inside a transaction');
    const { account_id: accountId } = prepared.record;
    const result = await this.#batches.add(accountId, prepared).catch((error: unknown) => {
      throw asConstraintError(error) ?? error;
    });
    if (result instanceof AppError) throw result;
    return result;
  }

  #commit(items: readonly PreparedMemory[]): Promise<Result[]> {
    return runInTransaction(this.#app, async (tx, journal) => {
      const stored = await insertPreparedMemories({ ...this.#app, tx, journal }, items);
      const now = this.#app.clock.now();
      const results = stored.map((result, i) =>
        result instanceof AppError
          ? result
          : replyWithCreated(result, items[i]?.possibleUpdates ?? [], now),
      );
      for (const [i, reply] of results.entries()) {
        if (!(reply instanceof AppError)) await items[i]?.ctx.beforeCommit?.(tx, reply);
      }
      return results;
    });
  }
}

export const groupCommitWriter = perApp<App, GroupCommitWriter>(
  (app) => new GroupCommitWriter(app),
);
