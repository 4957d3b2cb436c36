import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Log } from '../../kernel/log.ts';
import { ModelProcess } from '../model-process/index.ts';
import { getMissingLibraryMessage } from '../transformers/library.ts';
import { CommandTranscriber } from './command.ts';
import { createCommandRunner, findMissingProgram } from './command-runner.ts';
import { parseCommandTemplate } from './command-template.ts';
import { createOpenAiTranscriber } from './openai.ts';
import type { Transcriber } from './transcription.ts';
import { createTransformersTranscriber, toWhisperProcessSettings } from './transformers.ts';
import type { WhisperRequest, WhisperResult } from './whisper.ts';

/**
 * Creates the configured transcribers; the first is the default. Long-lived processes end with
 * `opening`.
 * @returns an error in the command, as text
 */
export function createTranscribers(
  config: Pick<Config, 'dataDir' | 'media' | 'modelProcessEnv'>,
  parts: { readonly log: Log; readonly clock: Clock },
  opening: AsyncDisposableStack,
): Transcriber[] | string {
  const { dataDir, modelProcessEnv: env } = config;
  const { transcription, searchPath } = config.media;
  const { openai, command, commandLimits, transformers, timeoutSeconds } = transcription;
  const timeoutMs = timeoutSeconds * 1_000;
  const transcribers: Transcriber[] = [];
  if (openai) {
    const { apiKey, ...rest } = openai;
    const key = apiKey === null ? {} : { apiKey };
    transcribers.push(createOpenAiTranscriber({ ...rest, ...key, provider: 'openai', timeoutMs }));
  }
  if (command !== null) {
    const template = parseCommandTemplate(command);
    if (typeof template === 'string') return template;
    const tempFolder = `${dataDir}/scratch`;
    const settings = { provider: 'command', template, timeoutMs, tempFolder } as const;
    transcribers.push(
      new CommandTranscriber(settings, createCommandRunner(searchPath, commandLimits, parts)),
    );
  }
  if (transformers) {
    const { model, dtype } = transformers;
    const weights = dtype === null ? {} : { dtype };
    const settings = { model, ...weights, cacheDir: `${dataDir}/models`, env };
    const { memoryBytes } = commandLimits;
    const process = toWhisperProcessSettings(settings, { timeoutMs, memoryBytes });
    const whisper = opening.use(
      new ModelProcess<WhisperRequest, WhisperResult>(process, parts.clock),
    );
    transcribers.push(createTransformersTranscriber(settings, whisper));
  }
  return transcribers;
}

/** Messages about missing dependencies of the configured transcribers, without loading anything. */
export async function findMissingTranscriptionDependencies({
  media: { transcription, searchPath },
}: Pick<Config, 'media'>): Promise<string[]> {
  const { command, transformers } = transcription;
  const template = command === null ? null : parseCommandTemplate(command);
  const isCommand = template !== null && typeof template !== 'string';
  const program = isCommand ? await findMissingProgram(template.program, searchPath) : null;
  const library = transformers ? getMissingLibraryMessage('transcription') : null;
  return [program, library].filter((one) => one !== null);
}
