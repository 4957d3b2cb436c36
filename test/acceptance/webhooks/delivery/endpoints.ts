import {
  EgressFailed,
  type FetchOutside,
  type OutsideAnswer,
} from '../../../../packages/server/src/providers/fetch/index.ts';

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly payload: { id: string; type: string; data: Record<string, unknown> };
  readonly deliveryId: string;
}

/** An answer's status, with more of it where that matters. */
type Said = number | (Partial<OutsideAnswer> & { status: number });
type Answering = (call: Call, before: readonly Call[]) => Said | Promise<Said>;

export interface Endpoints {
  readonly fetchOutside: FetchOutside;
  /** In the order in which they began. */
  readonly calls: readonly Call[];
  of(url: string): Call[];
  /** By URL; others answer 200. */
  answer(url: string, answering: Answering): void;
}

/** Endpoints in the test's own process: what is sent to them, and what they answer. */
export function createEndpoints(): Endpoints {
  const calls: Call[] = [];
  const answers = new Map<string, Answering>();
  return {
    calls,
    of: (url) => calls.filter((call) => call.url === url),
    answer: (url, answering) => void answers.set(url, answering),
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
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
