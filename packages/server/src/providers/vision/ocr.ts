import { missingPackageMessage } from '../packages/index.ts';
import { VisionFailed } from './vision.ts';

/** Not imported by a literal name: the package is optional and the compiler must not resolve it. */
export const ocrPackage: string = '@gutenye/ocr-node';
export const missingOcrMessage = missingPackageMessage('reading text in frames', ocrPackage);

/** A detected line, and its confidence from 0 to 1. */
export interface OcrLine {
  readonly text: string;
  readonly mean: number;
}

/** The used part of the package. */
interface OcrLibrary {
  readonly default: {
    create(): Promise<{
      /** File path or bytes. */
      detect(picture: Uint8Array): Promise<readonly OcrLine[]>;
    }>;
  };
}

interface OcrSettings {
  /** Path of the package; default: resolved from the server. */
  readonly library?: string;
}

/** Loads the OCR library and returns a function that reads the text of a JPEG. */
export async function loadOcr({
  library = ocrPackage,
}: OcrSettings): Promise<(jpeg: Uint8Array) => Promise<OcrLine[]>> {
  const { default: Ocr } = await (import(library) as Promise<OcrLibrary>).catch(
    (cause: unknown) => {
      throw new VisionFailed(missingOcrMessage, { cause, unavailable: true, isPermanent: true });
    },
  );
  const ocr = await Ocr.create();
  return async (jpeg) => {
    const lines = await ocr.detect(jpeg).catch((cause: unknown) => {
      throw new VisionFailed('the text of a frame could not be read', { cause });
    });
    return lines.map(({ text, mean }) => ({ text, mean }));
  };
}
