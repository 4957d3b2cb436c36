import type { routes, ValidatedRequest } from '@mneme/contract';
import { eventNotifier, eventsTopic } from '../../events/commit-notifier.ts';
import { readAccountPosition, readEvents } from '../../events/outbox.ts';
import { perApp } from '../../kernel/per-app.ts';
import {
  acquireEventStreamSlot,
  type CredentialRecheck,
  createCredentialRecheck,
} from '../accounts/index.ts';
import type { App, Ctx } from '../ctx.ts';
import { type BodyStream, Reply } from '../handler.ts';
import { type EventSelection, presentEvent, selectEvents } from './events.ts';

/** How often a stream looks for events of other processes, if they can report them and if not. */
const pollMs = { reported: 5_000, unreported: 1_000 };
const heartbeatMs = 15_000;
const credentialCheckMs = 5_000;
/** A client that reads nothing for this long is disconnected; it resumes with Last-Event-ID. */
const stalledMs = 30_000;
/** Read at once; an event may contain a memory twice. */
const batchMax = 20;
const retryMs = 2_000;

/** The open streams of this process. */
class OpenEventStreams {
  readonly #open = new Set<AbortController>();
  #isClosing = false;

  add(controller: AbortController): Disposable {
    this.#open.add(controller);
    if (this.#isClosing) controller.abort();
    return { [Symbol.dispose]: () => void this.#open.delete(controller) };
  }

  get count(): number {
    return this.#open.size;
  }

  /** At shutdown: ends each stream between two events, and also streams opened later. */
  closeAll(): void {
    this.#isClosing = true;
    for (const controller of this.#open) controller.abort();
  }
}

export const openEventStreams = perApp<App, OpenEventStreams>(() => new OpenEventStreams());

type Query = ValidatedRequest<typeof routes.events.stream>['query'];

/**
 * Streams events. Throws 400 invalid_request for a cursor of another stream, 403
 * user_access_denied, 429 concurrent_limit_exceeded beyond the account's streams.
 */
export async function streamEvents(
  ctx: Ctx,
  query: Query,
  lastEventId: string | null,
): Promise<Reply<never>> {
  const selection = selectEvents(ctx, query);
  // Reconnecting clients send the original URL, and the position in Last-Event-ID.
  const cursor = lastEventId || query.cursor;
  const { accountId } = ctx.actor;
  const at =
    cursor === undefined
      ? await readAccountPosition(ctx.engine.db, accountId)
      : selection.decodeCursor(cursor);
  const hasValidCredentials = await createCredentialRecheck(ctx, ctx.actor);
  const release = await acquireEventStreamSlot(ctx, ctx.actor);
  const stream = new EventStream(ctx, {
    selection,
    at,
    hasValidCredentials,
    release,
  });
  return new Reply<never>(stream, { headers });
}

const headers = {
  'content-type': 'text/event-stream',
  // Keep-alive would delay the shutdown, or the next request on the connection.
  connection: 'close',
  // Tells proxies not to buffer.
  'x-accel-buffering': 'no',
};

interface EventStreamOptions {
  readonly selection: EventSelection;
  readonly at: number;
  readonly hasValidCredentials: CredentialRecheck;
  readonly release: () => Promise<void>;
}

/**
 * The text of one stream. Produced as it is read: at most one batch of events and one chunk are in
 * memory per client.
 */
class EventStream implements BodyStream {
  readonly #ctx: Ctx;
  readonly #options: EventStreamOptions;
  readonly #ending = new AbortController();
  readonly #stalledAbort = new AbortController();
  readonly #resources = new AsyncDisposableStack();
  #at: number;
  /** When the credentials were last checked. */
  #credentialsCheckedMs: number;
  #wake: (() => void) | undefined;
  /** Unread events may exist. */
  #mayHaveEvents = true;

  constructor(ctx: Ctx, options: EventStreamOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#at = options.at;
    this.#credentialsCheckedMs = ctx.clock.monotonicMs();
    const { accountId } = ctx.actor;
    this.#resources.defer(options.release);
    this.#resources.use(openEventStreams.of(ctx).add(this.#ending));
    this.#resources.use(
      eventNotifier
        .of(ctx)
        .subscribe((accountIds) => void (accountIds.has(accountId) && this.#onCommit())),
    );
    this.#resources.use(
      ctx.engine.processes.subscribe(eventsTopic, (accountIds) => {
        if (accountIds?.has(accountId) ?? true) this.#onCommit();
      }),
    );
    this.#ending.signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  get abortSignal(): AbortSignal {
    return this.#stalledAbort.signal;
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    const chunks = this.#chunks();
    let stalled: Disposable | undefined;
    return {
      next: async () => {
        stalled?.[Symbol.dispose]();
        const chunk = await chunks.next();
        if (!chunk.done) {
          stalled = this.#ctx.clock.after(stalledMs, () => this.#stalledAbort.abort());
        }
        return chunk;
      },
      // Also ends a running wait.
      return: async () => {
        stalled?.[Symbol.dispose]();
        this.#ending.abort();
        await chunks.return(undefined);
        await this.#resources.disposeAsync();
        return { done: true, value: undefined };
      },
    };
  }

  async *#chunks(): AsyncGenerator<string, undefined> {
    await using _resources = this.#resources;
    const { clock } = this.#ctx;
    yield `retry: ${retryMs}\n${this.#formatPosition()}\n`;
    let lastSentMs = clock.monotonicMs();
    while (await this.#shouldContinue()) {
      for (const chunk of await this.#read()) {
        if (!(await this.#shouldContinue())) return;
        yield chunk;
        lastSentMs = clock.monotonicMs();
      }
      if (clock.monotonicMs() - lastSentMs >= heartbeatMs) {
        // Without data it is no event, but it updates the position for a reconnect.
        yield `: heartbeat\n${this.#formatPosition()}\n`;
        lastSentMs = clock.monotonicMs();
      }
      await this.#waitForEvents();
    }
  }

  /** False after the end of the stream, or with invalid credentials. */
  async #shouldContinue(): Promise<boolean> {
    const now = this.#ctx.clock.monotonicMs();
    if (!this.#ending.signal.aborted && now - this.#credentialsCheckedMs >= credentialCheckMs) {
      this.#credentialsCheckedMs = now;
      if (!(await this.#options.hasValidCredentials())) this.#ending.abort();
    }
    return !this.#ending.signal.aborted;
  }

  /** Reads the next events and advances the position, past all events if these are the last. */
  async #read(): Promise<string[]> {
    this.#mayHaveEvents = false;
    const { engine, actor } = this.#ctx;
    const { selection } = this.#options;
    const { db } = engine;
    const upTo = await readAccountPosition(db, actor.accountId);
    if (upTo <= this.#at) return [];
    const page = { after: this.#at, upTo, limit: batchMax };
    const events = await readEvents(db, actor.accountId, { ...selection.filter, ...page });
    const isComplete = events.length < batchMax;
    if (!isComplete) this.#mayHaveEvents = true;
    this.#at = isComplete ? upTo : (events.at(-1)?.position ?? upTo);
    return events.map((stored) => {
      const id = selection.encodeCursor(stored.position);
      const data = JSON.stringify(presentEvent(stored));
      return `id: ${id}\nevent: ${stored.type}\ndata: ${data}\n\n`;
    });
  }

  #formatPosition = (): string => `id: ${this.#options.selection.encodeCursor(this.#at)}\n`;

  #onCommit(): void {
    this.#mayHaveEvents = true;
    this.#wake?.();
  }

  /** Waits for a commit of any process, or until the next poll. */
  #waitForEvents(): Promise<void> {
    if (this.#mayHaveEvents || this.#ending.signal.aborted) return Promise.resolve();
    const { clock, engine } = this.#ctx;
    const waitMs = engine.processes.role === 'single' ? pollMs.unreported : pollMs.reported;
    return new Promise((resolve) => {
      const timer = clock.after(waitMs, () => this.#wake?.());
      this.#wake = () => {
        timer[Symbol.dispose]();
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
