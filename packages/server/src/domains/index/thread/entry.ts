import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadTask, ToThread } from './protocol.ts';
import { SearchRoom } from './room.ts';

const room = new SearchRoom((workerData as ThreadTask).dimensions);

parentPort?.on('message', (message: ToThread) => {
  if (!('asked' in message)) {
    room.tell(message);
    return;
  }
  const { asked, asking } = message;
  try {
    parentPort?.postMessage({ asked, answer: room.ask(asking) } satisfies FromThread);
  } catch (error) {
    const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ asked, failed } satisfies FromThread);
  }
});
