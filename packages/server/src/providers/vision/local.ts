import { oneLine } from '../../text/one-line.ts';
import { type Asks, type ModelProcessSettings, rareIdleMs } from '../model-process/index.ts';
import { isInstalled } from '../packages/index.ts';
import { type Line, needsReader, readerPackage } from './reader.ts';
import { descriptionCharactersMax, type Vision, VisionFailed } from './vision.ts';

/** The process of what reads text. @param library where its package is; else beside the server */
export const readerProcess = (library?: string): ModelProcessSettings => ({
  name: 'the reader of text in frames',
  task: { library },
  script: new URL('./reader-process.ts', import.meta.url),
  // A full slide took 2 s of two processors and 0.7 GB.
  patienceMs: 600_000,
  idleMs: rareIdleMs,
  memoryBytes: 4 * 2 ** 30,
  Failed: VisionFailed,
});

/** What has to be installed before frames can be read; null: nothing. */
export const lackingOcr = (): string | null => (isInstalled(readerPackage) ? null : needsReader);

/** Below, letters are guessed. */
const sureMin = 0.6;

/** Reads the text that stands in pictures, on this machine; a picture without any says nothing. */
export const createLocalVision = (reader: Asks<Uint8Array, Line[]>): Vision => ({
  model: 'local',
  async look({ jpeg }, signal) {
    const lines = await reader.ask(jpeg, signal);
    const text = lines
      .filter(({ mean }) => mean >= sureMin)
      .map((line) => line.text.trim())
      .filter((line) => line !== '')
      .join('\n');
    const description = oneLine(text, descriptionCharactersMax);
    return description === '' ? null : { description, labels: [] };
  },
});
