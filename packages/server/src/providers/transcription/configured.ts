import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Log } from '../../kernel/log.ts';
import { CommandTranscriber } from './command.ts';
import { createOpenAiTranscriber } from './openai.ts';
import { programRunner } from './run.ts';
import { parseTemplate } from './template.ts';
import type { Transcriber } from './transcription.ts';
import { createTransformersTranscriber } from './transformers.ts';

/**
 * What is configured to hear, the first by default; the rest by name.
 * @returns a fault of the command, as a text
 */
export function configuredTranscribers(
  { dataDir, media: { transcription, searchPath } }: Pick<Config, 'dataDir' | 'media'>,
  parts: { readonly log: Log; readonly clock: Clock },
): Transcriber[] | string {
  const { openai, command, commandLimits, transformers, timeoutSeconds } = transcription;
  const timeoutMs = timeoutSeconds * 1_000;
  const transcribers: Transcriber[] = [];
  if (openai) {
    const { apiKey, ...rest } = openai;
    const key = apiKey === null ? {} : { apiKey };
    transcribers.push(createOpenAiTranscriber({ ...rest, ...key, provider: 'openai', timeoutMs }));
  }
  if (command !== null) {
    const template = parseTemplate(command);
    if (typeof template === 'string') return template;
    const scratch = `${dataDir}/scratch`;
    const settings = { provider: 'command', template, timeoutMs, scratch } as const;
    transcribers.push(
      new CommandTranscriber(settings, programRunner(searchPath, commandLimits, parts)),
    );
  }
  if (transformers) {
    const { model, dtype } = transformers;
    const weights = dtype === null ? {} : { dtype };
    const settings = { provider: 'transformers', model, ...weights } as const;
    transcribers.push(
      createTransformersTranscriber({ ...settings, cacheDir: `${dataDir}/models` }),
    );
  }
  return transcribers;
}
