import { enqueueJob } from '../../../jobs/job-queue.ts';
import { perApp } from '../../../kernel/per-app.ts';
import { WriteBehindBuffer } from '../../../kernel/write-behind-buffer.ts';
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
  listAccountsWithIdleActivations,
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
/** Sessions closed per transaction, so that other transactions do not wait long. */
const closeBatchMax = 100;

/**
 * Records accesses of sessions after the response, every half second, account by account. A crash
 * may lose the last ones; no response waits for them. Readers flush first.
 */
class ActivationLog {
  readonly #app: App;
  readonly #buffer: WriteBehindBuffer<Map<string, Access[]>>;

  constructor(app: App) {
    this.#app = app;
    this.#buffer = new WriteBehindBuffer(app, {
      delayMs: flushMs,
      create: () => new Map<string, Access[]>(),
      write: (byAccount) => this.#write(byAccount),
    });
  }

  add(accountId: string, access: Access): void {
    this.#buffer.change((byAccount) => {
      const pending = byAccount.get(accountId);
      if (pending) pending.push(access);
      else byAccount.set(accountId, [access]);
    });
  }

  /** Resolves when all accesses so far are written. */
  flush(): Promise<void> {
    return this.#buffer.flush();
  }

  async #write(batch: ReadonlyMap<string, Access[]>): Promise<void> {
    for (const [accountId, accesses] of batch) {
      try {
        await writeAccesses(systemCtx(this.#app, accountId), accesses);
      } catch (error) {
        this.#app.log.warn({ err: error }, 'activation session recording failed');
      }
    }
  }
}

const activationLog = perApp<App, ActivationLog>((app) => new ActivationLog(app));

/** Adds the memories of a response to the session of this key, if any. */
export function recordActivation(ctx: Ctx, key: string | undefined, ids: readonly string[]): void {
  if (key === undefined) return;
  const { accountId, keyId } = ctx.actor;
  activationLog.of(ctx).add(accountId, { key, apiKeyId: keyId, ids, at: ctx.clock.now() });
}

/** Includes memories that were soft-deleted in the meantime, because they are restorable. */
const writeAccesses = (ctx: Ctx, accesses: readonly Access[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    // Accounts deleted since the response may be erased already: write nothing for them.
    if (!(await lockAccountForShare(tx, actor.accountId))) return;
    const accessedIds = [...new Set(accesses.flatMap(({ ids }) => ids))];
    const existing = await lockMemoriesForKeyShare(tx, actor.accountId, accessedIds);
    const recordable = accesses.map((access) => ({
      ...access,
      ids: access.ids.filter((id) => existing.has(id)),
    }));
    const keys = Map.groupBy(recordable, ({ key }) => key);
    for (const key of [...keys.keys()].sort()) await writeAccessesOfKey(inTx, keys.get(key) ?? []);
  });

/** Writes accesses of one key in order of time; an idle period starts another session. */
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
      const delta = merged.get(memoryId);
      const { count, first: firstAt } = delta ?? { count: 0, first: at };
      merged.set(memoryId, { memoryId, count: count + 1, first: firstAt, last: at });
    }
  }
  if (merged.size > 0) await addAccesses(tx, actor.accountId, id, [...merged.values()]);
}

/** Returns the open session of the key at that time; closes an idle one first. */
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
    // False: another process has just opened one.
    if (await insertActivation(tx, record)) return record.id;
  }
}

/** A closed session is processed once: its id is the dedupe key of the job. */
async function enqueueCoAccessJob(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  session: { readonly account_id: string; readonly id: string },
): Promise<void> {
  await enqueueJob(tx, {
    id: ids.uuid(),
    accountId: session.account_id,
    kind: coAccessKind,
    payload: { session_id: session.id },
    spaces: null,
    runAt: clock.now(),
    dedupeKey: `${coAccessKind}:${session.id}`,
  });
}

/** Writes pending accesses and closes idle sessions, so that readers see both. */
export const flushAndCloseIdleSessions = (ctx: Ctx): Promise<void> =>
  closeIdleSessions(ctx, ctx.actor.accountId);

export const closeIdleSessionsKind = 'sessions.close_idle';

/**
 * Closes idle sessions of every account (as a job) or of one account. Writes pending accesses
 * first, because a session that has just been used is not idle.
 */
export async function closeIdleSessions(app: App, accountId: string | null = null): Promise<void> {
  await activationLog.of(app).flush();
  const now = app.clock.now();
  const before = new Date(now.getTime() - idleMs(app));
  const idle = { before, now, limit: closeBatchMax };
  const accountIds =
    accountId === null ? await listAccountsWithIdleActivations(app.engine.db, before) : [accountId];
  for (const id of accountIds) {
    for (let closed = closeBatchMax; closed === closeBatchMax; ) {
      closed = await app.engine.transaction(async (tx) => {
        const batch = await closeIdleActivations(tx, id, idle);
        for (const session of batch) await enqueueCoAccessJob({ ...app, tx }, session);
        return batch.length;
      });
    }
  }
}
