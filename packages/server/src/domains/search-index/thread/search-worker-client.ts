import { WorkerThread } from '../../../kernel/worker-thread.ts';
import type {
  SearchRequestKind,
  SearchWorkerMessage,
  SearchWorkerOptions,
  SearchWorkerRequest,
  SearchWorkerRequests,
} from './protocol.ts';

/**
 * The thread that owns the indexes and searches them, so that searching or loading an account never
 * blocks the event loop. When it ends, its accounts must be loaded again.
 */
export class SearchWorkerClient {
  readonly #thread: WorkerThread;

  /**
   * @param onFailure called once when the thread ends unexpectedly
   * @param onWarning called when a thread that helps it ends unexpectedly
   */
  constructor(
    task: SearchWorkerOptions,
    onFailure: (error: Error) => void,
    onWarning: (error: Error) => void = () => undefined,
  ) {
    const script = new URL('./entry.ts', import.meta.url);
    this.#thread = new WorkerThread(script, {
      name: 'mneme-search',
      workerData: task,
      // Long-lived data is in separate buffers; a larger young generation would only use more
      // memory.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      onFailure,
      onWarning,
    });
  }

  post(message: SearchWorkerMessage): void {
    this.#thread.post(message);
  }

  /** Rejects with WorkerThreadStopped when the thread has ended. */
  request<K extends SearchRequestKind>(
    asking: SearchWorkerRequest<K>,
  ): Promise<SearchWorkerRequests[K]['answer']> {
    return this.#thread.request(asking) as Promise<SearchWorkerRequests[K]['answer']>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
