import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { ModelProcess } from '../model-process/index.ts';
import { createLocalVision, getMissingOcrMessage, ocrProcessSettings } from './local.ts';
import type { OcrLine } from './ocr.ts';
import { createOpenAiVision } from './openai.ts';
import type { VisionModel } from './vision.ts';

export * from './vision.ts';

/** Creates the configured vision model, or null; the OCR process ends with `opening`. */
export function createVisionModel(
  { media: { vision }, modelProcessEnv: env }: Pick<Config, 'media' | 'modelProcessEnv'>,
  clock: Clock,
  opening: AsyncDisposableStack,
): VisionModel | null {
  const { openai, local, timeoutMs } = vision;
  if (openai) {
    const { apiKey, ...rest } = openai;
    return createOpenAiVision({ ...rest, ...(apiKey === null ? {} : { apiKey }), timeoutMs });
  }
  if (!local) return null;
  const reader = new ModelProcess<Uint8Array, OcrLine[]>({ ...ocrProcessSettings(), env }, clock);
  return createLocalVision(opening.use(reader));
}

/** The message about a missing dependency; null if there is none. Loads nothing. */
export const findMissingVisionDependency = ({
  media: { vision },
}: Pick<Config, 'media'>): string | null =>
  vision.openai === null && vision.local ? getMissingOcrMessage() : null;
