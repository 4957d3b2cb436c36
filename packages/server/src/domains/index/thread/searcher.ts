import { Worker } from 'node:worker_threads';
import type {
  Asking,
  FromThread,
  QuestionKind,
  Questions,
  Telling,
  ThreadTask,
} from './protocol.ts';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const entry = new URL(
  import.meta.url.endsWith('.ts') ? './entry.ts' : './entry.js',
  import.meta.url,
);

/** The search thread has ended; what it held must be loaded again. */
export class SearchStopped extends Error {
  override readonly name = 'SearchStopped';
}

/**
 * A thread that holds the indexes and searches them, so that no search, and no loading of an
 * account, keeps the event loop from answering others. Messages are taken in their order: what
 * was told before a question is known when it is answered.
 */
export class Searcher {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: Error | undefined;

  /** @param onFailure called once when the thread ends without having been told to */
  constructor(task: ThreadTask, onFailure: (error: Error) => void) {
    this.#worker = new Worker(entry, { workerData: task, name: 'mneme-search' });
    this.#worker.on('message', (message: FromThread) => this.#settle(message));
    let failure: unknown = 'it ended without a word';
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.on('exit', () => {
      const wanted = this.#ended !== undefined;
      const error = new SearchStopped('The search thread has stopped', { cause: failure });
      this.#end(error);
      if (!wanted) onFailure(error);
    });
    // A thread that only waits keeps no process alive.
    this.#worker.unref();
  }

  tell(telling: Telling): void {
    this.#worker.postMessage(telling);
  }

  ask<K extends QuestionKind>(asking: Asking<K>): Promise<Questions[K]['answer']> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#asked += 1;
    const asked = this.#asked;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker.postMessage({ asked, asking });
    });
  }

  async close(): Promise<void> {
    this.#end(new SearchStopped('The search thread was closed'));
    await this.#worker.terminate();
  }

  #settle(message: FromThread): void {
    const waiting = this.#waiting.get(message.asked);
    this.#waiting.delete(message.asked);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('failed' in message) waiting?.reject(new Error(message.failed));
    else waiting?.resolve(message.answer);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
