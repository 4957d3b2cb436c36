import { expect, test } from 'vitest';
import { type AudioWindow, splitIntoWindows } from './audio-windows.ts';
import { sampleRate } from './pcm.ts';
import { detectUtterances, findQuietestPoint, isSilent } from './silence.ts';
import { generateTones } from './testing.ts';

const seconds = (sample: number): number => Math.round((sample / sampleRate) * 10) / 10;

test('utterances are the parts between pauses, to a tenth of a second', () => {
  const samples = generateTones(
    ['silence', 1],
    ['tone', 2],
    ['silence', 1],
    ['tone', 0.5],
    ['silence', 3],
  );
  const found = detectUtterances(samples, 30).map(({ from, until }) => [
    seconds(from),
    seconds(until),
  ]);
  expect(found).toEqual([
    [0.9, 3.1],
    [3.9, 4.6],
  ]);
});

test('a breath does not split an utterance, and a click is not an utterance', () => {
  const samples = generateTones(
    ['silence', 1],
    ['tone', 1],
    ['silence', 0.2],
    ['tone', 1],
    ['silence', 1],
    ['tone', 0.04],
    ['silence', 1],
  );
  expect(detectUtterances(samples, 30)).toHaveLength(1);
});

test('a recording without pauses is one utterance, cut if it is too long', () => {
  const parts = detectUtterances(generateTones(['tone', 70]), 30);
  expect(parts.length).toBeGreaterThanOrEqual(3);
  expect(parts[0]?.from).toBe(0);
  expect(parts.at(-1)?.until).toBe(70 * sampleRate);
  for (const [i, { from, until }] of parts.entries()) {
    expect(until - from).toBeLessThanOrEqual(30 * sampleRate);
    if (i > 0) expect(from).toBe(parts[i - 1]?.until);
  }
});

test('silence has no utterance', () => {
  expect(detectUtterances(generateTones(['silence', 5]), 30)).toEqual([]);
  expect(detectUtterances(new Int16Array(0), 30)).toEqual([]);
  expect(isSilent(generateTones(['silence', 1]))).toBe(true);
  expect(isSilent(generateTones(['tone', 1]))).toBe(false);
});

test('the quietest point is the middle of the pause', () => {
  const samples = generateTones(['tone', 4], ['silence', 1], ['tone', 5]);
  const place = findQuietestPoint(samples, { from: 0, until: samples.length });
  expect(seconds(place)).toBeGreaterThan(4.2);
  expect(seconds(place)).toBeLessThan(4.9);
});

async function* pieces(samples: Int16Array<ArrayBuffer>, bytes: number) {
  const all = Buffer.from(samples.buffer);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function windows(samples: Int16Array<ArrayBuffer>, secondsMax: number, first = 0) {
  const found: AudioWindow[] = [];
  // An odd number of bytes: a sample may be split between two chunks.
  for await (const window of splitIntoWindows(pieces(samples, 9_999), secondsMax, first)) {
    found.push(window);
  }
  return found;
}

test('windows are cut in the pauses and cover everything', async () => {
  const samples = generateTones(
    ['tone', 17],
    ['silence', 1],
    ['tone', 15],
    ['silence', 1],
    ['tone', 9],
  );
  const found = await windows(samples, 20);
  expect(found.length).toBe(3);
  expect(seconds(found[1]?.firstSample ?? 0)).toBeGreaterThan(17);
  expect(seconds(found[1]?.firstSample ?? 0)).toBeLessThan(18);
  const joined = Buffer.concat(found.map((window) => Buffer.from(window.samples.buffer)));
  expect(joined.equals(Buffer.from(samples.buffer))).toBe(true);
});

test('windows resume at the sample where the last run stopped', async () => {
  const samples = generateTones(
    ['tone', 17],
    ['silence', 1],
    ['tone', 15],
    ['silence', 1],
    ['tone', 9],
  );
  const all = await windows(samples, 20);
  const rest = await windows(samples, 20, all[1]?.firstSample);
  const places = (found: typeof all) =>
    found.map((window) => [window.firstSample, Buffer.from(window.samples.buffer).toString('hex')]);
  expect(JSON.stringify(places(rest)) === JSON.stringify(places(all.slice(1)))).toBe(true);
});

test('a recording without sound has no window', async () => {
  expect(await windows(new Int16Array(0), 20)).toEqual([]);
});
