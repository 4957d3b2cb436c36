import type { ResponseBody, routes } from '@mneme/contract';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import type { RunningServer } from '../servers.ts';

/** A memory as it is sent; nothing but what is given. */
export interface MemoryInput {
  readonly content: string;
  readonly session_id?: string;
  readonly occurred_at?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface Hit {
  readonly id: string;
  readonly score: number;
  /** The passage that answers best; null: the memory has only one, or has none that is known. */
  readonly passage: { readonly text: string } | null;
}

export interface SearchHits {
  readonly hits: readonly Hit[];
  /** As the client sees it. */
  readonly millis: number;
}

const perCall = 100;

/** What is measured: memories are stored in order, then asked for. */
export interface RetrievalTarget {
  /** The id of a new space. */
  createSpace(name: string): Promise<string>;
  /** The id of a new session. */
  createSession(name: string, spaceId: string): Promise<string>;
  /**
   * Resolves when all are encoded and read. The id of each, in order; a duplicate has that of the
   * earlier one.
   */
  store(spaceId: string, sent: readonly MemoryInput[]): Promise<string[]>;
  search(q: string, spaceId: string, limit: number): Promise<SearchHits>;
  /** The ids of the memories in the context for a prompt; through the API only. */
  recall?(query: string, spaceId: string, maxTokens: number): Promise<string[]>;
}

/** The public API, one call after the other. */
export class ApiRetrieval implements RetrievalTarget, Disposable {
  readonly #server: RunningServer;
  readonly #connections: ApiClient;

  constructor(server: RunningServer) {
    this.#server = server;
    this.#connections = new ApiClient(server, 1);
  }

  async createSpace(name: string): Promise<string> {
    return (await this.#post<{ id: string }>('/spaces', { name })).id;
  }

  async createSession(name: string, spaceId: string): Promise<string> {
    const session = await this.#post<{ id: string }>('/cli-sessions', { name, space_id: spaceId });
    return session.id;
  }

  /** Stores all in order, 100 a call. The id of each; a duplicate has that of the earlier one. */
  async store(spaceId: string, sent: readonly MemoryInput[]): Promise<string[]> {
    const ids: string[] = [];
    for (let from = 0; from < sent.length; from += perCall) {
      const part = sent.slice(from, from + perCall);
      const answer = await this.#post<ResponseBody<typeof routes.memories.bulkCreate>>(
        '/memories/bulk',
        {
          memories: part.map((one) => ({ ...one, space_id: spaceId })),
        },
      );
      ids.push(...readBulkIds(part.length, answer));
    }
    await this.#server.waitUntilIdle();
    return ids;
  }

  /** GET /search with the text, the space and the limit, and nothing else. */
  async search(q: string, spaceId: string, limit: number): Promise<SearchHits> {
    const query = new URLSearchParams({
      q,
      space_id: spaceId,
      include: 'memories',
      limit: String(limit),
    });
    const { responses, latenciesMs } = await this.#connections.run([
      { method: 'GET', path: `/search?${query}` },
    ]);
    const { results } = responses[0] as ResponseBody<typeof routes.search.get>;
    const hits = results.map((one) => ({
      ...one,
      passage: one.type === 'memory' ? one.passage : null,
    }));
    return { hits, millis: latenciesMs[0] ?? Number.NaN };
  }

  async recall(query: string, spaceId: string, maxTokens: number): Promise<string[]> {
    const answer = await this.#post<ResponseBody<typeof routes.search.recall>>('/recall', {
      query,
      space_id: spaceId,
      max_tokens: maxTokens,
    });
    return answer.memories.map(({ id }) => id);
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }

  async #post<A>(path: string, body: unknown): Promise<A> {
    const ask: ApiRequest = { method: 'POST', path, body };
    return (await this.#connections.run([ask])).responses[0] as A;
  }
}

/** In the order in which they were sent. Throws for a refusal that is no duplicate. */
export function readBulkIds(
  count: number,
  { memories, failed }: ResponseBody<typeof routes.memories.bulkCreate>,
): string[] {
  const stored = memories.values();
  const refused = new Map(failed.map(({ index, error }) => [index, error]));
  return Array.from({ length: count }, (_, i) => {
    const error = refused.get(i);
    const earlier = error?.code === 'duplicate_memory' ? error.details?.memory_id : undefined;
    const id = error ? earlier : stored.next().value?.id;
    if (typeof id !== 'string') throw new Error(`memory ${i}: ${JSON.stringify(error)}`);
    return id;
  });
}
