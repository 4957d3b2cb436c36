import { perApp } from '../../kernel/per-app.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { salienceBuffer } from '../search-index/index.ts';
import { salienceAfterAccess } from './model.ts';
import { lockSalience, recordAccessRows } from './store/access.ts';

type Context = Readonly<Record<string, string>>;

/** What only the event of this space says, since it is of this space. */
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
/** In one transaction: short ones, since the embedded engine has one connection. */
const batchAccesses = 5;
/** Ids of what was read that may wait for a database that is slower than its readers. */
const waitingIdsMax = 100_000;

/**
 * Reads are recorded after they are answered, every half second and account by account. A kill
 * may lose the last of them; no answer waits for them. Beyond what may wait, none is kept.
 */
class AccessLog {
  readonly #app: App;
  #byAccount = new Map<string, Access[]>();
  #waitingIds = 0;
  #dropped = 0;
  #timer: Disposable | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    // Made first, it is there for the last flush.
    salienceBuffer.of(app);
    app.disposables.defer(() => this.flush());
  }

  add(accountId: string, access: Access): void {
    if (this.#waitingIds + access.ids.length > waitingIdsMax) {
      this.#dropped += 1;
      return;
    }
    this.#waitingIds += access.ids.length;
    const waiting = this.#byAccount.get(accountId);
    if (waiting) waiting.push(access);
    else this.#byAccount.set(accountId, [access]);
    this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
  }

  /** Resolves when everything noted so far is written. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const batch = this.#byAccount;
    this.#byAccount = new Map();
    this.#turn = this.#turn.then(() => this.#write(batch));
    return this.#turn;
  }

  async #write(batch: ReadonlyMap<string, Access[]>): Promise<void> {
    for (const [accountId, accesses] of batch) {
      try {
        for (let from = 0; from < accesses.length; from += batchAccesses) {
          const slice = accesses.slice(from, from + batchAccesses);
          await writeAccesses(systemCtx(this.#app, accountId), slice);
        }
      } catch (error) {
        this.#app.log.warn({ err: error }, 'accesses could not be recorded');
      }
      for (const { ids } of accesses) this.#waitingIds -= ids.length;
    }
    if (this.#dropped === 0) return;
    this.#app.log.warn({ accesses: this.#dropped }, 'too many accesses waited to be recorded');
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
    const present = new Set(records.map(({ id }) => id));
    const values = records.map((record) => {
      const count = counts.get(record.id) ?? 0;
      return { id: record.id, count, salience: salienceAfterAccess(record, count, now) };
    });
    await recordAccessRows(tx, actor.accountId, values, now);
    const spaceOf = new Map(records.map((record) => [record.id, record.space_id]));
    for (const { ids, context, spaceContext } of accesses) {
      // One event per space, so that a listener of one space learns nothing of another.
      for (const [spaceId, group] of Map.groupBy(
        ids.filter((id) => present.has(id)),
        (id) => spaceOf.get(id) ?? null,
      )) {
        const more = spaceContext?.spaceId === spaceId ? spaceContext.context : {};
        const data = { ids: group, ...context, ...more };
        journal.addEvent({ accountId: actor.accountId, type: 'memory.accessed', spaceId, data });
      }
    }
    return values;
  });
  salienceBuffer.of(ctx).record(ctx.actor.accountId, updated);
}

const accessLog = perApp<App, AccessLog>((app) => new AccessLog(app));

/** Notes that memories were read or found; `context` goes into the event. */
export function recordAccess(
  ctx: Ctx,
  ids: readonly string[],
  context: Context,
  inSpace?: SpaceContext,
): void {
  if (ids.length > 0)
    accessLog.of(ctx).add(ctx.actor.accountId, { ids, context, spaceContext: inSpace });
}
