import type { Transcriber } from '../../packages/server/src/providers/transcription/index.ts';

/** For tests that do not depend on the text of transcripts. */
export const silentTranscriber: Transcriber = {
  provider: 'command',
  model: 'none',
  supportedHints: new Set(),
  secondsMax: 60,
  transcribe: async () => ({ language: null, languageConfidence: null, segments: [] }),
};
