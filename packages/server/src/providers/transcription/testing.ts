import type { ModelClient } from '../model-process/index.ts';
import type { LoadTransformers, OnnxSettings } from '../transformers/library.ts';
import { sampleRate } from './pcm.ts';
import { loadWhisper, type WhisperRequest, type WhisperResult } from './whisper.ts';

/** A tone or silence of a duration. */
export type Sound = readonly [kind: 'tone' | 'silence', seconds: number];

/** Generates a recording of tones and silences, 16 kHz. */
export function generateTones(...sounds: readonly Sound[]): Int16Array<ArrayBuffer> {
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

/** Runs in this process instead of a child process. */
export function loadTestWhisper(
  settings: OnnxSettings,
  load: LoadTransformers,
): ModelClient<WhisperRequest, WhisperResult> {
  const loading = loadWhisper(settings, load);
  return { request: async (listening) => (await loading)(listening) };
}
