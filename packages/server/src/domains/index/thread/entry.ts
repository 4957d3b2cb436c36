import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../../kernel/thread.ts';
import type { Asking, Telling, ThreadTask } from './protocol.ts';
import { SearchRoom } from './room.ts';

const room = new SearchRoom((workerData as ThreadTask).dimensions);

answerQuestions<Asking, Telling>(
  (asking) => room.ask(asking),
  (telling) => room.tell(telling),
);
