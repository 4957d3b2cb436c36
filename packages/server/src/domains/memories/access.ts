import { sharedOwner } from '../../events/shared-owner.ts';
import { batchBySize } from '../../kernel/batches.ts';
import { perApp } from '../../kernel/per-app.ts';
import { requestLimiter } from '../../kernel/request-limiter.ts';
import { WriteBehindBuffer } from '../../kernel/write-behind-buffer.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { salienceBuffer } from '../search-index/index.ts';
import { salienceAfterAccess } from './model.ts';
import { lockSalience, recordAccessRows } from './store/access.ts';

type Context = Readonly<Record<string, string>>;

/** Context that only the event of this space includes. */
interface SpaceContext {
  readonly spaceId: string | null;
  readonly context: Context;
}

interface Access {
  readonly ids: readonly string[];
  readonly context: Context;
  readonly spaceContext: SpaceContext | undefined;
}

const flushMs = 500;
/** Ids per transaction: short ones where the engine has one connection. */
const batchIds = { embedded: 50, server: 200 };
/**
 * A transaction waits until no request is in progress: otherwise each statement of a search would
 * wait for one of them. At most for so long, and as long as the last one took: recording keeps up.
 */
const idleWaitMaxMs = 50;
/** Maximum number of pending ids when the database is slower than the readers. */
const pendingIdsMax = 100_000;

/**
 * Records reads after their response, every half second and account by account. A crash may lose
 * the last ones; no response waits for them. Beyond the maximum, accesses are dropped.
 */
class AccessLog {
  readonly #app: App;
  readonly #buffer: WriteBehindBuffer<Map<string, Access[]>>;
  #pendingIds = 0;
  #dropped = 0;

  constructor(app: App) {
    this.#app = app;
    // Created first, so that it still exists at the last flush.
    salienceBuffer.of(app);
    this.#buffer = new WriteBehindBuffer(app, {
      delayMs: flushMs,
      create: () => new Map<string, Access[]>(),
      write: (byAccount) => this.#write(byAccount),
    });
  }

  add(accountId: string, access: Access): void {
    if (this.#pendingIds + access.ids.length > pendingIdsMax) {
      this.#dropped += 1;
      return;
    }
    this.#pendingIds += access.ids.length;
    this.#buffer.change((byAccount) => {
      const pending = byAccount.get(accountId);
      if (pending) pending.push(access);
      else byAccount.set(accountId, [access]);
    });
  }

  async #write(batch: ReadonlyMap<string, Access[]>): Promise<void> {
    const { clock, engine } = this.#app;
    const batchMax = batchIds[engine.kind];
    let waitMs = idleWaitMaxMs;
    for (const [accountId, accesses] of batch) {
      try {
        for (const group of batchBySize(accesses, ({ ids }) => ids.length, batchMax)) {
          await requestLimiter.of(this.#app).waitUntilIdle(waitMs);
          const startedAtMs = clock.monotonicMs();
          await writeAccesses(systemCtx(this.#app, accountId), group);
          waitMs = Math.min(clock.monotonicMs() - startedAtMs, idleWaitMaxMs);
        }
      } catch (error) {
        this.#app.log.warn({ err: error }, 'access recording failed');
      }
      for (const { ids } of accesses) this.#pendingIds -= ids.length;
    }
    if (this.#dropped === 0) return;
    this.#app.log.warn({ accesses: this.#dropped }, 'accesses dropped: too many pending');
    this.#dropped = 0;
  }
}

async function writeAccesses(ctx: Ctx, accesses: readonly Access[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { ids } of accesses) {
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const now = ctx.clock.now();
  const updated = await withTransaction(ctx, async (inTx) => {
    const { tx, journal, actor } = inTx;
    // Locked, so that no feedback or pin between the read and the write is lost.
    const records = await lockSalience(tx, actor.accountId, [...counts.keys()]);
    const values = records.map((record) => {
      const count = counts.get(record.id) ?? 0;
      return { id: record.id, count, salience: salienceAfterAccess(record, count, now) };
    });
    await recordAccessRows(tx, actor.accountId, values, now);
    const recordOf = new Map(records.map((record) => [record.id, record]));
    for (const { ids, context, spaceContext } of accesses) {
      // One event per space, so that listeners of a space learn nothing about other spaces.
      for (const [spaceId, group] of Map.groupBy(
        ids.flatMap((id) => recordOf.get(id) ?? []),
        (record) => record.space_id,
      )) {
        const spaceOnlyContext = spaceContext?.spaceId === spaceId ? spaceContext.context : {};
        const data = { ids: group.map(({ id }) => id), ...context, ...spaceOnlyContext };
        const base = { accountId: actor.accountId, spaceId, owner: sharedOwner(group) };
        journal.addEvent({ ...base, type: 'memory.accessed', data });
      }
    }
    return values;
  });
  salienceBuffer.of(ctx).record(ctx.actor.accountId, updated);
}

const accessLog = perApp<App, AccessLog>((app) => new AccessLog(app));

/** Queues an access of memories; `context` is included in the event. */
export function recordAccess(
  ctx: Ctx,
  ids: readonly string[],
  context: Context,
  inSpace?: SpaceContext,
): void {
  if (ids.length === 0) return;
  const { client } = ctx;
  const withClient = client === undefined ? context : { ...context, client };
  accessLog.of(ctx).add(ctx.actor.accountId, { ids, context: withClient, spaceContext: inSpace });
}
