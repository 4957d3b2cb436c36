import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../../../test/support/fake-clock.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { createTestModel, idleMs, neverAborted, TestModelError, timeoutMs } from './testing.ts';

const isHeld = isAvailable('prlimit');

let clock: FakeClock;
let model: ReturnType<typeof createTestModel>;
const pidOf = async (): Promise<number> => (await model.request('pid', neverAborted)) as number;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The next request is on its way to the process. */
const sent = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  clock = createFakeClock();
  model = createTestModel(clock);
});
afterEach(() => model[Symbol.asyncDispose]());

describe('a model in a child process', () => {
  test('that could not be loaded retries with the next request', async () => {
    await model[Symbol.asyncDispose]();
    model = createTestModel(clock, 1);
    const first = model.request('loads', neverAborted);
    await expect(first).rejects.toMatchObject({ message: 'no model yet', unavailable: true });
    expect(await model.request('loads', neverAborted)).toBe(2);
  });
});

describe('a failing request', () => {
  test.each(['crash', 'leave'])(
    'after the exit of the process (%s) can be retried',
    async (how) => {
      const pid = await pidOf();
      const [ended, next] = await Promise.allSettled([model.request(how, neverAborted), pidOf()]);
      expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(TestModelError) });
      expect(ended).toMatchObject({
        reason: { message: 'a model was stopped', unavailable: true },
      });
      expect(next).toMatchObject({ status: 'fulfilled' });
      expect(next).not.toMatchObject({ value: pid });
    },
  );

  test.runIf(isHeld)('that uses too much memory fails alone', async () => {
    await expect(model.request('fill', neverAborted)).rejects.toThrow();
    expect(await model.request('a', neverAborted)).toBe('a');
  });
});

describe('an endless computation', () => {
  test('is aborted by the signal, and the next request succeeds', async () => {
    const pid = await pidOf();
    const stop = new AbortController();
    const reason = new Error('nobody waits');
    const settled = Promise.allSettled([model.request('spin', stop.signal), pidOf()]);
    await sent();
    expect(isThere(pid)).toBe(true);
    stop.abort(reason);
    const [spun, next] = await settled;
    expect(spun).toMatchObject({ status: 'rejected', reason });
    expect(isThere(pid)).toBe(false);
    expect(next).toMatchObject({ status: 'fulfilled', value: expect.any(Number) });
  });

  test('does not start if the signal is already aborted', async () => {
    await expect(model.request('spin', AbortSignal.abort('late'))).rejects.toBe('late');
  });

  test('ends after the timeout', async () => {
    await pidOf();
    const settled = Promise.allSettled([model.request('spin', neverAborted)]);
    await sent();
    clock.advance(timeoutMs);
    const [spun] = await settled;
    const reason = { message: 'a model took too long', unavailable: false };
    expect(spun).toMatchObject({ status: 'rejected', reason });
    expect(await model.request('a', neverAborted)).toBe('a');
  });

  test('ends when it is closed, and later requests fail', async () => {
    const pid = await pidOf();
    const settled = Promise.allSettled([model.request('spin', neverAborted)]);
    await sent();
    expect(isThere(pid)).toBe(true);
    await model[Symbol.asyncDispose]();
    expect(isThere(pid)).toBe(false);
    const [spun] = await settled;
    expect(spun).toMatchObject({ status: 'rejected', reason: { message: 'a model was stopped' } });
    await expect(model.request('a', neverAborted)).rejects.toThrow('is closed');
  });

  test('ends with its parent, however that ends', async () => {
    const asker = fork(fileURLToPath(new URL('./fixtures/client.ts', import.meta.url)), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    asker.stderr?.resume();
    await once(asker, 'message');
    asker.kill('SIGKILL');
    // Both processes hold its stderr, which closes when the last of them has exited.
    await once(asker, 'close');
  });
});

test('a signal to the whole process group leaves the model process to the server', async () => {
  const pid = await pidOf();
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGTERM');
  expect(await pidOf()).toBe(pid);
});

test('an idle process exits, and a new one serves the next request', async () => {
  const pid = await pidOf();
  clock.advance(idleMs - 1_000);
  expect(await pidOf()).toBe(pid);
  clock.advance(idleMs);
  await eventually(
    async () => isThere(pid),
    (there) => !there,
  );
  expect(await pidOf()).not.toBe(pid);
});
