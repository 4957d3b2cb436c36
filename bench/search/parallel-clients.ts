import { ApiClient, type ApiRequest, type ServerTarget } from '../api-client.ts';

/** What several clients were answered in the same time. */
export interface ParallelRunResult {
  readonly seconds: number;
  /** By client. */
  readonly latenciesMs: readonly (readonly number[])[];
}

interface SearchBody {
  readonly results: readonly unknown[];
}

/** Clients with a connection each, which send their next call as soon as the last is answered. */
export class ParallelClients implements Disposable {
  readonly #each: readonly ApiClient[];

  constructor(target: ServerTarget, count: number) {
    this.#each = Array.from({ length: count }, () => new ApiClient(target, 1));
  }

  /** Shares the searches out to whoever is free. Throws when one finds nothing. */
  async search(asks: Iterable<ApiRequest>): Promise<ParallelRunResult> {
    const waiting = asks[Symbol.iterator]();
    const begun = performance.now();
    const latenciesMs = await Promise.all(
      this.#each.map(async (client) => {
        const own: number[] = [];
        for (let next = waiting.next(); !next.done; next = waiting.next()) {
          const ask = next.value;
          const run = await client.run([ask]);
          own.push(...run.latenciesMs);
          for (const { results } of run.responses as SearchBody[]) {
            if (results.length === 0) throw new Error(`${ask.path} found nothing`);
          }
        }
        return own;
      }),
    );
    return { seconds: (performance.now() - begun) / 1_000, latenciesMs };
  }

  [Symbol.dispose](): void {
    for (const client of this.#each) client[Symbol.dispose]();
  }
}
