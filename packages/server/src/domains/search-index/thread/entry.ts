import { workerData } from 'node:worker_threads';
import { handleRequests } from '../../../kernel/thread.ts';
import type { SearchWorkerMessage, SearchWorkerOptions, SearchWorkerRequest } from './protocol.ts';
import { SearchWorker } from './search-worker.ts';

const worker = new SearchWorker((workerData as SearchWorkerOptions).dimensions);

handleRequests<SearchWorkerRequest, SearchWorkerMessage>(
  (asking) => worker.handleRequest(asking),
  (message) => worker.handleMessage(message),
);
