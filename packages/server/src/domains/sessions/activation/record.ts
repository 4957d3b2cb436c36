import { enqueue } from '../../../jobs/job-queue.ts';
import { perApp } from '../../../kernel/per-app.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type App, type Ctx, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { lockMemoriesForKeyShare } from '../../memories/index.ts';
import { coAccessKind } from './co-access.ts';
import {
  type AccessDelta,
  addAccesses,
  closeActivation,
  closeIdleActivations,
  insertActivation,
  lockOpenActivation,
  updateLastActivity,
} from './store/activations.ts';

interface Access {
  readonly key: string;
  readonly apiKeyId: string | null;
  readonly ids: readonly string[];
  readonly at: Date;
}

const flushMs = 500;
const minuteMs = 60_000;
/** Closed in one transaction: others wait for no more of them. */
const closeBatchMax = 100;

/**
 * What was found in a session is recorded after the answer, every half second, account by
 * account. A kill may lose the last of it; no answer waits for it. Readers flush first.
 */
class ActivationLog {
  readonly #app: App;
  #byAccount = new Map<string, Access[]>();
  #timer: Disposable | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    app.disposables.defer(() => this.flush());
  }

  add(accountId: string, access: Access): void {
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
        await writeAccesses(systemCtx(this.#app, accountId), accesses);
      } catch (error) {
        this.#app.log.warn({ err: error }, 'activation sessions could not be recorded');
      }
    }
  }
}

const activationLog = perApp<App, ActivationLog>((app) => new ActivationLog(app));

/** Adds what an answer held to the session of this key; undefined: to none. */
export function recordActivation(ctx: Ctx, key: string | undefined, ids: readonly string[]): void {
  if (key === undefined) return;
  const { accountId, keyId } = ctx.actor;
  activationLog.of(ctx).add(accountId, { key, apiKeyId: keyId, ids, at: ctx.clock.now() });
}

/** All that is still there, also what was soft-deleted meanwhile: it may be restored. */
const writeAccesses = (ctx: Ctx, accesses: readonly Access[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    // Deleted since the answer, perhaps erased by now: nothing must come after that.
    if (!(await lockAccountForShare(tx, actor.accountId))) return;
    const found = [...new Set(accesses.flatMap(({ ids }) => ids))];
    const there = await lockMemoriesForKeyShare(tx, actor.accountId, found);
    const kept = accesses.map((access) => ({
      ...access,
      ids: access.ids.filter((id) => there.has(id)),
    }));
    const keys = Map.groupBy(kept, ({ key }) => key);
    for (const key of [...keys.keys()].sort()) await writeAccessesOfKey(inTx, keys.get(key) ?? []);
  });

/** Accesses of one key in the order of time; a pause in between begins another session. */
async function writeAccessesOfKey(inTx: TxCtx, accesses: readonly Access[]): Promise<void> {
  let group: Access[] = [];
  for (const access of accesses) {
    const last = group.at(-1);
    if (last && access.at.getTime() - last.at.getTime() >= idleMs(inTx)) {
      await writeAccessGroup(inTx, group);
      group = [];
    }
    group.push(access);
  }
  await writeAccessGroup(inTx, group);
}

const idleMs = ({ config }: Pick<App, 'config'>): number => config.activationIdleMinutes * minuteMs;

async function writeAccessGroup(inTx: TxCtx, group: readonly Access[]): Promise<void> {
  const [first] = group;
  const last = group.at(-1);
  if (!first || !last) return;
  const { tx, actor } = inTx;
  const id = await findOrOpenSession(inTx, first);
  await updateLastActivity(tx, actor.accountId, id, last.at);
  const merged = new Map<string, AccessDelta>();
  for (const { ids, at } of group) {
    for (const memoryId of ids) {
      const known = merged.get(memoryId);
      const { count, first: begun } = known ?? { count: 0, first: at };
      merged.set(memoryId, { memoryId, count: count + 1, first: begun, last: at });
    }
  }
  if (merged.size > 0) await addAccesses(tx, actor.accountId, id, [...merged.values()]);
}

/** The open session of the key at that time; one that was idle for too long is closed first. */
async function findOrOpenSession(inTx: TxCtx, { key, apiKeyId, at }: Access): Promise<string> {
  const { tx, actor, ids } = inTx;
  const { accountId } = actor;
  for (;;) {
    const open = await lockOpenActivation(tx, accountId, key);
    if (open && at.getTime() - open.last_activity_at.getTime() < idleMs(inTx)) return open.id;
    if (open) {
      await closeActivation(tx, accountId, open.id, at);
      await enqueueCoAccessJob(inTx, { account_id: accountId, id: open.id });
    }
    const record = {
      account_id: accountId,
      id: ids.uuid(),
      session_key: key,
      api_key_id: apiKeyId,
      started_at: at,
      last_activity_at: at,
      closed_at: null,
    };
    // Else another process has just opened one.
    if (await insertActivation(tx, record)) return record.id;
  }
}

/** A closed session is learnt from once: its id is the job's key. */
async function enqueueCoAccessJob(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  session: { readonly account_id: string; readonly id: string },
): Promise<void> {
  await enqueue(tx, {
    id: ids.uuid(),
    accountId: session.account_id,
    kind: coAccessKind,
    payload: { session_id: session.id },
    spaces: null,
    runAt: clock.now(),
    dedupeKey: `${coAccessKind}:${session.id}`,
  });
}

/** Writes what was noted and closes what is idle, so that a reader sees both. */
export const flushAndCloseIdle = (ctx: Ctx): Promise<void> =>
  closeIdleSessions(ctx, ctx.actor.accountId);

export const closeIdleKind = 'sessions.close_idle';

/**
 * Closes what was idle for too long; every account's as a job, or one account's. What was noted
 * is written first: a session that has just been used is not idle.
 */
export async function closeIdleSessions(app: App, accountId: string | null = null): Promise<void> {
  await activationLog.of(app).flush();
  const now = app.clock.now();
  const before = new Date(now.getTime() - idleMs(app));
  const idle = { before, now, limit: closeBatchMax };
  for (let closed = closeBatchMax; closed === closeBatchMax; ) {
    closed = await app.engine.transaction(async (tx) => {
      const some = await closeIdleActivations(tx, accountId, idle);
      for (const one of some) await enqueueCoAccessJob({ ...app, tx }, one);
      return some.length;
    });
  }
}
