import http from 'node:http';

export interface ServerTarget {
  readonly url: string;
  readonly apiKey: string | null;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the prefix, with its query. */
  readonly path: string;
  /** `/v1` by default. */
  readonly prefix?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of another account than the target's. */
  readonly apiKey?: string | undefined;
}

/** What all calls of one run took. */
export interface RunResult {
  readonly seconds: number;
  /** One for each call, in the order in which they ended. */
  readonly latenciesMs: readonly number[];
  readonly responses: readonly unknown[];
}

const timeoutMs = 60_000;

/** The one client of all servers: JSON over keep-alive connections, without retries. */
export class ApiClient implements Disposable {
  readonly #target: ServerTarget;
  readonly #agent: http.Agent;
  readonly #count: number;

  constructor(target: ServerTarget, count: number) {
    this.#target = target;
    this.#count = count;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: count });
  }

  /** Each connection sends its next call as soon as its last is answered. Throws unless 2xx. */
  async run(asks: readonly ApiRequest[]): Promise<RunResult> {
    const latenciesMs: number[] = [];
    const answers: unknown[] = [];
    const waiting = asks.values();
    const lane = async (): Promise<void> => {
      for (const ask of waiting) {
        const begun = performance.now();
        answers.push(await this.#send(ask));
        latenciesMs.push(performance.now() - begun);
      }
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: this.#count }, lane));
    return { seconds: (performance.now() - begun) / 1_000, latenciesMs, responses: answers };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send({
    method,
    path,
    body,
    prefix = '/v1',
    headers: more = {},
    apiKey = this.#target.apiKey ?? undefined,
  }: ApiRequest): Promise<unknown> {
    const sent = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const { url } = this.#target;
    const headers: http.OutgoingHttpHeaders = {
      ...more,
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(sent ? { 'content-type': 'application/json', 'content-length': sent.length } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(`${url}${prefix}${path}`, {
        method,
        headers,
        agent: this.#agent,
        timeout: timeoutMs,
      });
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`${path}: no answer in time`)));
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode ?? 0;
          if (status < 200 || status > 299) {
            reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`));
          } else resolve(JSON.parse(text));
        });
      });
      request.end(sent ?? undefined);
    });
  }
}
