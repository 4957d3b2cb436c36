import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { createFfmpeg, FfmpegBusy } from './index.ts';
import { Semaphore } from './semaphore.ts';

/** Those that wait and those that have a turn, by name. */
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
/** Lets everything go on that is not waiting for something. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('no more run at once than may, and who waits is served in order', async () => {
  const { ask, begun } = doors(2);
  const [first] = [await ask('a'), await ask('b')];
  const third = ask('c');
  const fourth = ask('d', 5_000);
  await settle();
  expect(begun).toEqual(['a', 'b']);
  first[Symbol.dispose]();
  // Given back twice, it is still one turn.
  first[Symbol.dispose]();
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  (await third)[Symbol.dispose]();
  await fourth;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('who has waited for long enough is sent away, and takes no turn of another', async () => {
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

test('who is stopped while waiting leaves the line', async () => {
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

test('programs of FFmpeg run in turns, whatever they are asked for', async () => {
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
