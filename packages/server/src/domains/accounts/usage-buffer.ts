import { perApp } from '../../kernel/per-app.ts';
import type { App } from '../ctx.ts';
import { dayOf } from './model.ts';
import {
  type Charge,
  chargeUsage,
  formatCounterKey,
  readUsage,
  type UsageCounterKey,
} from './store/usage.ts';

const flushMs = 5_000;
/** Rows per statement: statements stay short, because the embedded engine has one connection. */
const batchRows = 200;

/**
 * Counters that no response waits for: collected here, written every 5 s and at shutdown. A crash
 * loses the last ones; another process sees them after its own next flush.
 */
class UsageBuffer {
  readonly #app: App;
  #pending = new Map<string, Charge>();
  /** The last known values of table rows. */
  readonly #storedTotals = new Map<string, { readonly row: UsageCounterKey; used: number }>();
  readonly #reading = new Map<string, Promise<number>>();
  #timer: Disposable | undefined;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    app.disposables.defer(() => this.flush());
  }

  add(row: UsageCounterKey, amount: number): void {
    const key = formatCounterKey(row);
    const pending = this.#pending.get(key)?.amount ?? 0;
    this.#pending.set(key, { ...row, amount: pending + amount });
    this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
  }

  /** The total known to this process; reads the row only once. */
  total(row: UsageCounterKey): number | Promise<number> {
    const key = formatCounterKey(row);
    const stored = this.#storedTotals.get(key);
    if (stored) return stored.used + (this.#pending.get(key)?.amount ?? 0);
    return this.#read(row, key).then((used) => used + (this.#pending.get(key)?.amount ?? 0));
  }

  async #read(row: UsageCounterKey, key: string): Promise<number> {
    const running = this.#reading.get(key) ?? readUsage(this.#app.engine.db, row);
    this.#reading.set(key, running);
    try {
      const used = await running;
      if (!this.#storedTotals.has(key)) this.#storedTotals.set(key, { row, used });
      return this.#storedTotals.get(key)?.used ?? used;
    } finally {
      this.#reading.delete(key);
    }
  }

  /** Resolves when all counts so far are written. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#lastFlush = this.#lastFlush.then(() => this.#write());
    return this.#lastFlush;
  }

  async #write(): Promise<void> {
    const charges = [...this.#pending.values()];
    for (let from = 0; from < charges.length; from += batchRows) {
      const batch = charges.slice(from, from + batchRows);
      try {
        const used = await chargeUsage(this.#app.engine.db, batch);
        for (const charge of batch)
          this.#applyWritten(charge, used.get(formatCounterKey(charge)) ?? 0);
      } catch (error) {
        this.#app.log.warn({ err: error }, 'usage counter flush failed; it is retried');
        this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
        return;
      }
    }
    this.#forgetOldPeriods();
  }

  /** Amounts added during the write stay pending. */
  #applyWritten(written: Charge, used: number): void {
    const key = formatCounterKey(written);
    const remaining = (this.#pending.get(key)?.amount ?? 0) - written.amount;
    if (remaining === 0) this.#pending.delete(key);
    else this.#pending.set(key, { ...written, amount: remaining });
    const { accountId, metric, period } = written;
    this.#storedTotals.set(key, { row: { accountId, metric, period }, used });
  }

  /** Drops past days and months: nothing counts toward them any more. */
  #forgetOldPeriods(): void {
    const today = dayOf(this.#app.clock.now());
    for (const [key, { row }] of this.#storedTotals) {
      if (!today.startsWith(row.period)) this.#storedTotals.delete(key);
    }
  }
}

export const usageBuffer = perApp<App, UsageBuffer>((app) => new UsageBuffer(app));
