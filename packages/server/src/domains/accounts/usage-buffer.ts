import { NodeUnavailable } from '../../database/index.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WriteBehindBuffer } from '../../kernel/write-behind-buffer.ts';
import type { App } from '../ctx.ts';
import { dayOf } from './model.ts';
import {
  chargeUsage,
  formatCounterKey,
  readUsage,
  type UsageCharge,
  type UsageCounterKey,
} from './store/usage.ts';

/** By `formatCounterKey`. */
type Charges = Map<string, UsageCharge>;

const flushMs = 5_000;

/**
 * Counters that no response waits for: collected here, written every 5 s and at shutdown. A crash
 * loses the last ones; another process sees them after its own next flush.
 */
class UsageBuffer {
  readonly #app: App;
  readonly #buffer: WriteBehindBuffer<Charges>;
  /** Charges that are being written. */
  #writing: Charges = new Map();
  /** The last known values of table rows. */
  readonly #storedTotals = new Map<string, { readonly row: UsageCounterKey; used: number }>();
  readonly #reading = new Map<string, Promise<number>>();

  constructor(app: App) {
    this.#app = app;
    this.#buffer = new WriteBehindBuffer(app, {
      delayMs: flushMs,
      create: (): Charges => new Map(),
      write: (charges) => this.#write(charges),
    });
  }

  add(row: UsageCounterKey, amount: number): void {
    const key = formatCounterKey(row);
    this.#buffer.change((charges) => {
      charges.set(key, { ...row, amount: amount + (charges.get(key)?.amount ?? 0) });
    });
  }

  /** The total known to this process; reads the row only once. */
  total(row: UsageCounterKey): number | Promise<number> {
    const key = formatCounterKey(row);
    const stored = this.#storedTotals.get(key);
    if (stored) return stored.used + this.#unwritten(key);
    return this.#read(row, key).then((used) => used + this.#unwritten(key));
  }

  #unwritten(key: string): number {
    const amountIn = (charges: Readonly<Charges>): number => charges.get(key)?.amount ?? 0;
    return amountIn(this.#buffer.pending) + amountIn(this.#writing);
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
    return this.#buffer.flush();
  }

  async #write(content: Charges): Promise<void> {
    this.#writing = content;
    for (const [accountId, charges] of Map.groupBy(content.values(), (one) => one.accountId)) {
      try {
        const used = await chargeUsage(this.#app.engine.db, accountId, charges);
        for (const charge of charges)
          this.#applyWritten(charge, used.get(formatCounterKey(charge)) ?? 0);
      } catch (error) {
        // Those of other nodes are written nevertheless.
        if (error instanceof NodeUnavailable) {
          this.#keep(charges);
          continue;
        }
        this.#app.log.warn({ err: error }, 'usage counter flush failed; it is retried');
        this.#keep([...this.#writing.values()]);
        return;
      }
    }
    this.#forgetOldPeriods();
  }

  #keep(unwritten: readonly UsageCharge[]): void {
    for (const { amount, ...row } of unwritten) {
      this.#writing.delete(formatCounterKey(row));
      this.add(row, amount);
    }
  }

  #applyWritten(written: UsageCharge, used: number): void {
    const key = formatCounterKey(written);
    this.#writing.delete(key);
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
