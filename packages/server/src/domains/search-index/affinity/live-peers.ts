import type { Heartbeat, LiveProcess } from '../../../instance/live-processes.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import { Poller } from '../../../kernel/poller.ts';

/** One statement per process and interval. */
const heartbeatMs = 5_000;
/** Three heartbeats in a row may fail before others take a process for dead. */
export const liveMs = 15_000;

interface LivePeersOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Records that this process is alive, and reads which others are. */
  beat(): Promise<Heartbeat>;
  onChange(others: readonly LiveProcess[]): void;
}

/** The other live processes, as of the last heartbeat; and the time of the database. */
export class LivePeers {
  readonly #options: LivePeersOptions;
  readonly #poller: Poller;
  #others: readonly LiveProcess[] = [];
  /** When the last heartbeat returned, and the time of the database then. */
  #last: { readonly monotonicMs: number; readonly databaseMs: number } | null = null;

  constructor(options: LivePeersOptions) {
    this.#options = options;
    this.#poller = new Poller(options.clock, {
      intervalMs: heartbeatMs,
      poll: () => this.#beat(),
    });
  }

  /** The first heartbeat begins at once. */
  start(): void {
    void this.#poller.poll();
    this.#poller.start();
  }

  stop(): Promise<void> {
    return this.#poller.stop();
  }

  /**
   * Empty if the last heartbeat is so old that other processes take this one for dead, or that
   * these may be.
   */
  get others(): readonly LiveProcess[] {
    return this.#isCurrent ? this.#others : [];
  }

  get #isCurrent(): boolean {
    const last = this.#last;
    return last !== null && this.#options.clock.monotonicMs() - last.monotonicMs < liveMs;
  }

  /** Whole epoch milliseconds by the clock of the database, which all share; null: unknown. */
  get databaseTimeMs(): number | null {
    const last = this.#last;
    if (last === null) return null;
    return Math.round(last.databaseMs + this.#options.clock.monotonicMs() - last.monotonicMs);
  }

  async #beat(): Promise<void> {
    const { clock, log, beat, onChange } = this.#options;
    try {
      const { databaseTime, others } = await beat();
      this.#last = { monotonicMs: clock.monotonicMs(), databaseMs: databaseTime.getTime() };
      this.#others = others;
      onChange(others);
    } catch (error) {
      log.warn({ err: error }, 'heartbeat of the process failed');
    }
  }
}
