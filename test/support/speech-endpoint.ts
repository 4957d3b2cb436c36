import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ModelEndpoint } from './model-endpoint.ts';

interface TranscriptionRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  /** A RIFF WAVE file. */
  readonly audio: Buffer;
}

/** The reply to a request: JSON, a status, none until released, or a closed connection. */
export type SpeechReply =
  | { readonly told: unknown }
  | { readonly status: number; readonly body?: string }
  | 'never'
  | 'gone';

/** Times in seconds. */
interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A reply in the format `verbose_json`. */
export const verboseJsonReply = (
  segments: readonly SpokenSegment[],
  language = 'english',
): SpeechReply => ({
  told: {
    task: 'transcribe',
    language,
    duration: segments.at(-1)?.end ?? 0,
    text: segments.map(({ text }) => text).join(' '),
    segments: segments.map((segment, id) => ({
      id,
      ...segment,
      avg_logprob: -0.25,
      no_speech_prob: 0.01,
    })),
  },
});

/** A fake of OpenAI's `/audio/transcriptions` with scripted replies. */
export interface SpeechEndpoint extends ModelEndpoint {
  readonly requests: readonly TranscriptionRequest[];
  /** Sets the replies to the next requests; later requests get the default reply. */
  queueReplies(...replies: readonly SpeechReply[]): void;
  setDefaultReply(reply: (request: TranscriptionRequest) => SpeechReply): void;
  /** Sends default replies to pending requests. */
  releasePending(): void;
}

const defaultReply = (): SpeechReply =>
  verboseJsonReply([{ start: 0, end: 1, text: 'Nothing of interest.' }]);

export async function startSpeechEndpoint(): Promise<SpeechEndpoint> {
  const requests: TranscriptionRequest[] = [];
  const pending: (() => void)[] = [];
  let replies: SpeechReply[] = [];
  let fallback: (request: TranscriptionRequest) => SpeechReply = defaultReply;
  const server = createServer(async (message, response) => {
    const request = await readForm(message);
    requests.push(request);
    const reply = replies.shift() ?? fallback(request);
    if (reply === 'gone') return void response.destroy();
    if (reply === 'never') return void pending.push(() => send(defaultReply(), response));
    send(reply, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    queueReplies(...next) {
      replies = [...next];
    },
    setDefaultReply(next) {
      fallback = next;
    },
    releasePending() {
      for (const sendReply of pending.splice(0)) sendReply();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(reply: SpeechReply, response: ServerResponse): void {
  if (typeof reply === 'string') return;
  if ('told' in reply) return void response.end(JSON.stringify(reply.told));
  response.writeHead(reply.status).end(reply.body ?? 'refused');
}

async function readForm(message: IncomingMessage): Promise<TranscriptionRequest> {
  const headers = { 'content-type': message.headers['content-type'] ?? '' };
  const form = await new Response(await buffer(message), { headers }).formData();
  const fields: Record<string, string> = {};
  let audio = Buffer.alloc(0);
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else audio = Buffer.from(await value.arrayBuffer());
  }
  const { authorization } = message.headers;
  return { path: message.url ?? '', authorization, fields, audio };
}
