import { Thread } from '../../../kernel/thread.ts';
import type {
  SearchRequestKind,
  SearchWorkerMessage,
  SearchWorkerOptions,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './protocol.ts';

/**
 * The thread that holds the indexes and searches them, so that no search, and no loading of an
 * account, keeps the event loop from answering others. When it ends, what it held must be loaded
 * again.
 */
export class SearchWorkerClient {
  readonly #thread: Thread;

  /** @param onFailure called once when the thread ends without having been told to */
  constructor(task: SearchWorkerOptions, onFailure: (error: Error) => void) {
    const script = new URL('./entry.ts', import.meta.url);
    this.#thread = new Thread(script, {
      name: 'mneme-search',
      workerData: task,
      // What lives long is in buffers of its own; more would only be held.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      onFailure,
    });
  }

  post(telling: SearchWorkerMessage): void {
    this.#thread.post(telling);
  }

  /** Rejects with ThreadStopped when the thread has ended. */
  request<K extends SearchRequestKind>(
    asking: SearchWorkerRequest<K>,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    return this.#thread.request(asking) as Promise<SearchWorkerRequests[K]['answer']>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
