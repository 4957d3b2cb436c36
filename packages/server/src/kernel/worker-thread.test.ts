import { describe, expect, it } from 'vitest';
import { WorkerThread, WorkerThreadStopped } from './worker-thread.ts';

const script = new URL('./fixtures/test-thread.ts', import.meta.url);
const start = (onFailure: (error: Error) => void = () => undefined): WorkerThread =>
  new WorkerThread(script, { name: 'test', onFailure });

describe('WorkerThread', () => {
  it('processes messages before later requests, and responds to each request', async () => {
    const thread = start();
    thread.post('a');
    const first = thread.request('1');
    thread.post('b');
    expect(await Promise.all([first, thread.request('2')])).toEqual([
      ['a', '1'],
      ['a', 'b', '2'],
    ]);
    await thread.close();
  });

  it('continues after a failed request', async () => {
    const thread = start();
    await expect(thread.request('fail')).rejects.toThrow('no such request');
    expect(await thread.request('1')).toEqual(['1']);
    await thread.close();
  });

  it('continues after a warning, which it reports', async () => {
    const warnings: Error[] = [];
    const thread = new WorkerThread(script, {
      name: 'test',
      onFailure: () => undefined,
      onWarning: (error) => warnings.push(error),
    });
    expect(await thread.request('warn')).toEqual(['warn']);
    expect(warnings).toMatchObject([{ name: 'RangeError', message: 'less is left' }]);
    await thread.close();
  });

  it('rejects requests after it has ended, and reports the end', async () => {
    const failed = Promise.withResolvers<Error>();
    const thread = start(failed.resolve);
    const asked = await Promise.allSettled([thread.request('end'), thread.request('1')]);
    for (const one of asked) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(WorkerThreadStopped) });
    }
    expect(await failed.promise).toBeInstanceOf(WorkerThreadStopped);
    await expect(thread.request('1')).rejects.toThrow(WorkerThreadStopped);
  });

  it('rejects pending requests when it is closed, without a failure', async () => {
    let failures = 0;
    const thread = start(() => {
      failures += 1;
    });
    const [asked] = await Promise.allSettled([thread.request('1'), thread.close()]);
    expect(asked).toMatchObject({ status: 'rejected', reason: expect.any(WorkerThreadStopped) });
    expect(failures).toBe(0);
  });
});
