import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { resolveScriptUrl } from './script-url.ts';

interface RequestMessage {
  readonly asked: number;
  readonly question: unknown;
}

interface PostedMessage {
  readonly told: unknown;
}

type ResponseMessage =
  | { readonly asked: number; readonly answer: unknown }
  | { readonly asked: number; readonly failed: string };

interface PendingRequest {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** A thread has ended; what it held is gone. */
export class ThreadStopped extends Error {
  override readonly name = 'ThreadStopped';
}

export interface ThreadOptions {
  readonly name: string;
  /** What the script finds as its `workerData`. */
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** Called once when the thread ends without having been told to. */
  onFailure(error: ThreadStopped): void;
}

/**
 * A thread that is told things and asked questions, so that work of length keeps the event loop
 * from answering nobody. Messages are taken in their order: what was told before a question is
 * known when it is answered.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #waiting = new Map<number, PendingRequest>();
  #asked = 0;
  #ended: ThreadStopped | undefined;

  /** @param script TypeScript that calls `answerQuestions` */
  constructor(script: URL, { name, workerData, resourceLimits, onFailure }: ThreadOptions) {
    this.#name = name;
    const limited = resourceLimits ? { resourceLimits } : {};
    this.#worker = new Worker(resolveScriptUrl(script), {
      workerData: workerData,
      name,
      ...limited,
    });
    this.#worker.on('message', (message: ResponseMessage) => this.#settle(message));
    let failure: unknown = 'it ended without a word';
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.on('exit', () => {
      const wanted = this.#ended !== undefined;
      const error = new ThreadStopped(`The thread ${name} has stopped`, { cause: failure });
      this.#end(error);
      if (!wanted) onFailure(error);
    });
    // A thread that only waits keeps no process alive.
    this.#worker.unref();
  }

  post(message: unknown): void {
    this.#worker.postMessage({ told: message } satisfies PostedMessage);
  }

  /**
   * What is in `transfer` is moved, not copied, and is gone here. Rejects with ThreadStopped when
   * the thread ends before it has answered.
   */
  request(question: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#asked += 1;
    const asked = this.#asked;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked, { resolve, reject });
      this.#worker.postMessage({ asked, question } satisfies RequestMessage, transfer);
    });
  }

  async close(): Promise<void> {
    this.#end(new ThreadStopped(`The thread ${this.#name} was closed`));
    await this.#worker.terminate();
  }

  #settle(message: ResponseMessage): void {
    const waiting = this.#waiting.get(message.asked);
    this.#waiting.delete(message.asked);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('failed' in message) waiting?.reject(new Error(message.failed));
    else waiting?.resolve(message.answer);
  }

  #end(error: ThreadStopped): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

/** In the thread: answers each question by `answer`, and takes what is told by `take`. */
export function handleRequests<Question, Message = never>(
  answer: (question: Question) => unknown,
  take: (message: Message) => void = () => undefined,
): void {
  parentPort?.on('message', (message: RequestMessage | PostedMessage) => {
    if ('told' in message) {
      take(message.told as Message);
      return;
    }
    const { asked, question } = message;
    let answered: ResponseMessage;
    try {
      answered = { asked, answer: answer(question as Question) };
    } catch (error) {
      const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
      answered = { asked, failed };
    }
    parentPort?.postMessage(answered);
  });
}
