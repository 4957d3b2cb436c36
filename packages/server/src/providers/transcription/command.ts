import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodePlainText } from '../../text/decode-plain-text.ts';
import { buildArguments, type CommandTemplate } from './command-template.ts';
import { parseTranscript, type RawTranscript } from './parse-transcript.ts';
import { toSeconds, toWav } from './pcm.ts';
import { detectUtterances } from './silence.ts';
import { transcribeRanges } from './transcribe-ranges.ts';
import {
  type Transcriber,
  type Transcription,
  TranscriptionFailed,
  type TranscriptionOptions,
} from './transcription.ts';

export interface CommandTranscriptionSettings {
  readonly provider: 'command';
  readonly template: CommandTemplate;
  /** For one run, in milliseconds. */
  readonly timeoutMs: number;
  /** Where recordings stand while a program reads them. */
  readonly tempFolder: string;
}

/** Runs a program without a shell; gives what it wrote to its output. */
export type CommandRunner = (
  program: string,
  args: readonly string[],
  limits: {
    readonly timeoutMs: number;
    readonly outputBytesMax: number;
    readonly signal: AbortSignal;
  },
) => Promise<Buffer>;

const outputBytesMax = 2 ** 24;
const secondsMax = 780;
/** What a program that tells no times is given at once. */
const utteranceSecondsMax = 30;

/**
 * A program of this machine. It is given a WAVE file and answers on its output, or in the file
 * that `{output}` names, with or without `.json`, `.srt`, `.vtt` or `.txt`. One that answers with
 * words alone is run once for each utterance, so that their times are known.
 */
export class CommandTranscriber implements Transcriber {
  readonly provider = 'command';
  readonly model: string;
  readonly supportedHints: Transcriber['supportedHints'];
  readonly secondsMax = secondsMax;
  readonly #settings: CommandTranscriptionSettings;
  readonly #run: CommandRunner;
  #tellsTimes = true;

  constructor(settings: CommandTranscriptionSettings, run: CommandRunner) {
    const { template } = settings;
    this.#settings = settings;
    this.#run = run;
    this.model = path.basename(template.program);
    const named = (['language', 'prompt'] as const).filter((one) =>
      template.usedPlaceholders.has(one),
    );
    this.supportedHints = new Set(named);
  }

  async transcribe(
    samples: Int16Array<ArrayBuffer>,
    options: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<Transcription> {
    if (this.#tellsTimes) {
      const { segments, ...told } = await this.#hear(samples, options, signal);
      if (segments) return { ...languageOf(told), segments };
      if (told.text === '') return { ...languageOf(told), segments: [] };
      this.#tellsTimes = false;
    }
    const utterances = detectUtterances(samples, utteranceSecondsMax);
    return transcribeRanges(samples, utterances, (own) => this.#hear(own, options, signal));
  }

  async #hear(
    samples: Int16Array<ArrayBuffer>,
    { language, prompt }: TranscriptionOptions,
    signal: AbortSignal,
  ): Promise<RawTranscript> {
    const { template, timeoutMs, tempFolder } = this.#settings;
    await mkdir(tempFolder, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(path.join(tempFolder, 'speech-'));
    try {
      const file = path.join(folder, 'audio.wav');
      const output = path.join(folder, 'out');
      await writeFile(file, toWav(samples).stream(), { mode: 0o600 });
      const args = buildArguments(template, {
        file,
        output,
        language: language ?? 'auto',
        // What begins with a dash would be an option to the program.
        prompt: prompt?.replace(/^-+/, '') ?? '',
      });
      const limits = { timeoutMs, outputBytesMax, signal };
      const written = await this.#run(template.program, args, limits);
      return this.#told(
        template.usedPlaceholders.has('output') ? await readOutput(output) : written,
        samples,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #told(answer: Buffer, samples: Int16Array): RawTranscript {
    const said = decodePlainText(answer);
    const told = said === null ? null : parseTranscript(said, toSeconds(samples.length));
    if (told) return told;
    const what = said === null ? 'not plain text in UTF-8' : 'no transcript';
    throw new TranscriptionFailed(`${this.model}: an answer that is ${what}`);
  }
}

const languageOf = ({ language, languageConfidence }: Omit<RawTranscript, 'segments'>) => ({
  language,
  languageConfidence,
});

async function readOutput(output: string): Promise<Buffer> {
  for (const ending of ['', '.json', '.srt', '.vtt', '.txt']) {
    // Not through a link: it could lead out of the folder.
    const found = await lstat(output + ending).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > outputBytesMax) break;
    return readFile(output + ending);
  }
  throw new TranscriptionFailed('the program wrote no answer that can be read');
}
