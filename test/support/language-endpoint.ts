import type { ServerResponse } from 'node:http';
import { type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

interface ChatRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly temperature: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format: {
    readonly type: string;
    readonly json_schema: {
      readonly name: string;
      readonly strict: boolean;
      readonly schema: Record<string, unknown>;
    };
  };
}

/**
 * The reply to a request: a message, a status, none until released, a closed connection, or the
 * beginning of a response that never ends.
 */
export type ChatReply =
  | { readonly content: string }
  | { readonly status: number; readonly body?: string; readonly retryAfter?: string }
  | 'never'
  | 'gone'
  | 'begun';

/** A message with JSON. */
export const jsonReply = (value: unknown): ChatReply => ({ content: JSON.stringify(value) });

/** Valid replies for each schema. */
const defaultReplies: Readonly<Record<string, unknown>> = {
  extraction: { entities: [], facts: [] },
  topics: { topics: [{ name: 'model topic', relevance: 0.9, category: 'concept' }] },
  summary: { summary: 'A summary by the model.' },
  quality: { specificity: 0.25, clarity: 0.5, actionability: 0.75 },
  outdated: { outdated: [] },
  statements: { statements: [] },
  rewrites: { queries: [] },
};

const defaultReply = (chat: ChatRequest): ChatReply =>
  jsonReply(defaultReplies[chat.response_format.json_schema.name]);

/** A fake of OpenAI's `/chat/completions` with scripted replies. */
export interface LanguageEndpoint extends ModelEndpoint {
  readonly requests: readonly ChatRequest[];
  /** Sets the replies to the next requests; later requests get the default reply. */
  queueReplies(...replies: readonly ChatReply[]): void;
  /** The reply after the queued ones. */
  setDefaultReply(reply: (chat: ChatRequest) => ChatReply): void;
  /** The reply to each request with this schema, after the queued ones. */
  setReplies(schema: string, reply: ChatReply): void;
  /** Sends default replies to pending requests. */
  releasePending(): void;
}

export async function startLanguageEndpoint(): Promise<LanguageEndpoint> {
  const requests: ChatRequest[] = [];
  const pending: (() => void)[] = [];
  let replies: ChatReply[] = [];
  let fallback = defaultReply;
  const replyBySchema = new Map<string, ChatReply>();
  function reply(chat: ChatRequest, response: ServerResponse): void {
    const { name } = chat.response_format.json_schema;
    const next = replies.shift() ?? replyBySchema.get(name) ?? fallback(chat);
    if (next === 'gone') return void response.destroy();
    if (next === 'begun') return void response.write('{"choices":[');
    if (next === 'never') return void pending.push(() => send(defaultReply(chat), response));
    send(next, response);
  }
  const endpoint = await startModelEndpoint((body, response, { url, headers }) => {
    const { authorization } = headers;
    const chat = { ...(body as ChatRequest), path: url ?? '', authorization };
    requests.push(chat);
    reply(chat, response);
  });
  return {
    ...endpoint,
    requests,
    queueReplies(...next) {
      replies = [...next];
    },
    setDefaultReply(next) {
      fallback = next;
    },
    setReplies(schema, next) {
      replyBySchema.set(schema, next);
    },
    releasePending() {
      for (const sendReply of pending.splice(0)) sendReply();
    },
  };
}

function send(reply: ChatReply, response: ServerResponse): void {
  if (typeof reply === 'string') return;
  if ('content' in reply) {
    const message = { role: 'assistant', content: reply.content };
    const usage = { prompt_tokens: 21, completion_tokens: 4, total_tokens: 25 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ choices, usage }));
    return;
  }
  const { status, body, retryAfter } = reply;
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  response.end(body ?? 'refused');
}
