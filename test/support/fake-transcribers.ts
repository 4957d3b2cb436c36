import type { Transcriber } from '../../packages/server/src/providers/transcription/index.ts';

/** For tests that do not depend on the text of transcripts. */
export const silentTranscriber: Transcriber = {
  provider: 'command',
  model: 'none',
  supportedHints: new Set(),
  secondsMax: 60,
  transcribe: async () => ({ language: null, languageConfidence: null, segments: [] }),
};

type Segment = Awaited<ReturnType<Transcriber['transcribe']>>['segments'][number];

/** Hears these English segments in every recording. */
export const createTranscriber = (segments: readonly Segment[]): Transcriber => ({
  provider: 'openai',
  model: 'staged',
  supportedHints: new Set(),
  secondsMax: 600,
  transcribe: async () => ({ language: 'en', languageConfidence: 0.98, segments: [...segments] }),
});
