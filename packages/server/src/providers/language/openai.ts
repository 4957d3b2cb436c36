import { truncateText } from '../../text/truncate-text.ts';
import { requestStructuredAnswer } from '../openai/chat.ts';
import { type EndpointDeps, type EndpointSettings, OpenAiEndpoint } from '../openai/endpoint.ts';
import { buildMessages, type PromptMessage } from './prompts.ts';
import { extraction, quality, type ResponseFormat, summary, topics } from './response-formats.ts';
import {
  type ModelResult,
  type SourceText,
  TextAnalysisFailed,
  type TextAnalyzer,
} from './text-analyzer.ts';

export interface OpenAiTextAnalyzerSettings extends EndpointSettings {
  readonly model: string;
}

const kind = {
  name: 'language model',
  settings: 'MNEME_LLM',
  path: 'chat/completions',
  responseBytesMax: 2 ** 20,
  ErrorClass: TextAnalysisFailed,
};

/**
 * Asks a model behind an API like OpenAI's `POST /chat/completions` with a JSON schema, one call
 * for each operation. The text goes in as data; of what comes back only what fits is taken, once
 * more asked for where it does not. A long text is read as far as `beginOf` goes.
 * @throws LanguageFailed, from each operation, when no usable answer came
 */
export function createOpenAiTextAnalyzer(
  settings: OpenAiTextAnalyzerSettings,
  surroundings: EndpointDeps = {},
): TextAnalyzer {
  const endpoint = new OpenAiEndpoint(settings, kind, surroundings);
  const { model } = settings;
  async function ask<T>(
    asked: ResponseFormat<T>,
    messages: MessageBuilder,
    whole: SourceText,
  ): Promise<ModelResult<T>> {
    const source = { ...whole, text: truncateText(whole.text) };
    const read = (answer: unknown) => asked.read(answer, source);
    const value = await requestStructuredAnswer(
      endpoint,
      model,
      { ...asked, read },
      messages(source),
    );
    return { model, value };
  }
  return {
    model,
    extract: (source) => ask(extraction, (read) => buildMessages('extraction', read), source),
    topics: (source) => ask(topics, (read) => buildMessages('topics', read), source),
    summary: (source) => ask(summary, (read) => buildMessages('summary', read), source),
    quality: (source) => ask(quality, (read) => buildMessages('quality', read), source),
  };
}

type MessageBuilder = (source: SourceText) => PromptMessage[];
