import { limits, type Route } from '@mneme/contract';
import type { App } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import { perApp } from '../../kernel/per-app.ts';
import { Thread, ThreadStopped } from '../../kernel/thread.ts';
import { BodyBudget } from './budget.ts';
import type { BodyRequest, BodyResponses, BodyResult, DropBody } from './protocol.ts';
import type { CheckedBody } from './reader.ts';

/** Bytes that a token takes once it is parsed; small objects and arrays take 30 to 60. */
const bytesPerToken = 48;
/** Bytes that a byte of text takes, here and in the thread, which has a copy of its own. */
const bytesPerTextByte = 2;
const worstBodyBytes =
  limits.bulkBodyBytesMax * bytesPerTextByte + limits.jsonTokensMax * bytesPerToken;

/** The thread and what its bodies may take, once for the whole app. */
class LargeBodyThread {
  readonly budget = new BodyBudget({
    // Others have room beside the worst body of one account.
    bytesMax: 1.5 * worstBodyBytes,
    accountBytesMax: worstBodyBytes,
  });
  #thread: Thread | undefined;
  #lastId = 0;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Throws as the reader does, and 503 service_unavailable where the thread has ended. */
  async request<K extends BodyRequest['kind']>(
    question: Extract<BodyRequest, { kind: K }>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<BodyResponses[K]> {
    const answered = await this.#ask(question, transfer);
    if ('answer' in answered) return answered.answer as BodyResponses[K];
    throw new AppError(answered.refused.code, { message: answered.refused.message });
  }

  async #ask(
    question: BodyRequest,
    transfer: readonly ArrayBuffer[],
  ): Promise<BodyResult<keyof BodyResponses>> {
    this.#thread ??= this.#start();
    try {
      return (await this.#thread.request(question, transfer)) as BodyResult<keyof BodyResponses>;
    } catch (cause) {
      if (!(cause instanceof ThreadStopped)) throw cause;
      throw new AppError('service_unavailable', { cause, headers: { 'retry-after': '1' } });
    }
  }

  drop(id: number): void {
    this.#thread?.post({ drop: id } satisfies DropBody);
  }

  #start(): Thread {
    return new Thread(new URL('./thread-main.ts', import.meta.url), {
      name: 'mneme-json',
      // Twice the budget, for what a collection has not taken yet; beyond it the thread alone ends.
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

/** One large body: its bytes go to a thread as they arrive; only what was checked comes back. */
export class LargeBody {
  readonly #bodies: LargeBodyThread;
  readonly #accountId: string;
  readonly #id: number;
  readonly #begun: Promise<null>;
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
    this.#begun = this.#bodies.request({ kind: 'begin', id: this.#id, routeId: route.id, hashed });
    // A failure is reported by the first write.
    this.#begun.catch(() => undefined);
  }

  /** Resolves when more may come. Throws 413 payload_too_large, 400 invalid_json, 503. */
  async write(chunk: Uint8Array): Promise<void> {
    await this.#begun;
    this.#acquire(chunk.length * bytesPerTextByte);
    const copy = new Uint8Array(chunk);
    const { tokens } = await this.#bodies.request({ kind: 'write', id: this.#id, chunk: copy }, [
      copy.buffer,
    ]);
    this.#acquire((tokens - this.#tokens) * bytesPerToken);
    this.#tokens = tokens;
  }

  /** Throws as `write`. */
  async finish(): Promise<{ body: CheckedBody; digest: Uint8Array | null }> {
    const answer = await this.#bodies.request({ kind: 'finish', id: this.#id });
    const { body, digest, itemCount } = answer;
    if (itemCount === 0) return { body, digest };
    const items: unknown[] = [];
    while (items.length < itemCount) {
      const batch = await this.#bodies.request({ kind: 'items', id: this.#id, from: items.length });
      items.push(...batch.items);
    }
    return { body: { status: 'valid', data: items }, digest };
  }

  /** To be called once, when nothing of the body is needed any more. */
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
