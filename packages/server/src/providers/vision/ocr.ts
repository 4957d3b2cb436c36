import { missingPackageMessage } from '../packages/index.ts';
import { VisionFailed } from './vision.ts';

/** Not imported by name: the packages are optional and the compiler must not look for them. */
export const ocrPackage: string = '@gutenye/ocr-node';
export const missingOcrMessage = missingPackageMessage('reading text in frames', ocrPackage);

/** A line that was read, and how sure that is, 0 to 1. */
export interface OcrLine {
  readonly text: string;
  readonly mean: number;
}

/** What is used of the package. */
interface OcrLibrary {
  readonly default: {
    create(): Promise<{
      /** Path of a file, or its bytes. */
      detect(picture: Uint8Array): Promise<readonly OcrLine[]>;
    }>;
  };
}

interface OcrSettings {
  /** Where the package is; without it, beside the server. */
  readonly library?: string;
}

/** Loads what reads text; gives what reads that of a JPEG. */
export async function loadOcr({
  library = ocrPackage,
}: OcrSettings): Promise<(jpeg: Uint8Array) => Promise<OcrLine[]>> {
  const { default: Ocr } = await (import(library) as Promise<OcrLibrary>).catch(
    (cause: unknown) => {
      throw new VisionFailed(missingOcrMessage, { cause, unavailable: true, isPermanent: true });
    },
  );
  const reading = await Ocr.create();
  return async (jpeg) => {
    const lines = await reading.detect(jpeg).catch((cause: unknown) => {
      throw new VisionFailed('the text of a frame could not be read', { cause });
    });
    return lines.map(({ text, mean }) => ({ text, mean }));
  };
}
