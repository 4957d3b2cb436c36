import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startWorkerEarly, takeWorker } from './start-worker.ts';

it('is started early once, and taken once', async () => {
  const early = startWorkerEarly();
  expect(startWorkerEarly()).toBe(early);
  const [first, second] = [takeWorker([], null), takeWorker([], null)];
  expect(first).toBe(early);
  expect(second).not.toBe(early);
  await Promise.all([first.terminate(), second.terminate()]);
});

it('is replaced if it ends before it is taken', async () => {
  const early = startWorkerEarly();
  const ended = once(early, 'exit');
  await early.terminate();
  await ended;
  const worker = takeWorker([], null);
  expect(worker).not.toBe(early);
  await worker.terminate();
});
