import { oneLine } from '../../text/one-line.ts';
import { isInstalled, needsPackage } from '../packages/index.ts';
import { descriptionCharactersMax, type Vision, VisionFailed } from './vision.ts';

/** Not imported by name: the packages are optional and the compiler must not look for them. */
const PACKAGE: string = '@gutenye/ocr-node';

interface Reading {
  /** Path of a file, or its bytes. */
  detect(picture: Uint8Array): Promise<readonly { readonly text: string; readonly mean: number }[]>;
}

/** What is used of the package. */
interface OcrLibrary {
  readonly default: { create(): Promise<Reading> };
}

export type LoadOcr = () => Promise<OcrLibrary>;

const importLibrary: LoadOcr = () => import(PACKAGE);

const needs = needsPackage('reading text in frames', PACKAGE);

/** What has to be installed before frames can be read; null: nothing. */
export const lackingOcr = (): string | null => (isInstalled(PACKAGE) ? null : needs);

/** Below, letters are guessed. */
const sureMin = 0.6;

/** Reads the text that stands in pictures, on this machine; a picture without any says nothing. */
export function createLocalVision(load: LoadOcr = importLibrary): Vision {
  let loading: Promise<Reading> | undefined;
  async function create(): Promise<Reading> {
    const library = await load().catch((cause: unknown) => {
      throw new VisionFailed(needs, { cause, unavailable: true, lasting: true });
    });
    return library.default.create();
  }
  return {
    model: 'local',
    async look({ jpeg }, signal) {
      loading ??= create();
      // One that failed is tried again: the package may be there by then.
      loading.catch(() => {
        loading = undefined;
      });
      const reading = await loading;
      signal.throwIfAborted();
      const lines = await reading.detect(jpeg).catch((cause: unknown) => {
        throw new VisionFailed('the text of a frame could not be read', { cause });
      });
      const text = lines
        .filter(({ mean }) => mean >= sureMin)
        .map((line) => line.text.trim())
        .filter((line) => line !== '')
        .join('\n');
      const description = oneLine(text, descriptionCharactersMax);
      return description === '' ? null : { description, labels: [] };
    },
  };
}
