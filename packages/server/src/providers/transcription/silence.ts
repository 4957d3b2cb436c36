import { computeLoudness, frameSamples, sampleRate } from './pcm.ts';

/** A range of samples, end exclusive. */
export interface SampleRange {
  readonly from: number;
  readonly until: number;
}

const framesPerSecond = sampleRate / frameSamples;
/** Typical length of a pause in speech. */
const quietFrames = framesPerSecond / 2;
const pauseFrames = 0.4 * framesPerSecond;
const wordFrames = 0.1 * framesPerSecond;
const marginFrames = 0.1 * framesPerSecond;
/** Of 32,768: speech is never below −60 dB. */
const audible = 32;

export const isSilent = (samples: Int16Array): boolean =>
  samples.every((sample) => Math.abs(sample) < audible);

/** The middle of the quietest half second in a range, where a cut splits no word. */
export function findQuietestPoint(samples: Int16Array, { from, until }: SampleRange): number {
  const loudness = computeLoudness(samples.subarray(from, until));
  const width = Math.min(quietFrames, loudness.length);
  let sum = 0;
  let least = Number.POSITIVE_INFINITY;
  let best = 0;
  for (let frame = 0; frame < loudness.length; frame += 1) {
    sum += (loudness[frame] as number) ** 2;
    if (frame >= width) sum -= (loudness[frame - width] as number) ** 2;
    // The last one of equal values: silence up to the end is cut as late as possible.
    if (frame + 1 >= width && sum <= least) {
      least = sum;
      best = frame + 1 - width / 2;
    }
  }
  return from + Math.min(until - from, Math.round(best * frameSamples));
}

/**
 * The ranges with speech between pauses of at least 0.4 s, none longer than `secondsMax`. The
 * threshold is well above the quietest tenth of the recording.
 */
export function detectUtterances(samples: Int16Array, secondsMax: number): SampleRange[] {
  const loudness = computeLoudness(samples);
  const sorted = loudness.toSorted();
  const floor = sorted[Math.floor(sorted.length / 10)] ?? 0;
  const peak = sorted.at(-1) ?? 0;
  // Without any pause the recording is loud throughout, and its floor is meaningless.
  const threshold = Math.max(audible, Math.min(floor * 3, peak * 0.2), peak * 0.03);
  const found: { from: number; until: number }[] = [];
  for (let frame = 0; frame < loudness.length; frame += 1) {
    if ((loudness[frame] as number) < threshold) continue;
    const last = found.at(-1);
    if (last && frame - last.until < pauseFrames) last.until = frame + 1;
    else found.push({ from: frame, until: frame + 1 });
  }
  const spoken = found.filter(({ from, until }) => until - from >= wordFrames);
  return spoken.flatMap(({ from, until }) =>
    splitAtQuietPoints(samples, secondsMax, {
      from: Math.max(0, from - marginFrames) * frameSamples,
      until: Math.min(samples.length, (until + marginFrames) * frameSamples),
    }),
  );
}

/** Splits a range at its quietest points until no part is too long. */
function splitAtQuietPoints(
  samples: Int16Array,
  secondsMax: number,
  range: SampleRange,
): SampleRange[] {
  const parts: SampleRange[] = [];
  const samplesMax = secondsMax * sampleRate;
  let { from } = range;
  while (range.until - from > samplesMax) {
    const until = findQuietestPoint(samples, {
      from: from + samplesMax / 2,
      until: from + samplesMax,
    });
    parts.push({ from, until });
    from = until;
  }
  return [...parts, { from, until: range.until }];
}

/** Merges adjacent ranges as long as none becomes too long. */
export function mergeRanges(ranges: readonly SampleRange[], secondsMax: number): SampleRange[] {
  const all: SampleRange[] = [];
  for (const { from, until } of ranges) {
    const last = all.at(-1);
    if (last && until - last.from <= secondsMax * sampleRate) {
      all[all.length - 1] = { from: last.from, until };
    } else all.push({ from, until });
  }
  return all;
}
