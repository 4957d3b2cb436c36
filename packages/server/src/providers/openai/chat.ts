import type { OpenAiEndpoint } from './endpoint.ts';
import { parseJson } from './error-response.ts';

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string | readonly Part[];
}

/** The requested output of a model and its parser. */
export interface ChatResponseFormat<T> {
  readonly name: string;
  /** For `response_format`: all fields required and no others, as strict schemas demand. */
  readonly schema: Record<string, unknown>;
  /** @returns the value, or the fields of the response that are invalid */
  read(response: unknown): { value: T } | { faults: string };
}

/** One response, and a second one if it is invalid. */
const attemptsMax = 2;

/**
 * Requests JSON of a schema at temperature 0, and retries once if the response is invalid. Throws
 * the endpoint's error if no usable response was returned.
 * @param answersMax 1: an invalid response is not requested again
 */
export async function requestStructuredAnswer<T>(
  endpoint: OpenAiEndpoint,
  model: string,
  format: ChatResponseFormat<T>,
  messages: readonly ChatMessage[],
  signal?: AbortSignal,
  answersMax = attemptsMax,
): Promise<T> {
  let conversation = messages;
  for (let count = 1; ; count += 1) {
    const response = contentOf(await endpoint.request(bodyOf(model, format, conversation), signal));
    const read = 'faults' in response ? response : format.read(response.content);
    if ('value' in read) return read.value;
    if (count >= answersMax)
      throw endpoint.createError(`${format.name} does not fit the schema (${read.faults})`);
    const rule = 'Answer with JSON of the schema alone.';
    const correction = `The answer did not fit (${read.faults}). ${rule}`;
    conversation = [...messages, { role: 'system', content: correction }];
  }
}

function bodyOf(
  model: string,
  { name, schema }: Pick<ChatResponseFormat<unknown>, 'name' | 'schema'>,
  messages: readonly ChatMessage[],
): string {
  return JSON.stringify({
    model,
    messages,
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
  });
}

/** The JSON of the response; error messages do not contain it. */
function contentOf(text: string): { content: unknown } | { faults: string } {
  const response = parseJson(text);
  const choice = (response as { choices?: unknown[] } | undefined)?.choices?.[0];
  const message = (choice as { message?: { content?: unknown; refusal?: unknown } } | undefined)
    ?.message;
  if (message?.refusal) return { faults: 'the model refused' };
  if (typeof message?.content !== 'string') return { faults: 'no message' };
  const content = parseJson(message.content);
  return content === undefined ? { faults: 'not JSON' } : { content };
}
