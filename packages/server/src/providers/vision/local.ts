import { toOneLine } from '@mneme/text';
import {
  type ModelClient,
  type ModelProcessSettings,
  occasionalModelIdleMs,
} from '../model-process/index.ts';
import { isPackageInstalled } from '../packages/index.ts';
import { missingOcrMessage, type OcrLine, ocrPackage } from './ocr.ts';
import { descriptionCharactersMax, VisionFailed, type VisionModel } from './vision.ts';

/**
 * Settings of the OCR process. @param library path of its package; default: resolved from the
 * server
 */
export const ocrProcessSettings = (library?: string): ModelProcessSettings => ({
  name: 'the OCR model',
  task: { library },
  script: new URL('./ocr-process.ts', import.meta.url),
  // A full slide took 2 s on two processors and 0.7 GB.
  timeoutMs: 600_000,
  idleMs: occasionalModelIdleMs,
  memoryBytes: 4 * 2 ** 30,
  ErrorClass: VisionFailed,
});

/** The message about the missing package; null if it is installed. */
export const getMissingOcrMessage = (): string | null =>
  isPackageInstalled(ocrPackage) ? null : missingOcrMessage;

/** Below this confidence, letters are guesses. */
const confidenceMin = 0.6;

/** Reads the text in pictures on this machine; a picture without text has no description. */
export const createLocalVision = (reader: ModelClient<Uint8Array, OcrLine[]>): VisionModel => ({
  model: 'local',
  async describe({ jpeg }, signal) {
    const lines = await reader.request(jpeg, signal);
    const text = lines
      .filter(({ mean }) => mean >= confidenceMin)
      .map((line) => line.text.trim())
      .filter((line) => line !== '')
      .join('\n');
    const description = toOneLine(text, descriptionCharactersMax);
    return description === '' ? null : { description, labels: [] };
  },
});
