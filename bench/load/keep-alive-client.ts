import http from 'node:http';
import type { ApiRequest } from '../api-client.ts';

/** What is looked at of an answer; its body is not. */
export interface CallRecord {
  readonly status: number;
  /** Of the tightest limit; null without one. */
  readonly limit: number | null;
  /** End of that limit's window, in seconds since 1970. */
  readonly resetSeconds: number | null;
  /** Of the process's clock. */
  readonly sentMs: number;
  readonly latencyMs: number;
}

const timeoutMs = 60_000;

/** The keep-alive connections of one key: as little work for each call as node:http allows. */
export class KeepAliveClient implements Disposable {
  readonly #agent: http.Agent;
  readonly #options: http.RequestOptions;
  readonly #authorization: string;
  readonly #max: number;
  #running = 0;

  constructor(url: string, apiKey: string, max: number) {
    const { hostname, port } = new URL(url);
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: max });
    this.#options = { hostname, port, agent: this.#agent, timeout: timeoutMs };
    this.#authorization = `Bearer ${apiKey}`;
    this.#max = max;
  }

  /** Whether as many calls run as may. */
  get isFull(): boolean {
    return this.#running >= this.#max;
  }

  /** Resolves at the end of any answer, whatever its status; rejects without one. */
  async send(ask: ApiRequest): Promise<CallRecord> {
    this.#running += 1;
    try {
      return await this.#exchange(ask);
    } finally {
      this.#running -= 1;
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #exchange({ method, path, body }: ApiRequest): Promise<CallRecord> {
    const sent = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const headers: http.OutgoingHttpHeaders = {
      authorization: this.#authorization,
      ...(sent ? { 'content-type': 'application/json', 'content-length': sent.length } : {}),
    };
    return new Promise((resolve, reject) => {
      const sentMs = performance.now();
      const options = { ...this.#options, method, path: `/v1${path}`, headers };
      const request = http.request(options, (response) => {
        response.on('error', reject);
        response.on('end', () => {
          const latencyMs = performance.now() - sentMs;
          resolve({ ...toCallRecord(response), sentMs, latencyMs });
        });
        response.resume();
      });
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`${path}: no answer in time`)));
      request.end(sent ?? undefined);
    });
  }
}

function toCallRecord({
  statusCode,
  headers,
}: http.IncomingMessage): Omit<CallRecord, 'sentMs' | 'latencyMs'> {
  const number = (name: string): number | null =>
    headers[name] === undefined ? null : Number(headers[name]);
  return {
    status: statusCode ?? 0,
    limit: number('x-ratelimit-limit'),
    resetSeconds: number('x-ratelimit-reset'),
  };
}
