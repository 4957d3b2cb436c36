import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { createFfmpeg, FfmpegBusy } from './index.ts';
import { Semaphore } from './semaphore.ts';

/** The waiting and the running ones, by name. */
function doors(most: number) {
  const clock = createFakeClock();
  const turns = new Semaphore(most, clock);
  const begun: string[] = [];
  return {
    clock,
    turns,
    begun,
    async ask(name: string, patienceMs?: number): Promise<Disposable> {
      const turn = await turns.acquire({ queueTimeoutMs: patienceMs });
      begun.push(name);
      return turn;
    },
  };
}
/** Lets everything run that is not waiting. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('runs at most the limit at once, and serves waiters in order', async () => {
  const { ask, begun } = doors(2);
  const [first] = [await ask('a'), await ask('b')];
  const third = ask('c');
  const fourth = ask('d', 5_000);
  await settle();
  expect(begun).toEqual(['a', 'b']);
  first[Symbol.dispose]();
  // Released twice, it is still one permit.
  first[Symbol.dispose]();
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  (await third)[Symbol.dispose]();
  await fourth;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a waiter that times out is rejected, and uses no permit of another', async () => {
  const { ask, begun, clock } = doors(1);
  const first = await ask('a');
  const impatient = ask('b', 5_000);
  const patient = ask('c');
  clock.advance(5_001);
  await expect(impatient).rejects.toThrow(FfmpegBusy);
  first[Symbol.dispose]();
  await patient;
  expect(begun).toEqual(['a', 'c']);
});

test('an aborted waiter leaves the queue', async () => {
  const { ask, begun, turns } = doors(1);
  const first = await ask('a');
  const stop = new AbortController();
  const stopped = turns.acquire({ signal: stop.signal });
  const patient = ask('c');
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  first[Symbol.dispose]();
  await patient;
  expect(begun).toEqual(['a', 'c']);
});

test('all FFmpeg programs share one queue', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  let running = 0;
  let most = 0;
  const place = process.execPath;
  const settings = { ffmpeg: place, ffprobe: place, searchPath: '', ffmpegCallsMax: 2 };
  const ffmpeg = createFfmpeg(settings, createFakeClock(), async () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
    const streams = [{ codec_type: 'audio', codec_name: 'flac', sample_rate: '8000', channels: 1 }];
    const told = { streams, format: { format_name: 'flac', probe_score: 100 } };
    const printed = Buffer.from(JSON.stringify(told));
    return { stdout: printed, cpuSeconds: 0 };
  });
  const file = import.meta.filename;
  const calls = [
    ...Array.from({ length: 3 }, () => ffmpeg.probe(file)),
    ...Array.from({ length: 3 }, () => ffmpeg.convert(file, { args: [], timeoutMs: 1_000 })),
  ];
  const all = Promise.all(calls);
  for (let ended = 0; ended < calls.length; ended += 1) {
    while (gates.length <= ended) await settle();
    gates[ended]?.resolve();
    await settle();
  }
  expect((await all).length).toBe(6);
  expect(most).toBe(2);
});
