import { sampleRate } from './pcm.ts';

/** Loud, or silent, for so many seconds. */
export type Sound = readonly [kind: 'tone' | 'silence', seconds: number];

/** A recording of tones and silences, 16 kHz. */
export function soundsOf(...sounds: readonly Sound[]): Int16Array<ArrayBuffer> {
  const parts = sounds.map(([kind, seconds]) =>
    Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, at) =>
      kind === 'tone' ? 8_000 * Math.sin((at * 440 * 2 * Math.PI) / sampleRate) : 0,
    ),
  );
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
