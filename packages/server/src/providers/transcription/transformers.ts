import {
  type ModelClient,
  type ModelProcessSettings,
  occasionalModelIdleMs,
} from '../model-process/index.ts';
import type { OnnxSettings } from '../transformers/library.ts';
import { type Transcriber, TranscriptionFailed } from './transcription.ts';
import type { WhisperRequest, WhisperResult } from './whisper.ts';

/** Settings of the process of a Whisper model. */
export const toWhisperProcessSettings = (
  { env, ...settings }: OnnxSettings,
  limits: Pick<ModelProcessSettings, 'timeoutMs' | 'memoryBytes'>,
): ModelProcessSettings => ({
  ...{ name: settings.model, task: settings, ...limits, env, ErrorClass: TranscriptionFailed },
  idleMs: occasionalModelIdleMs,
  script: new URL('./whisper-process.ts', import.meta.url),
});

/** A local Whisper model, loaded with the first recording. */
export function createTransformersTranscriber(
  { model }: Pick<OnnxSettings, 'model'>,
  whisper: ModelClient<WhisperRequest, WhisperResult>,
): Transcriber {
  let supportedHints: Transcriber['supportedHints'] = new Set(['language']);
  return {
    provider: 'transformers',
    model,
    get supportedHints() {
      return supportedHints;
    },
    secondsMax: 300,
    async transcribe(samples, { language }, signal) {
      const result = await whisper.request({ samples, language }, signal);
      supportedHints = result.supportedHints;
      return result.transcription;
    },
  };
}
