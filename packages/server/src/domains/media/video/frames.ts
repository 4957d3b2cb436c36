/** A frame of a video that differs from the previous one; the score is 0..1. */
export interface SceneChange {
  /** Seconds. */
  readonly time: number;
  readonly score: number;
}

/** Frames per second that are compared. */
export const comparedFramesPerSecond = 2;
/** A frame with at least this FFmpeg scene score begins a new scene. */
const sceneMin = 0.3;
/**
 * In a video with little motion, a lower score is a change, too: a new slide of the same colours
 * has 0.05, and frames of the same slide have 0.00001. With motion, half of the frames have 0.01 or
 * more.
 */
export const sceneChangeScoreMin = 0.01;
const medianFactor = 10;
/** The longest time without a key frame. */
const stillSeconds = 60;
/** Closer frames show the same scene. */
const gapSecondsMin = 1;

/** Parses the output of FFmpeg's `metadata=print`: a line with a time, then one with a score. */
export function parseSceneChanges(output: string): SceneChange[] {
  const changes: SceneChange[] = [];
  let time: number | null = null;
  for (const line of output.split('\n')) {
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
 * Selects key frames: the first frame, the first of each scene, and one per minute without changes.
 * Above the limit, the greatest changes are selected.
 * @returns times in seconds, ascending
 */
export function selectKeyFrameTimes(
  changes: readonly SceneChange[],
  duration: number,
  limit: number,
): number[] {
  const median = medianOf(changes, duration);
  const scoreMin = Math.min(sceneMin, Math.max(sceneChangeScoreMin, medianFactor * median));
  const scenes = changes.filter(({ score }) => score >= scoreMin);
  const selected: SceneChange[] = [{ time: 0, score: 1 }];
  for (const scene of scenes.toSorted((a, b) => b.score - a.score || a.time - b.time)) {
    if (selected.length >= limit) break;
    if (selected.every(({ time }) => Math.abs(time - scene.time) >= gapSecondsMin))
      selected.push(scene);
  }
  const times = selected.map(({ time }) => time).sort((a, b) => a - b);
  return withStills(times, duration, limit);
}

/** The median over all frames: FFmpeg omits frames with lower scores. */
function medianOf(changes: readonly SceneChange[], duration: number): number {
  const middle = Math.max(changes.length, duration * comparedFramesPerSecond) / 2;
  const descending = changes.map(({ score }) => score).sort((a, b) => b - a);
  return descending[Math.floor(middle)] ?? 0;
}

/** Splits the longest gaps between key frames until each is short enough. */
function withStills(times: readonly number[], duration: number, limit: number): number[] {
  const all = [...times];
  while (all.length < limit) {
    let longest = 0;
    let at = -1;
    for (const [i, time] of all.entries()) {
      const width = (all[i + 1] ?? duration) - time;
      if (width > longest) [longest, at] = [width, i];
    }
    if (longest <= stillSeconds) break;
    const from = all[at] as number;
    // Only gaps between two frames are halved: there is no frame at the end of the video.
    const next = from + (at + 1 < all.length ? longest / 2 : stillSeconds);
    all.splice(at + 1, 0, next);
  }
  return all;
}
