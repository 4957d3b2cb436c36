interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The segment that is spoken at a time; in a pause the one before. −1: none has begun. */
export function segmentAt(segments: readonly Segment[], seconds: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Indexes of the segments that contain every word of the text, in any case. */
export function findSegments(segments: readonly Segment[], text: string): number[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return segments.flatMap((segment, i) => {
    const content = segment.text.toLocaleLowerCase();
    return words.every((word) => content.includes(word)) ? [i] : [];
  });
}

/** `1:05`, `1:02:05`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
