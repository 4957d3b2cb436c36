import type { routes, ValidatedRequest } from '@mneme/contract';
import { eventNotifier } from '../../events/commit-notifier.ts';
import { readAccountPosition, readEvents } from '../../events/outbox.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { perApp } from '../../kernel/per-app.ts';
import {
  acquireEventStream,
  type CredentialCheck,
  createCredentialCheck,
} from '../accounts/index.ts';
import { type App, type Ctx, visibleSpaces } from '../ctx.ts';
import { type BodyStream, Reply } from '../handler.ts';
import { cursorScopeOf, isPosition, presentEvent } from './events.ts';

const pollMs = 1_000;
const heartbeatMs = 15_000;
const credentialCheckMs = 5_000;
/** Nobody has read for so long: whoever it is comes back with Last-Event-ID. */
const stalledMs = 30_000;
/** Read at once; an event may show a memory twice. */
const batchMax = 20;
const retryMs = 2_000;

/** The open streams of this process. */
class OpenEventStreams {
  readonly #open = new Set<AbortController>();
  #ending = false;

  add(end: AbortController): Disposable {
    this.#open.add(end);
    if (this.#ending) end.abort();
    return { [Symbol.dispose]: () => void this.#open.delete(end) };
  }

  /** The service stops: each ends between two events, and so do those that come now. */
  closeAll(): void {
    this.#ending = true;
    for (const end of this.#open) end.abort();
  }
}

export const openEventStreams = perApp<App, OpenEventStreams>(() => new OpenEventStreams());

type Query = ValidatedRequest<typeof routes.operations.eventStream>['query'];

/**
 * Events as they happen. Throws 400 invalid_request for a place that is none of this stream, 429
 * concurrent_limit_exceeded beyond the account's streams.
 */
export async function streamEvents(
  ctx: Ctx,
  query: Query,
  lastEventId: string | null,
): Promise<Reply<never>> {
  const bound = cursorScopeOf(ctx, query.type);
  // A client that comes back by itself sends the URL of its beginning and where it stopped.
  const cursor = lastEventId || query.cursor;
  const { accountId } = ctx.actor;
  const at =
    cursor === undefined
      ? await readAccountPosition(ctx.engine.db, accountId)
      : decodeCursor(bound, cursor, isPosition);
  const stillGood = await createCredentialCheck(ctx, ctx.actor);
  const release = await acquireEventStream(ctx, ctx.actor);
  const stream = new EventStream(ctx, {
    query,
    bound,
    at,
    hasValidCredentials: stillGood,
    release,
  });
  return new Reply<never>(stream, { headers });
}

const headers = {
  'content-type': 'text/event-stream',
  // Kept alive it would hold up the stop, or the next request behind a stream.
  connection: 'close',
  // Asks proxies to pass on what comes when it comes.
  'x-accel-buffering': 'no',
};

interface EventStreamOptions {
  readonly query: Query;
  readonly bound: unknown;
  readonly at: number;
  readonly hasValidCredentials: CredentialCheck;
  readonly release: () => Promise<void>;
}

/**
 * One stream as text. Made as it is read: a batch of events and one piece are all that waits for a
 * reader, however much happens meanwhile.
 */
class EventStream implements BodyStream {
  readonly #ctx: Ctx;
  readonly #beginning: EventStreamOptions;
  readonly #ending = new AbortController();
  readonly #breaking = new AbortController();
  readonly #held = new AsyncDisposableStack();
  #at: number;
  /** When the key was looked at last. */
  #askedMs: number;
  #wake: (() => void) | undefined;
  /** Something may be there that was not read. */
  #isDue = true;

  constructor(ctx: Ctx, beginning: EventStreamOptions) {
    this.#ctx = ctx;
    this.#beginning = beginning;
    this.#at = beginning.at;
    this.#askedMs = ctx.clock.monotonicMs();
    const { accountId } = ctx.actor;
    this.#held.defer(beginning.release);
    this.#held.use(openEventStreams.of(ctx).add(this.#ending));
    this.#held.use(
      eventNotifier.of(ctx).subscribe((told) => void (told.has(accountId) && this.#ring())),
    );
    this.#ending.signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  get abortSignal(): AbortSignal {
    return this.#breaking.signal;
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    const pieces = this.#pieces();
    let stalled: Disposable | undefined;
    return {
      next: async () => {
        stalled?.[Symbol.dispose]();
        const piece = await pieces.next();
        if (!piece.done) {
          stalled = this.#ctx.clock.after(stalledMs, () => this.#breaking.abort());
        }
        return piece;
      },
      // Also in the middle of a wait, which then is over at once.
      return: async () => {
        stalled?.[Symbol.dispose]();
        this.#ending.abort();
        await pieces.return(undefined);
        await this.#held.disposeAsync();
        return { done: true, value: undefined };
      },
    };
  }

  async *#pieces(): AsyncGenerator<string, undefined> {
    await using _held = this.#held;
    const { clock } = this.#ctx;
    yield `retry: ${retryMs}\n${this.#place()}\n`;
    let saidMs = clock.monotonicMs();
    while (await this.#goesOn()) {
      for (const piece of await this.#read()) {
        if (!(await this.#goesOn())) return;
        yield piece;
        saidMs = clock.monotonicMs();
      }
      if (clock.monotonicMs() - saidMs >= heartbeatMs) {
        // With an id and nothing else it is no event, and still moves on where to come back to.
        yield `: heartbeat\n${this.#place()}\n`;
        saidMs = clock.monotonicMs();
      }
      await this.#pause();
    }
  }

  /** Not once it is over, and not with a key that is good no more. */
  async #goesOn(): Promise<boolean> {
    const now = this.#ctx.clock.monotonicMs();
    if (!this.#ending.signal.aborted && now - this.#askedMs >= credentialCheckMs) {
      this.#askedMs = now;
      if (!(await this.#beginning.hasValidCredentials())) this.#ending.abort();
    }
    return !this.#ending.signal.aborted;
  }

  /** The next events, and moves behind them; behind all that there are where these are the last. */
  async #read(): Promise<string[]> {
    this.#isDue = false;
    const { engine, actor } = this.#ctx;
    const { query, bound } = this.#beginning;
    const { db } = engine;
    const upTo = await readAccountPosition(db, actor.accountId);
    if (upTo <= this.#at) return [];
    const filter = { type: query.type, spaces: visibleSpaces(actor), limit: batchMax };
    const events = await readEvents(db, actor.accountId, { ...filter, after: this.#at, upTo });
    const isWhole = events.length < batchMax;
    if (!isWhole) this.#isDue = true;
    this.#at = isWhole ? upTo : (events.at(-1)?.position ?? upTo);
    return events.map((stored) => {
      const id = encodeCursor(bound, stored.position);
      const data = JSON.stringify(presentEvent(stored));
      return `id: ${id}\nevent: ${stored.type}\ndata: ${data}\n\n`;
    });
  }

  #place = (): string => `id: ${encodeCursor(this.#beginning.bound, this.#at)}\n`;

  #ring(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** Until something happened here, or it is time to look what happened elsewhere. */
  #pause(): Promise<void> {
    if (this.#isDue || this.#ending.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#ctx.clock.after(pollMs, () => this.#wake?.());
      this.#wake = () => {
        timer[Symbol.dispose]();
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
