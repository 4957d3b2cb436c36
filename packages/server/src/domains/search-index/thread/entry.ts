import { workerData } from 'node:worker_threads';
import { handleThreadRequests } from '../../../kernel/worker-thread.ts';
import type { SearchWorkerMessage, SearchWorkerOptions, SearchWorkerRequest } from './protocol.ts';
import { SearchWorker } from './search-worker.ts';

const worker = new SearchWorker((workerData as SearchWorkerOptions).dimensions);

handleThreadRequests<SearchWorkerRequest, SearchWorkerMessage>(
  (asking) => worker.handleRequest(asking),
  (message) => worker.handleMessage(message),
);
