import { oneLine } from '../../text/one-line.ts';
import {
  type ModelClient,
  type ModelProcessSettings,
  occasionalIdleMs,
} from '../model-process/index.ts';
import { isPackageInstalled } from '../packages/index.ts';
import { missingOcrMessage, type OcrLine, ocrPackage } from './ocr.ts';
import { descriptionCharactersMax, VisionFailed, type VisionModel } from './vision.ts';

/** The process of what reads text. @param library where its package is; else beside the server */
export const ocrProcessSettings = (library?: string): ModelProcessSettings => ({
  name: 'the reader of text in frames',
  task: { library },
  script: new URL('./ocr-process.ts', import.meta.url),
  // A full slide took 2 s of two processors and 0.7 GB.
  timeoutMs: 600_000,
  idleMs: occasionalIdleMs,
  memoryBytes: 4 * 2 ** 30,
  ErrorClass: VisionFailed,
});

/** What has to be installed before frames can be read; null: nothing. */
export const getMissingOcrMessage = (): string | null =>
  isPackageInstalled(ocrPackage) ? null : missingOcrMessage;

/** Below, letters are guessed. */
const sureMin = 0.6;

/** Reads the text that stands in pictures, on this machine; a picture without any says nothing. */
export const createLocalVision = (reader: ModelClient<Uint8Array, OcrLine[]>): VisionModel => ({
  model: 'local',
  async describe({ jpeg }, signal) {
    const lines = await reader.request(jpeg, signal);
    const text = lines
      .filter(({ mean }) => mean >= sureMin)
      .map((line) => line.text.trim())
      .filter((line) => line !== '')
      .join('\n');
    const description = oneLine(text, descriptionCharactersMax);
    return description === '' ? null : { description, labels: [] };
  },
});
