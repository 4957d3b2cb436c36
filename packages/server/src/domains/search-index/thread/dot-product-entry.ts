import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type DotProgram, fillProducts, instantiateDots } from '../account/dot-program.ts';
import { SharedDotProducts } from '../account/shared-dot-products.ts';
import type { DotProductMessage, DotProductThreadOptions } from './dot-product-thread.ts';

const { buffer, port } = workerData as DotProductThreadOptions;
const shared = new SharedDotProducts(buffer);
const programs = new Map<number, DotProgram>();

/** A memory is announced before the first task that needs it. */
function programOf(id: number): DotProgram {
  const known = programs.get(id);
  if (known) return known;
  readMessages();
  const announced = programs.get(id);
  if (!announced) throw new Error(`The memory ${id} was not announced`);
  return announced;
}

function readMessages(): void {
  for (;;) {
    const received = receiveMessageOnPort(port as MessagePort);
    if (!received) return;
    const { id, memory } = received.message as DotProductMessage;
    if (memory) programs.set(id, instantiateDots(memory));
    else programs.delete(id);
  }
}

// Until the thread is terminated.
for (let last = 0; ; ) {
  last = shared.help(last, (task, chunk, place) =>
    fillProducts(programOf(task.memory), task, chunk, place),
  );
  readMessages();
}
