import { beginOf } from '../../text/begin.ts';
import { converse } from '../openai/chat.ts';
import { type EndpointSettings, OpenAiEndpoint, type Surroundings } from '../openai/endpoint.ts';
import { type Asked, extraction, quality, summary, topics } from './answers.ts';
import { type Language, LanguageFailed, type Said, type SourceText } from './language.ts';
import { type Message, messagesOf } from './prompts.ts';

export interface OpenAiLanguageSettings extends EndpointSettings {
  readonly model: string;
}

const kind = {
  name: 'language model',
  settings: 'MNEME_LLM',
  path: 'chat/completions',
  answerBytesMax: 2 ** 20,
  Failed: LanguageFailed,
};

/**
 * Asks a model behind an API like OpenAI's `POST /chat/completions` with a JSON schema, one call
 * for each operation. The text goes in as data; of what comes back only what fits is taken, once
 * more asked for where it does not. A long text is read as far as `beginOf` goes.
 * @throws LanguageFailed, from each operation, when no usable answer came
 */
export function createOpenAiLanguage(
  settings: OpenAiLanguageSettings,
  surroundings: Surroundings = {},
): Language {
  const endpoint = new OpenAiEndpoint(settings, kind, surroundings);
  const { model } = settings;
  async function ask<T>(asked: Asked<T>, messages: Messages, whole: SourceText): Promise<Said<T>> {
    const source = { ...whole, text: beginOf(whole.text) };
    const read = (answer: unknown) => asked.read(answer, source);
    const value = await converse(endpoint, model, { ...asked, read }, messages(source));
    return { model, value };
  }
  return {
    model,
    extract: (source) => ask(extraction, (read) => messagesOf('extraction', read), source),
    topics: (source) => ask(topics, (read) => messagesOf('topics', read), source),
    summary: (source) => ask(summary, (read) => messagesOf('summary', read), source),
    quality: (source) => ask(quality, (read) => messagesOf('quality', read), source),
  };
}

type Messages = (source: SourceText) => Message[];
