import type { ErasureKind } from '@mneme/contract';
import { type Erasure, insertErasures } from '../../../instance/erasure-ledger.ts';
import { databaseIdKey, readInstanceSetting } from '../../../instance/instance-settings.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { eraseAccount, reapplyAccountDeletion } from '../../accounts/index.ts';
import { removeUnusedBlobs } from '../../blobs/index.ts';
import { removeCluster } from '../../clusters/index.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../../ctx.ts';
import {
  eraseAttachment,
  eraseMail,
  eraseSenderRule,
  removeDigest,
  removeReaction,
} from '../../email/index.ts';
import { eraseUpload } from '../../media/index.ts';
import { reapplyMemoryErasures } from '../../memories/index.ts';
import { eraseRelationship } from '../../relationships/index.ts';
import { eraseSession, reapplySessionDeletion } from '../../sessions/index.ts';
import { removeSpace } from '../../spaces/index.ts';
import { eraseWebhook, removeWebhook } from '../../webhooks/index.ts';
import { openLedger } from './ledger-file.ts';
import { removeErasedContent } from './remove-content.ts';

export interface ErasureReplayResult {
  /** The number of rows whose item still existed. */
  readonly erased: number;
  /** Spaces that were kept because they still contain other memories or sessions. */
  readonly remainingSpaces: readonly Erasure[];
}

const batchRows = 500;
/** Total number of pending rows before they are flushed. */
const pendingMax = 50_000;

interface Eraser {
  /** Runs in the transaction of the context. False or 404: the item does not exist. */
  readonly verb: (ctx: Ctx, id: string) => Promise<unknown>;
  /** Runs what the verb would leave to a job. */
  readonly job?: (app: App, accountId: string, id: string) => Promise<unknown>;
}

/** In order of execution: containers after their content. */
const erasers: Readonly<Record<Exclude<ErasureKind, 'memory'>, Eraser>> = {
  relationship: { verb: eraseRelationship },
  mail: { verb: eraseMail },
  attachment: { verb: eraseAttachment },
  upload: { verb: eraseUpload },
  cluster: { verb: (ctx, id) => removeCluster(ctx, id, null) },
  session: {
    verb: reapplySessionDeletion,
    job: (app, accountId, id) =>
      eraseSession(app, createInlineJob(app, accountId, { session_id: id })),
  },
  space: { verb: removeSpace },
  sender_rule: { verb: (ctx, id) => eraseSenderRule(ctx, { id }) },
  reaction: { verb: removeReaction },
  digest: { verb: removeDigest },
  webhook: {
    verb: (ctx, id) => removeWebhook(ctx, id, null),
    job: (app, accountId, id) =>
      eraseWebhook(app, createInlineJob(app, accountId, { webhook_ids: [id] })),
  },
  account: {
    verb: reapplyAccountDeletion,
    job: (app, accountId) => eraseAccount(app, createInlineJob(app, accountId, {})),
  },
};

const others = Object.keys(erasers) as (keyof typeof erasers)[];

/**
 * Repeats erasures in an older state, with the ordinary verbs and without jobs, and inserts the
 * rows into its ledger with their original times. Also removes the content from events,
 * deliveries, mails and stored responses, so that nothing of it is sent. Call it on a database
 * without a running service; after an interruption, repeat it from the beginning.
 */
export async function replayErasures(
  app: App,
  rows: AsyncIterable<Erasure> | Iterable<Erasure>,
): Promise<ErasureReplayResult> {
  const replay = new Replay(app);
  for await (const row of rows) await replay.add(row);
  return replay.finish();
}

/**
 * The same with the rows of a file. Null if the file does not exist or belongs to another
 * database.
 */
export async function replayLedgerFile(
  app: App,
  file: string,
): Promise<ErasureReplayResult | null> {
  const databaseId = await readInstanceSetting(app.engine.db, databaseIdKey);
  await using ledger = await openLedger(file);
  if (ledger === null) return null;
  if (ledger.databaseId === databaseId) return replayErasures(app, ledger.rows);
  app.log.warn({ file }, 'erasures not replayed: the file belongs to another database');
  return null;
}

class Replay {
  readonly #app: App;
  /** Pending memories by account. */
  readonly #memories = new Map<string, Erasure[]>();
  #pending = 0;
  readonly #otherRows: Erasure[] = [];
  readonly #remainingSpaces: Erasure[] = [];
  #erased = 0;

  constructor(app: App) {
    this.#app = app;
  }

  async add(row: Erasure): Promise<void> {
    if (row.kind !== 'memory') {
      this.#otherRows.push(row);
      return;
    }
    const pending = this.#memories.get(row.accountId) ?? [];
    this.#memories.set(row.accountId, pending);
    pending.push(row);
    this.#pending += 1;
    if (pending.length === batchRows) await this.#eraseMemories(row.accountId);
    if (this.#pending >= pendingMax) await this.#eraseAllMemories();
  }

  async finish(): Promise<ErasureReplayResult> {
    await this.#eraseAllMemories();
    const byKind = Map.groupBy(this.#otherRows, ({ kind }) => kind);
    for (const kind of others) {
      for (const row of byKind.get(kind) ?? []) await this.#erase(row, erasers[kind]);
    }
    await removeErasedContent(this.#app, { shouldYield: () => false });
    await removeUnusedBlobs(this.#app, createInlineJob(this.#app, null, {}));
    return { erased: this.#erased, remainingSpaces: this.#remainingSpaces };
  }

  async #eraseAllMemories(): Promise<void> {
    for (const accountId of [...this.#memories.keys()]) await this.#eraseMemories(accountId);
  }

  async #eraseMemories(accountId: string): Promise<void> {
    const rows = this.#memories.get(accountId) ?? [];
    this.#memories.delete(accountId);
    this.#pending -= rows.length;
    const ids = rows.map(({ id }) => id);
    const ctx = systemCtx(this.#app, accountId);
    this.#erased += await withTransaction(ctx, async (inTx) => {
      // First, to preserve their times.
      await insertErasures(inTx.tx, rows);
      return (await reapplyMemoryErasures(inTx, ids)).length;
    });
  }

  async #erase(row: Erasure, { verb, job }: Eraser): Promise<void> {
    const { id, accountId } = row;
    // In a separate transaction, because a verb that finds nothing rolls back.
    await insertErasures(this.#app.engine.db, [row]);
    try {
      const ctx = systemCtx(this.#app, accountId);
      const isErased = (await withTransaction(ctx, (inTx) => verb(inTx, id))) !== false;
      if (!isErased) return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.status === 404) return;
      if (error.code !== 'space_not_empty') throw error;
      this.#remainingSpaces.push(row);
      return;
    }
    await job?.(this.#app, accountId, id);
    this.#erased += 1;
  }
}

/** A job that runs inline instead of in a worker. */
const createInlineJob = (
  { ids }: Pick<App, 'ids'>,
  accountId: string | null,
  payload: Record<string, unknown>,
): RunningJob => ({
  id: ids.uuid(),
  accountId,
  payload,
  spaces: null,
  saveProgress: async () => undefined,
  shouldYield: () => false,
  isLastAttempt: true,
  stopSignal: new AbortController().signal,
});
