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
/** In one statement: short ones, since the embedded engine has one connection. */
const batchRows = 200;

/**
 * Counts that no answer waits for: collected here and written every 5 s and at the end. A kill
 * loses the last of them; another process learns of them with its own next flush.
 */
class UsageBuffer {
  readonly #app: App;
  #pending = new Map<string, Charge>();
  /** By row, what the table held when it was last read or written here. */
  readonly #known = new Map<string, { readonly row: UsageCounterKey; used: number }>();
  readonly #reading = new Map<string, Promise<number>>();
  #timer: Disposable | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    app.disposables.defer(() => this.flush());
  }

  add(row: UsageCounterKey, amount: number): void {
    const key = formatCounterKey(row);
    const waiting = this.#pending.get(key)?.amount ?? 0;
    this.#pending.set(key, { ...row, amount: waiting + amount });
    this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
  }

  /** Everything counted so far, as far as this process knows; read from the table only once. */
  total(row: UsageCounterKey): number | Promise<number> {
    const key = formatCounterKey(row);
    const known = this.#known.get(key);
    if (known) return known.used + (this.#pending.get(key)?.amount ?? 0);
    return this.#read(row, key).then((used) => used + (this.#pending.get(key)?.amount ?? 0));
  }

  async #read(row: UsageCounterKey, key: string): Promise<number> {
    const running = this.#reading.get(key) ?? readUsage(this.#app.engine.db, row);
    this.#reading.set(key, running);
    try {
      const used = await running;
      if (!this.#known.has(key)) this.#known.set(key, { row, used });
      return this.#known.get(key)?.used ?? used;
    } finally {
      this.#reading.delete(key);
    }
  }

  /** Resolves when everything counted so far is written. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#turn = this.#turn.then(() => this.#write());
    return this.#turn;
  }

  async #write(): Promise<void> {
    const charges = [...this.#pending.values()];
    for (let from = 0; from < charges.length; from += batchRows) {
      const slice = charges.slice(from, from + batchRows);
      try {
        const used = await chargeUsage(this.#app.engine.db, slice);
        for (const charge of slice) this.#settle(charge, used.get(formatCounterKey(charge)) ?? 0);
      } catch (error) {
        this.#app.log.warn({ err: error }, 'usage could not be written; it is tried again');
        this.#timer ??= this.#app.clock.after(flushMs, () => void this.flush());
        return;
      }
    }
    this.#forgetOldPeriods();
  }

  /** What came in while it was being written is still waiting. */
  #settle(written: Charge, used: number): void {
    const key = formatCounterKey(written);
    const left = (this.#pending.get(key)?.amount ?? 0) - written.amount;
    if (left === 0) this.#pending.delete(key);
    else this.#pending.set(key, { ...written, amount: left });
    const { accountId, metric, period } = written;
    this.#known.set(key, { row: { accountId, metric, period }, used });
  }

  /** Days and months that are over: nothing is counted toward them any more. */
  #forgetOldPeriods(): void {
    const today = dayOf(this.#app.clock.now());
    for (const [key, { row }] of this.#known) {
      if (!today.startsWith(row.period)) this.#known.delete(key);
    }
  }
}

export const usageBuffer = perApp<App, UsageBuffer>((app) => new UsageBuffer(app));
