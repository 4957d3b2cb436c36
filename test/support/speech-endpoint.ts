import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ModelEndpoint } from './model-endpoint.ts';

/** One request as it came. */
interface TranscriptionRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  /** The file of RIFF WAVE. */
  readonly audio: Buffer;
}

/** What one request gets: JSON, a status, silence until told, or the line cut. */
export type SpeechReply =
  | { readonly told: unknown }
  | { readonly status: number; readonly body?: string }
  | 'never'
  | 'gone';

/** Something that the recording is to say, in seconds. */
interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An answer in the form of `verbose_json`. */
export const verboseReply = (
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

/** A server like OpenAI's `/audio/transcriptions` that answers as a test has written. */
export interface SpeechEndpoint extends ModelEndpoint {
  readonly requests: readonly TranscriptionRequest[];
  /** The replies of the next requests, one each; then what `otherwise` says. */
  queueReplies(...replies: readonly SpeechReply[]): void;
  setDefaultReply(reply: (request: TranscriptionRequest) => SpeechReply): void;
  /** Lets those that got no answer have one. */
  releasePending(): void;
}

const defaultReply = (): SpeechReply =>
  verboseReply([{ start: 0, end: 1, text: 'Nothing of interest.' }]);

export async function startSpeechEndpoint(): Promise<SpeechEndpoint> {
  const requests: TranscriptionRequest[] = [];
  const held: (() => void)[] = [];
  let replies: SpeechReply[] = [];
  let last: (request: TranscriptionRequest) => SpeechReply = defaultReply;
  const server = createServer(async (message, response) => {
    const request = await readForm(message);
    requests.push(request);
    const reply = replies.shift() ?? last(request);
    if (reply === 'gone') return void response.destroy();
    if (reply === 'never') return void held.push(() => send(defaultReply(), response));
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
      last = next;
    },
    releasePending() {
      for (const answer of held.splice(0)) answer();
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
