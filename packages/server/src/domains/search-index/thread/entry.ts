import { availableParallelism } from 'node:os';
import { workerData } from 'node:worker_threads';
import { isEnglishWord, termProbability } from '@mneme/text';
import { handleThreadRequests, reportThreadWarning } from '../../../kernel/worker-thread.ts';
import { DotProductThread } from './dot-product-thread.ts';
import type { SearchWorkerMessage, SearchWorkerOptions, SearchWorkerRequest } from './protocol.ts';
import { SearchWorker } from './search-worker.ts';

const { dimensions, isAhead } = workerData as SearchWorkerOptions;
// With a single core there is nobody to help.
const helper = availableParallelism() > 1 ? new DotProductThread(reportThreadWarning) : null;
const worker = new SearchWorker(dimensions, helper);

handleThreadRequests<SearchWorkerRequest, SearchWorkerMessage>(
  (asking) => worker.handleRequest(asking),
  (message) => worker.handleMessage(message),
);

// Both read their words at the first call, which the first search would wait for.
if (isAhead) {
  termProbability('');
  isEnglishWord('');
}
