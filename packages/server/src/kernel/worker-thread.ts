import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { trackThread } from './metrics/threads.ts';
import { resolveScriptUrl } from './script-url.ts';

interface RequestMessage {
  readonly id: number;
  readonly request: unknown;
}

interface PostedMessage {
  readonly posted: unknown;
}

type ResponseMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

interface WarningMessage {
  readonly warning: Error;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The thread has ended, and its data is lost. */
export class WorkerThreadStopped extends Error {
  override readonly name = 'WorkerThreadStopped';
}

export interface WorkerThreadOptions {
  readonly name: string;
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** Called once when the thread ends without `close`. */
  onFailure(error: WorkerThreadStopped): void;
  /** Called with each error of `reportThreadWarning`. */
  onWarning?(error: Error): void;
}

/**
 * A worker thread for long computations, which receives messages and requests. It processes them in
 * order: a message that was posted before a request is processed before it.
 */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #pending = new Map<number, PendingRequest>();
  #lastId = 0;
  #stopped: WorkerThreadStopped | undefined;

  /** @param script TypeScript that calls `handleThreadRequests` */
  constructor(script: URL, options: WorkerThreadOptions) {
    const { name, workerData, resourceLimits, onFailure, onWarning } = options;
    this.#name = name;
    const limited = resourceLimits ? { resourceLimits } : {};
    this.#worker = new Worker(resolveScriptUrl(script), { workerData, name, ...limited });
    trackThread(name, this.#worker);
    this.#worker.on('message', (message: ResponseMessage | WarningMessage) => {
      if ('warning' in message) onWarning?.(message.warning);
      else this.#settle(message);
    });
    let failure: unknown = 'it ended without an error';
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.on('exit', () => {
      const isExpected = this.#stopped !== undefined;
      const error = new WorkerThreadStopped(`The thread ${name} has stopped`, { cause: failure });
      this.#stop(error);
      if (!isExpected) onFailure(error);
    });
    // An idle thread must not keep the process alive.
    this.#worker.unref();
  }

  post(message: unknown): void {
    this.#worker.postMessage({ posted: message } satisfies PostedMessage);
  }

  /**
   * Buffers in `transfer` are moved instead of copied and are unusable here afterwards. Rejects
   * with WorkerThreadStopped when the thread ends before it responds.
   */
  request(request: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    this.#lastId += 1;
    const id = this.#lastId;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request } satisfies RequestMessage, transfer);
    });
  }

  async close(): Promise<void> {
    this.#stop(new WorkerThreadStopped(`The thread ${this.#name} was closed`));
    await this.#worker.terminate();
  }

  #settle(message: ResponseMessage): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in message) pending?.reject(new Error(message.error));
    else pending?.resolve(message.result);
  }

  #stop(error: WorkerThreadStopped): void {
    this.#stopped ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#stopped);
    this.#pending.clear();
  }
}

/**
 * In the thread: responds to requests with `handleRequest`, and passes messages to the other. A
 * handler that returns a promise lets later requests run before it resolves.
 */
export function handleThreadRequests<Request, Message = never>(
  handleRequest: (request: Request) => unknown,
  handleMessage: (message: Message) => void = () => undefined,
): void {
  parentPort?.on('message', (message: RequestMessage | PostedMessage) => {
    if ('posted' in message) handleMessage(message.posted as Message);
    else void respond(message, (request) => handleRequest(request as Request));
  });
}

/** In the thread: reports an error that does not end it. */
export function reportThreadWarning(error: Error): void {
  parentPort?.postMessage({ warning: error } satisfies WarningMessage);
}

async function respond(
  { id, request }: RequestMessage,
  handle: (request: unknown) => unknown,
): Promise<void> {
  let response: ResponseMessage;
  try {
    const result = handle(request);
    response = { id, result: result instanceof Promise ? await result : result };
  } catch (thrown) {
    const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    response = { id, error };
  }
  parentPort?.postMessage(response);
}
