import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import { createFfmpeg, FfmpegBusy } from './index.ts';
import { acquirePermit } from './queue.ts';

/** Lets everything run that is not waiting. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a call that waits too long is rejected, and uses no permit of another', async () => {
  const clock = createFakeClock(() => 0);
  const semaphore = new FairSemaphore(1);
  const first = await acquirePermit(semaphore, clock, {});
  const impatient = acquirePermit(semaphore, clock, { queueTimeoutMs: 5_000 });
  const patient = acquirePermit(semaphore, clock, { queueTimeoutMs: 5_002 });
  clock.advance(5_001);
  await expect(impatient).rejects.toThrow(FfmpegBusy);
  first[Symbol.dispose]();
  using _permit = await patient;
  clock.advance(5_000);
});

test('a call that is aborted while it waits is rejected with the reason', async () => {
  const clock = createFakeClock(() => 0);
  const semaphore = new FairSemaphore(1);
  using _permit = await acquirePermit(semaphore, clock, {});
  const stop = new AbortController();
  const stopped = acquirePermit(semaphore, clock, { signal: stop.signal });
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
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
