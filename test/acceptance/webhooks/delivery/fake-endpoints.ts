import {
  EgressFailed,
  type OutboundFetch,
  type OutboundResponse,
} from '../../../../packages/server/src/providers/fetch/index.ts';

interface ReceivedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly payload: { id: string; type: string; data: Record<string, unknown> };
  readonly deliveryId: string;
}

/** An answer's status, with more of it where that matters. */
type EndpointReply = number | (Partial<OutboundResponse> & { status: number });
type ReplyFunction = (
  call: ReceivedCall,
  before: readonly ReceivedCall[],
) => EndpointReply | Promise<EndpointReply>;

export interface FakeEndpoints {
  readonly fetchOutside: OutboundFetch;
  /** In the order in which they began. */
  readonly calls: readonly ReceivedCall[];
  callsTo(url: string): ReceivedCall[];
  /** By URL; others answer 200. */
  setReply(url: string, answering: ReplyFunction): void;
}

/** Endpoints in the test's own process: what is sent to them, and what they answer. */
export function createFakeEndpoints(): FakeEndpoints {
  const calls: ReceivedCall[] = [];
  const answers = new Map<string, ReplyFunction>();
  return {
    calls,
    callsTo: (url) => calls.filter((call) => call.url === url),
    setReply: (url, answering) => void answers.set(url, answering),
    async fetchOutside(url, { headers, body = '', signal }) {
      const payload = JSON.parse(body);
      const call = { url, headers, body, payload, deliveryId: headers['webhook-id'] ?? '' };
      const before = calls.filter((one) => one.url === url);
      calls.push(call);
      const givenUp = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new EgressFailed('given up')));
      });
      const said = await Promise.race([(answers.get(url) ?? (() => 200))(call, before), givenUp]);
      const answer = typeof said === 'number' ? { status: said } : said;
      return { headers: {}, body: '', timeMs: 7, ...answer };
    },
  };
}

/** Resolves when it is told to. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
