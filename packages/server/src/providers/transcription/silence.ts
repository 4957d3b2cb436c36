import { computeLoudness, frameSamples, sampleRate } from './pcm.ts';

/** From one sample to another, the end excluded. */
export interface SampleRange {
  readonly from: number;
  readonly until: number;
}

const framesASecond = sampleRate / frameSamples;
/** A pause of speech is about as long. */
const quietFrames = framesASecond / 2;
const pauseFrames = 0.4 * framesASecond;
const wordFrames = 0.1 * framesASecond;
const marginFrames = 0.1 * framesASecond;
/** Of 32,768: nobody speaks below −60 dB. */
const audible = 32;

export const isSilent = (samples: Int16Array): boolean =>
  samples.every((sample) => Math.abs(sample) < audible);

/** The middle of the quietest half second between two samples: where a cut takes no word apart. */
export function findQuietestPoint(samples: Int16Array, { from, until }: SampleRange): number {
  const loudness = computeLoudness(samples.subarray(from, until));
  const width = Math.min(quietFrames, loudness.length);
  let sum = 0;
  let least = Number.POSITIVE_INFINITY;
  let best = 0;
  for (let frame = 0; frame < loudness.length; frame += 1) {
    sum += (loudness[frame] as number) ** 2;
    if (frame >= width) sum -= (loudness[frame - width] as number) ** 2;
    // Of equals the last: silence to the end is cut as late as can be.
    if (frame + 1 >= width && sum <= least) {
      least = sum;
      best = frame + 1 - width / 2;
    }
  }
  return from + Math.min(until - from, Math.round(best * frameSamples));
}

/**
 * Where somebody speaks: stretches between pauses of 0.4 s and more, none longer than
 * `secondsMax`. Loud is what stands well above the quietest tenth of the recording.
 */
export function detectUtterances(samples: Int16Array, secondsMax: number): SampleRange[] {
  const loudness = computeLoudness(samples);
  const sorted = loudness.toSorted();
  const floor = sorted[Math.floor(sorted.length / 10)] ?? 0;
  const peak = sorted.at(-1) ?? 0;
  // A recording without any pause is loud throughout: its floor is no measure.
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

/** Cut at its quietest places until no part is too long. */
function splitAtQuietPoints(
  samples: Int16Array,
  secondsMax: number,
  stretch: SampleRange,
): SampleRange[] {
  const parts: SampleRange[] = [];
  const most = secondsMax * sampleRate;
  let { from } = stretch;
  while (stretch.until - from > most) {
    const until = findQuietestPoint(samples, { from: from + most / 2, until: from + most });
    parts.push({ from, until });
    from = until;
  }
  return [...parts, { from, until: stretch.until }];
}

/** Neighbours together, as long as none becomes too long. */
export function mergeRanges(stretches: readonly SampleRange[], secondsMax: number): SampleRange[] {
  const all: SampleRange[] = [];
  for (const { from, until } of stretches) {
    const last = all.at(-1);
    if (last && until - last.from <= secondsMax * sampleRate) {
      all[all.length - 1] = { from: last.from, until };
    } else all.push({ from, until });
  }
  return all;
}
