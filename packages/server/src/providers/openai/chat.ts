import type { OpenAiEndpoint } from './endpoint.ts';
import { parseJson } from './error-response.ts';

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string | readonly Part[];
}

/** What a model is asked for, and how its answer is read. */
export interface ChatResponseFormat<T> {
  readonly name: string;
  /** For `response_format`: every field required and none besides, as strict schemas want it. */
  readonly schema: Record<string, unknown>;
  /** @returns the value, or the places of the answer that do not fit */
  read(answer: unknown): { value: T } | { faults: string };
}

/** A first answer, and one more where it does not fit. */
const attemptsMax = 2;

/**
 * Asks for JSON of a schema, at temperature 0; of what comes back only what fits is taken, once
 * more asked for where it does not. Throws the endpoint's error when no usable answer came.
 */
export async function requestStructuredAnswer<T>(
  endpoint: OpenAiEndpoint,
  model: string,
  asked: ChatResponseFormat<T>,
  messages: readonly ChatMessage[],
  signal?: AbortSignal,
): Promise<T> {
  let said = messages;
  for (let count = 1; ; count += 1) {
    const answer = contentOf(await endpoint.request(bodyOf(model, asked, said), signal));
    const read = 'faults' in answer ? answer : asked.read(answer.content);
    if ('value' in read) return read.value;
    if (count >= attemptsMax)
      throw endpoint.createError(`${asked.name} does not fit (${read.faults})`);
    const again = `The answer did not fit (${read.faults}). Answer with JSON of the schema alone.`;
    said = [...messages, { role: 'system', content: again }];
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

/** The JSON that the model wrote; errors tell none of it. */
function contentOf(text: string): { content: unknown } | { faults: string } {
  const answer = parseJson(text);
  const choice = (answer as { choices?: unknown[] } | undefined)?.choices?.[0];
  const message = (choice as { message?: { content?: unknown; refusal?: unknown } } | undefined)
    ?.message;
  if (message?.refusal) return { faults: 'the model refused' };
  if (typeof message?.content !== 'string') return { faults: 'no message' };
  const content = parseJson(message.content);
  return content === undefined ? { faults: 'not JSON' } : { content };
}
