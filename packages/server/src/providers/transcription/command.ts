import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodePlainText } from '@mneme/text';
import { buildArguments, type CommandTemplate } from './command-template.ts';
import { parseTranscript, type RawTranscript } from './parse-transcript.ts';
import { samplesToSeconds, toWav } from './pcm.ts';
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
  /** Timeout of one run, in milliseconds. */
  readonly timeoutMs: number;
  /** Folder for the audio files that a program reads. */
  readonly tempFolder: string;
}

/** Runs a program without a shell and returns its standard output. */
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
/** Maximum length of an utterance for a program without timestamps. */
const utteranceSecondsMax = 30;

/**
 * Transcribes with a local program. It receives a WAVE file and writes its result to stdout, or to
 * the file of `{output}`, with or without `.json`, `.srt`, `.vtt` or `.txt`. A program without
 * timestamps is run once per utterance, so that the times are known.
 */
export class CommandTranscriber implements Transcriber {
  readonly provider = 'command';
  readonly model: string;
  readonly supportedHints: Transcriber['supportedHints'];
  readonly secondsMax = secondsMax;
  readonly #settings: CommandTranscriptionSettings;
  readonly #run: CommandRunner;
  #hasTimestamps = true;

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
    if (this.#hasTimestamps) {
      const { segments, ...transcript } = await this.#transcribeOnce(samples, options, signal);
      if (segments) return { ...languageOf(transcript), segments };
      if (transcript.text === '') return { ...languageOf(transcript), segments: [] };
      this.#hasTimestamps = false;
    }
    const utterances = detectUtterances(samples, utteranceSecondsMax);
    return transcribeRanges(samples, utterances, (own) =>
      this.#transcribeOnce(own, options, signal),
    );
  }

  async #transcribeOnce(
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
        // A leading dash would be parsed as an option.
        prompt: prompt?.replace(/^-+/, '') ?? '',
      });
      const limits = { timeoutMs, outputBytesMax, signal };
      const written = await this.#run(template.program, args, limits);
      return this.#parseOutput(
        template.usedPlaceholders.has('output') ? await readOutput(output) : written,
        samples,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #parseOutput(output: Buffer, samples: Int16Array): RawTranscript {
    const text = decodePlainText(output);
    const transcript =
      text === null ? null : parseTranscript(text, samplesToSeconds(samples.length));
    if (transcript) return transcript;
    const what = text === null ? 'not plain text in UTF-8' : 'no transcript';
    throw new TranscriptionFailed(`${this.model}: the output is ${what}`);
  }
}

const languageOf = ({ language, languageConfidence }: Omit<RawTranscript, 'segments'>) => ({
  language,
  languageConfidence,
});

async function readOutput(output: string): Promise<Buffer> {
  for (const ending of ['', '.json', '.srt', '.vtt', '.txt']) {
    // Symbolic links are ignored: they could point outside the folder.
    const found = await lstat(output + ending).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > outputBytesMax) break;
    return readFile(output + ending);
  }
  throw new TranscriptionFailed('the program wrote no readable output');
}
