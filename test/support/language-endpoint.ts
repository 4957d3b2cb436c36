import type { ServerResponse } from 'node:http';
import { type ModelEndpoint, startModelEndpoint } from './model-endpoint.ts';

/** One request as it came: what was asked, by whom. */
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

/** What one request gets: a message, a status, silence until told, or the line cut. */
export type ChatReply =
  | { readonly content: string }
  | { readonly status: number; readonly body?: string; readonly retryAfter?: string }
  | 'never'
  | 'gone';

/** Right JSON for a message. */
export const jsonReply = (value: unknown): ChatReply => ({ content: JSON.stringify(value) });

/** Answers that fit each schema, for texts of no interest. */
const defaultReplies: Readonly<Record<string, unknown>> = {
  extraction: { entities: [], facts: [] },
  topics: { topics: [{ name: 'model topic', relevance: 0.9, category: 'concept' }] },
  summary: { summary: 'A summary by the model.' },
  quality: { specificity: 0.25, clarity: 0.5, actionability: 0.75 },
};

/** A server like OpenAI's `/chat/completions` that answers as a test has written. */
export interface LanguageEndpoint extends ModelEndpoint {
  /** Every request so far. */
  readonly requests: readonly ChatRequest[];
  /** The replies of the next requests, one each; then what fits each schema. */
  queueReplies(...replies: readonly ChatReply[]): void;
  /** What is replied when the script is at its end. */
  setDefaultReply(reply: (chat: ChatRequest) => ChatReply): void;
  /** Lets those that got no answer have a fitting one. */
  releasePending(): void;
}

export async function startLanguageEndpoint(): Promise<LanguageEndpoint> {
  const requests: ChatRequest[] = [];
  const held: (() => void)[] = [];
  let replies: ChatReply[] = [];
  const usual = (chat: ChatRequest): ChatReply =>
    jsonReply(defaultReplies[chat.response_format.json_schema.name]);
  let last = usual;
  function reply(chat: ChatRequest, response: ServerResponse): void {
    const next = replies.shift() ?? last(chat);
    if (next === 'gone') return void response.destroy();
    if (next === 'never') return void held.push(() => send(usual(chat), response));
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
      last = next;
    },
    releasePending() {
      for (const answer of held.splice(0)) answer();
    },
  };
}

function send(reply: ChatReply, response: ServerResponse): void {
  if (typeof reply === 'string') return;
  if ('content' in reply) {
    const message = { role: 'assistant', content: reply.content };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    return;
  }
  const { status, body, retryAfter } = reply;
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  response.end(body ?? 'refused');
}
