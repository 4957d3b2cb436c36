import type { Clock } from '../kernel/clock.ts';
import { Poller } from '../kernel/poller.ts';
import type { Engine } from './engine.ts';

/** The shortest time between two polls that messages of other processes cause. */
const messageIntervalMs = 1_000;

export interface SharedPollerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

export interface SharedPollerOptions {
  /** The topic of its messages: the pollers of all processes with it share the work. */
  readonly topic: string;
  /** From the end of a poll to the next one, unless another process looks for the work. */
  readonly intervalMs: number;
  /** The delay after `wake`, so that several calls cause one poll; default: none. */
  readonly wakeDelayMs?: number;
  /** Processes due work. It must not reject: it logs its own errors. */
  poll(): Promise<void>;
}

/**
 * Polls for work that any process may do. In a group of processes only the leader polls regularly;
 * the others poll after `share` of another process, and when messages may have been missed.
 */
export class SharedPoller {
  readonly #deps: SharedPollerDeps;
  readonly #options: SharedPollerOptions;
  readonly #poller: Poller;
  readonly #subscriptions = new DisposableStack();
  #lastMessageMs = Number.NEGATIVE_INFINITY;
  #messageTimer: Disposable | undefined;
  #isPolling = false;
  #isStarted = false;

  constructor(deps: SharedPollerDeps, options: SharedPollerOptions) {
    this.#deps = deps;
    this.#options = options;
    const { processes } = deps.engine;
    const { topic, intervalMs, wakeDelayMs = 0, poll } = options;
    this.#poller = new Poller(deps.clock, {
      intervalMs: () => (processes.role === 'follower' ? null : intervalMs),
      wakeDelayMs,
      poll: async () => {
        this.#isPolling = true;
        await poll().finally(() => {
          this.#isPolling = false;
        });
      },
    });
    this.#subscriptions.use(processes.subscribe(topic, () => this.#onMessage()));
    this.#subscriptions.use(
      processes.onCatchUp(() => {
        this.#poller.restart();
        this.#poller.wake();
      }),
    );
  }

  /** Whether this process would begin new work late or not at all. */
  get isBusy(): boolean {
    return this.#isPolling || !this.#isStarted;
  }

  start(): void {
    this.#isStarted = true;
    this.#poller.start();
  }

  /** Stops regular polls until the next `start`. */
  pause(): void {
    this.#isStarted = false;
    this.#poller.pause();
  }

  /** Requests a poll of this process soon. */
  wake(): void {
    this.#poller.wake();
  }

  /** Requests polls of the other processes: there is more work than this one can begin now. */
  share(): void {
    this.#deps.engine.processes.publish(this.#options.topic);
  }

  /** As `share`, for work that the others look for only when the leader has found it. */
  shareIfLeader(): void {
    if (this.#deps.engine.processes.role === 'leader') this.share();
  }

  /** Polls once more, after the running poll. */
  poll(): Promise<void> {
    return this.#poller.poll();
  }

  /** Starts no further poll; resolves when the running one has ended. */
  stop(): Promise<void> {
    this.#isStarted = false;
    this.#subscriptions.dispose();
    this.#messageTimer?.[Symbol.dispose]();
    return this.#poller.stop();
  }

  /** At once, unless the last message was a moment ago: many processes may send many. */
  #onMessage(): void {
    if (this.#messageTimer) return;
    const { clock } = this.#deps;
    const waitMs = this.#lastMessageMs + messageIntervalMs - clock.monotonicMs();
    if (waitMs <= 0) this.#wakeByMessage();
    else this.#messageTimer = clock.after(waitMs, () => this.#wakeByMessage());
  }

  #wakeByMessage(): void {
    this.#messageTimer = undefined;
    this.#lastMessageMs = this.#deps.clock.monotonicMs();
    this.#poller.wake();
  }
}
