/** Where a picture of a video changes, and how much: 0..1. */
export interface SceneChange {
  /** Seconds. */
  readonly time: number;
  readonly score: number;
}

/** Pictures that are looked at in a second, for what changes. */
export const framesPerSecond = 2;
/** Ffmpeg's measure of how unlike the one before a picture is: from here on it is another scene. */
const sceneMin = 0.3;
/**
 * Where hardly anything moves, less is a change, too: another slide of the same colours has 0.05,
 * and the pictures between have 0.00001; of what moves, half the pictures have 0.01 and more.
 */
export const changeMin = 0.01;
const medianFactor = 10;
/** A picture that does not change is looked at again after so long. */
const stillSeconds = 60;
/** Two that are nearer show the same. */
const gapSecondsMin = 1;

/**
 * Reads what ffmpeg's `metadata=print` said: a line with a time, then one with the score.
 */
export function parseSceneChanges(printed: string): SceneChange[] {
  const changes: SceneChange[] = [];
  let time: number | null = null;
  for (const line of printed.split('\n')) {
    const at = /\bpts_time:(-?[\d.]+)/.exec(line)?.[1];
    if (at !== undefined) time = Number(at);
    const score = /^lavfi\.scene_score=([\d.]+)/.exec(line)?.[1];
    if (score === undefined || time === null) continue;
    if (Number.isFinite(time)) changes.push({ time: Math.max(0, time), score: Number(score) });
    time = null;
  }
  return changes;
}

/**
 * Which pictures are looked at: the first, those where the scene changes, and where nothing changes
 * one a minute. Where there are too many, the greatest changes stay.
 * @returns seconds, rising
 */
export function selectKeyTimes(
  changes: readonly SceneChange[],
  duration: number,
  most: number,
): number[] {
  const usual = medianOf(changes, duration);
  const least = Math.min(sceneMin, Math.max(changeMin, medianFactor * usual));
  const scenes = changes.filter(({ score }) => score >= least);
  const kept: SceneChange[] = [{ time: 0, score: 1 }];
  for (const scene of scenes.toSorted((a, b) => b.score - a.score || a.time - b.time)) {
    if (kept.length >= most) break;
    if (kept.every(({ time }) => Math.abs(time - scene.time) >= gapSecondsMin)) kept.push(scene);
  }
  const times = kept.map(({ time }) => time).sort((a, b) => a - b);
  return withStills(times, duration, most);
}

/** Of all pictures: those that are not told of have changed less. */
function medianOf(changes: readonly SceneChange[], duration: number): number {
  const middle = Math.max(changes.length, duration * framesPerSecond) / 2;
  const falling = changes.map(({ score }) => score).sort((a, b) => b - a);
  return falling[Math.floor(middle)] ?? 0;
}

/** The longest stretches without a picture are parted until each is short enough. */
function withStills(times: readonly number[], duration: number, most: number): number[] {
  const all = [...times];
  while (all.length < most) {
    let widest = 0;
    let at = -1;
    for (const [i, time] of all.entries()) {
      const width = (all[i + 1] ?? duration) - time;
      if (width > widest) [widest, at] = [width, i];
    }
    if (widest <= stillSeconds) break;
    const from = all[at] as number;
    // The end of the video is no picture: only inner stretches are halved.
    const next = from + (at + 1 < all.length ? widest / 2 : stillSeconds);
    all.splice(at + 1, 0, next);
  }
  return all;
}
