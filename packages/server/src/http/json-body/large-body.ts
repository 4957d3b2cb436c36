import { limits, type Route } from '@mneme/contract';
import type { App } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import { WorkerThread, WorkerThreadStopped } from '../../kernel/worker-thread.ts';
import type {
  BodyThreadRequest,
  BodyThreadResponses,
  BodyThreadResult,
  DropBodyMessage,
} from './body-thread-protocol.ts';
import { BodyMemoryBudget } from './memory-budget.ts';

/** Memory per parsed token; small objects and arrays need 30 to 60 bytes. */
const bytesPerToken = 48;
/** Memory per byte of text: the main thread and the parser thread have a copy each. */
const bytesPerTextByte = 2;
const worstBodyBytes =
  limits.bulkBodyBytesMax * bytesPerTextByte + limits.jsonTokensMax * bytesPerToken;

/** The parser thread and its memory budget; one per app. */
class LargeBodyThread {
  readonly budget = new BodyMemoryBudget({
    // More than the worst body of one account, so that other accounts have capacity left.
    bytesMax: 1.5 * worstBodyBytes,
    accountBytesMax: worstBodyBytes,
  });
  #thread: WorkerThread | undefined;
  #lastId = 0;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Throws the errors of the reader, and 503 service_unavailable if the thread has ended. */
  async request<K extends BodyThreadRequest['kind']>(
    request: Extract<BodyThreadRequest, { kind: K }>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<BodyThreadResponses[K]> {
    const result = await this.#send(request, transfer);
    if ('answer' in result) return result.answer as BodyThreadResponses[K];
    throw new AppError(result.refused.code, { message: result.refused.message });
  }

  async #send(
    request: BodyThreadRequest,
    transfer: readonly ArrayBuffer[],
  ): Promise<BodyThreadResult<keyof BodyThreadResponses>> {
    this.#thread ??= this.#start();
    try {
      return (await this.#thread.request(request, transfer)) as BodyThreadResult<
        keyof BodyThreadResponses
      >;
    } catch (cause) {
      if (!(cause instanceof WorkerThreadStopped)) throw cause;
      throw new AppError('service_unavailable', { cause, headers: { 'retry-after': '1' } });
    }
  }

  drop(id: number): void {
    this.#thread?.post({ drop: id } satisfies DropBodyMessage);
  }

  #start(): WorkerThread {
    return new WorkerThread(new URL('./thread-main.ts', import.meta.url), {
      name: 'mneme-json',
      // Twice the budget, for garbage that is not collected yet. Above it only the thread ends.
      resourceLimits: { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 4 },
      onFailure: () => {
        this.#thread = undefined;
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.close();
  }
}

const largeBodyThread = perApp<App, LargeBodyThread>((app) =>
  app.disposables.use(new LargeBodyThread()),
);

/** A large body: a thread receives its bytes as they arrive and returns only validated data. */
export class LargeBody {
  readonly #bodies: LargeBodyThread;
  readonly #accountId: string;
  readonly #id: number;
  readonly #started: Promise<null>;
  #acquired = 0;
  #tokens = 0;

  constructor(
    app: App,
    route: Route,
    { accountId, hashed }: { accountId: string; hashed: boolean },
  ) {
    this.#bodies = largeBodyThread.of(app);
    this.#accountId = accountId;
    this.#id = this.#bodies.nextId();
    const id = this.#id;
    this.#started = this.#bodies.request({ kind: 'begin', id, routeId: route.id, hashed });
    // The first write reports an error.
    this.#started.catch(() => undefined);
  }

  /** Resolves when the next write may follow. Throws 413, 400 invalid_json, 503. */
  async write(chunk: Uint8Array): Promise<void> {
    await this.#started;
    this.#acquire(chunk.length * bytesPerTextByte);
    const copy = new Uint8Array(chunk);
    const { tokens } = await this.#bodies.request({ kind: 'write', id: this.#id, chunk: copy }, [
      copy.buffer,
    ]);
    this.#acquire((tokens - this.#tokens) * bytesPerToken);
    this.#tokens = tokens;
  }

  /** Throws like `write`. */
  async finish(): Promise<Omit<BodyThreadResponses['finish'], 'itemCount'>> {
    const result = await this.#bodies.request({ kind: 'finish', id: this.#id });
    const { itemCount, ...finished } = result;
    if (itemCount === 0) return finished;
    const items: unknown[] = [];
    while (items.length < itemCount) {
      const batch = await this.#bodies.request({ kind: 'items', id: this.#id, from: items.length });
      items.push(...batch.items);
    }
    return { ...finished, body: { status: 'valid', data: items } };
  }

  /** Call it once, when the body is no longer needed. */
  release(): void {
    this.#bodies.drop(this.#id);
    this.#bodies.budget.release(this.#accountId, this.#acquired);
    this.#acquired = 0;
  }

  #acquire(bytes: number): void {
    this.#bodies.budget.acquire(this.#accountId, bytes);
    this.#acquired += bytes;
  }
}
