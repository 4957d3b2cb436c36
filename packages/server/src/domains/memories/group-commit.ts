import type { CreatedMemory } from '@mneme/contract';
import { batchBySize } from '../../kernel/batches.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import { type App, isInTransaction, runInTransaction } from '../ctx.ts';
import type { Reply } from '../handler.ts';
import { KeyedBatches } from '../keyed-batches.ts';
import {
  asConstraintError,
  batchCharactersMax,
  type InsertCtx,
  type ItemResult,
  insertPreparedMemories,
  type PreparedMemory,
} from './insert.ts';
import { replyWithCreated } from './model.ts';

type Result = Reply<CreatedMemory> | AppError;

const groupItemsMax = 64;
const charactersOf = ({ record }: PreparedMemory): number => record.content.length;

/** On one node: separate transactions of accounts cost many of them 1.7 times as long. */
const sharedQueue = 'all accounts';

/** Creates share transactions. The `beforeCommit` hooks run with their memories. */
class GroupCommitWriter {
  readonly #app: App;
  readonly #batches: KeyedBatches<PreparedMemory, Result>;

  constructor(app: App) {
    this.#app = app;
    this.#batches = new KeyedBatches<PreparedMemory, Result>({
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
    // A transaction on several nodes needs a commit in two phases.
    const queue = this.#app.engine.isDistributed ? prepared.record.account_id : sharedQueue;
    const result = await this.#batches.add(queue, prepared).catch((error: unknown) => {
      throw asConstraintError(error) ?? error;
    });
    if (result instanceof AppError) throw result;
    return result;
  }

  #commit(items: readonly PreparedMemory[]): Promise<Result[]> {
    return runInTransaction(this.#app, async (tx, journal) => {
      const stored = await insertByAccount({ ...this.#app, tx, journal }, items);
      const now = this.#app.clock.now();
      const results = items.map((item) => {
        const result = stored.get(item) ?? new AppError('internal_error');
        if (result instanceof AppError) return result;
        return replyWithCreated(result, item.possibleUpdates ?? [], now);
      });
      for (const [i, reply] of results.entries()) {
        if (!(reply instanceof AppError)) await items[i]?.ctx.beforeCommit?.(tx, reply);
      }
      return results;
    });
  }
}

/** In the order of the accounts' ids, so that two transactions never deadlock. */
async function insertByAccount(
  inTx: InsertCtx,
  items: readonly PreparedMemory[],
): Promise<ReadonlyMap<PreparedMemory, ItemResult>> {
  const byAccount = Map.groupBy(items, ({ record }) => record.account_id);
  const results = new Map<PreparedMemory, ItemResult>();
  for (const accountId of [...byAccount.keys()].sort()) {
    const own = byAccount.get(accountId) ?? [];
    const stored = await insertPreparedMemories(inTx, own);
    for (const [i, result] of stored.entries()) {
      const item = own[i];
      if (item) results.set(item, result);
    }
  }
  return results;
}

export const groupCommitWriter = perApp<App, GroupCommitWriter>(
  (app) => new GroupCommitWriter(app),
);
