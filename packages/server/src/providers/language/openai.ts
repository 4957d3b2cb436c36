import { beginOf } from '../../text/begin.ts';
import { type EndpointSettings, OpenAiEndpoint, type Surroundings } from '../openai/endpoint.ts';
import { type Asked, extraction, quality, summary, topics } from './answers.ts';
import { type Language, LanguageFailed, type Said, type SourceText } from './language.ts';
import { type Message, messagesOf } from './prompts.ts';

export interface OpenAiLanguageSettings extends EndpointSettings {
  readonly model: string;
}

const kind = {
  name: 'language model',
  path: 'chat/completions',
  answerBytesMax: 2 ** 20,
  Failed: LanguageFailed,
  tellsOf: codeOf,
};
/** A first answer, and one more where it does not fit. */
const answersMax = 2;

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
    const value = await converse(endpoint, model, asked, messages(source), source);
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

async function converse<T>(
  endpoint: OpenAiEndpoint,
  model: string,
  asked: Asked<T>,
  messages: readonly Message[],
  source: SourceText,
): Promise<T> {
  let said = messages;
  for (let count = 1; ; count += 1) {
    const answer = contentOf(await endpoint.ask(bodyOf(model, asked, said)));
    const read = 'faults' in answer ? answer : asked.read(answer.content, source);
    if ('value' in read) return read.value;
    if (count >= answersMax) {
      throw new LanguageFailed(`language model: ${asked.name} does not fit (${read.faults})`);
    }
    const again = `The answer did not fit (${read.faults}). Answer with JSON of the schema alone.`;
    said = [...messages, { role: 'system', content: again }];
  }
}

function bodyOf(model: string, asked: Asked<unknown>, messages: readonly Message[]): string {
  const { name, schema } = asked;
  return JSON.stringify({
    model,
    messages,
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
  });
}

/** The JSON that the model wrote; errors tell none of it. */
function contentOf(text: string): { content: unknown } | { faults: string } {
  const answer = jsonOf(text);
  const choice = (answer as { choices?: unknown[] } | undefined)?.choices?.[0];
  const message = (choice as { message?: { content?: unknown; refusal?: unknown } } | undefined)
    ?.message;
  if (message?.refusal) return { faults: 'the model refused' };
  if (typeof message?.content !== 'string') return { faults: 'no message' };
  const content = jsonOf(message.content);
  return content === undefined ? { faults: 'not JSON' } : { content };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a refusal; its sentence may repeat the text that was sent. */
function codeOf(body: string): string {
  const error = (jsonOf(body) as { error?: { code?: unknown; type?: unknown } } | null)?.error;
  const codes = [error?.code, error?.type].filter(
    (code) => typeof code === 'string' && /^[\w.-]{1,60}$/.test(code),
  );
  return codes.join(' ');
}
