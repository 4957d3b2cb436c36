import type { SourceText } from '@mneme/extraction';
import { truncateText } from '@mneme/text';
import { type ChatResponseFormat, requestStructuredAnswer } from '../openai/chat.ts';
import { type EndpointDeps, type EndpointSettings, OpenAiEndpoint } from '../openai/endpoint.ts';
import {
  buildConversationMessages,
  buildPromptMessages,
  buildUpdateMessages,
  type PromptMessage,
} from './prompts.ts';
import { readConversation } from './read-conversation.ts';
import {
  extractionFormat,
  outdatedFormat,
  qualityFormat,
  type ResponseFormat,
  summaryFormat,
  topicsFormat,
} from './response-formats.ts';
import { statementsFormat } from './statement-format.ts';
import { type ModelAnalyzer, type ModelResult, TextAnalysisFailed } from './text-analyzer.ts';

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
 * Calls a model behind an API like OpenAI's `POST /chat/completions` with a JSON schema, once per
 * operation. The text is sent as data; invalid responses are retried once, and only valid parts are
 * used. A long text is truncated by `truncateText`.
 * @throws TextAnalysisFailed from each operation, if there is no usable response
 */
export function createOpenAiTextAnalyzer(
  settings: OpenAiTextAnalyzerSettings,
  deps: EndpointDeps = {},
): ModelAnalyzer {
  const endpoint = new OpenAiEndpoint(settings, kind, deps);
  const { model } = settings;
  async function request<T>(
    format: ResponseFormat<T>,
    messages: MessageBuilder,
    fullSource: SourceText,
  ): Promise<ModelResult<T>> {
    const source = { ...fullSource, text: truncateText(fullSource.text) };
    const read = (response: unknown) => format.read(response, source);
    return { model, value: await ask({ ...format, read }, messages(source)) };
  }
  const ask = <T>(format: ChatResponseFormat<T>, messages: readonly PromptMessage[]): Promise<T> =>
    requestStructuredAnswer(endpoint, model, format, messages);
  return {
    model,
    extract: (source) =>
      request(extractionFormat, (read) => buildPromptMessages('extraction', read), source),
    topics: (source) =>
      request(topicsFormat, (read) => buildPromptMessages('topics', read), source),
    summary: (source) =>
      request(summaryFormat, (read) => buildPromptMessages('summary', read), source),
    quality: (source) =>
      request(qualityFormat, (read) => buildPromptMessages('quality', read), source),
    outdated: (newer, older) =>
      request(outdatedFormat(older.length), (read) => buildUpdateMessages(read, older), newer),
    statements: async (conversation) => ({
      model,
      value: await readConversation(conversation, (part) => {
        const read = (response: unknown) => statementsFormat.read(response, part);
        return ask({ ...statementsFormat, read }, buildConversationMessages(part));
      }),
    }),
  };
}

type MessageBuilder = (source: SourceText) => PromptMessage[];
