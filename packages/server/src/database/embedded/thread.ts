import { Worker } from 'node:worker_threads';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { EngineClosed, EngineFailed } from '../errors.ts';
import type { WorkerMessage, WorkerRequest, WorkerTask } from './protocol.ts';
import { StreamedResponse } from './streamed-response.ts';

interface PendingRequest {
  resolve(answer: Uint8Array): void;
  reject(error: Error): void;
  /** Receives what comes before the last piece of a streamed answer. */
  onPiece?(piece: Uint8Array): void;
}

const WORKER_URL = resolveScriptUrl(new URL('./worker.ts', import.meta.url));

/** Whole answers come back in the order of the requests. */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #waiting: PendingRequest[] = [];
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #stopped: Error | undefined;
  #closed = false;

  /**
   * Starts a worker. onFailure is called once when it stops without having been told to, onAnswer
   * after each answer.
   */
  constructor(
    task: WorkerTask,
    execArgv: string[],
    { onFailure, onAnswer }: { onFailure(error: EngineFailed): void; onAnswer(): void },
  ) {
    this.#worker = new Worker(WORKER_URL, {
      workerData: task,
      execArgv,
      name: 'mneme-database',
      // What lives briefly is small here; more would only be held.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    let failure = 'it ended without a word';
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.#ready = ready.promise;
    this.#ended = ended.promise;
    this.#ready.catch(() => {});
    this.#worker.on('message', (message: WorkerMessage) => {
      if (message instanceof Uint8Array) {
        this.#waiting.shift()?.resolve(message);
        onAnswer();
      } else if (message === 'ready') ready.resolve();
      else if (message === 'closed') this.#closed = true;
      else if ('piece' in message) this.#waiting[0]?.onPiece?.(message.piece);
      else failure = message.failed;
    });
    this.#worker.on('error', (error) => {
      failure = String(error);
    });
    this.#worker.on('exit', () => {
      const unexpected = !this.#closed && this.#stopped === undefined;
      const error = new EngineFailed(`The embedded database has stopped: ${failure}`);
      this.#stop(this.#closed ? new EngineClosed() : error);
      ready.reject(error);
      ended.resolve();
      if (unexpected) onFailure(error);
    });
  }

  /** Resolves when the database answers; rejects with EngineFailed when it cannot be opened. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /** Sends a request, which is moved to the worker, and gives the whole answer to it. */
  send(request: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request satisfies WorkerRequest, [request.buffer]);
    });
  }

  /** Sends a request and gives its answer in pieces; the database waits while they are not read. */
  stream(request: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
    const answer = new StreamedResponse();
    if (this.#stopped) answer.fail(this.#stopped);
    else {
      this.#waiting.push({
        resolve: (piece) => answer.complete(piece),
        reject: (error) => answer.fail(error),
        onPiece: (piece) => answer.push(piece),
      });
      const message = { request, credit: answer.credit } satisfies WorkerRequest;
      this.#worker.postMessage(message, [request.buffer]);
    }
    return answer.read();
  }

  /** Lets the database write its checkpoint and end; resolves when the thread is gone. */
  async close(): Promise<void> {
    if (!this.#stopped) this.#worker.postMessage('close' satisfies WorkerRequest);
    await this.#ended;
  }

  /** Ends the thread in the middle of whatever it does; what waits is rejected with the error. */
  async kill(error: Error): Promise<void> {
    this.#stop(error);
    await this.#worker.terminate();
    await this.#ended;
  }

  #stop(error: Error): void {
    this.#stopped ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#stopped);
  }
}
