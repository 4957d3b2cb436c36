import { describe, expect, it } from 'vitest';
import { createReranker, RerankFailed } from './reranker.ts';

const documents = ['one', 'two', 'three'];

/** A reranker whose requests are answered by a function. */
function create(reply: (body: unknown, calls: number) => unknown, model: string | null = 'm') {
  const sent: { address: string; body: unknown; headers: Record<string, string> }[] = [];
  const fetch = async (address: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body));
    sent.push({ address: String(address), body, headers: init?.headers as Record<string, string> });
    const answer = reply(body, sent.length);
    return answer instanceof Response ? answer : Response.json(answer);
  };
  const settings = { url: 'http://rerank.test/v2/', model, apiKey: 'secret', timeoutMs: 1_000 };
  const reranker = createReranker(settings, { fetch: fetch as typeof globalThis.fetch });
  return { reranker, sent };
}

describe('createReranker', () => {
  it('sends the form of Cohere and Jina with a model, and restores the order', async () => {
    const { reranker, sent } = create(() => ({
      results: [
        { index: 2, relevance_score: 0.9, document: { text: 'three' } },
        { index: 0, relevance_score: 0.5 },
        { index: 1, relevance_score: -3 },
      ],
      usage: {},
    }));
    expect(await reranker.score('q', documents)).toEqual([0.5, -3, 0.9]);
    expect(sent).toMatchObject([
      {
        address: 'http://rerank.test/v2/rerank',
        body: { model: 'm', query: 'q', documents, top_n: 3 },
        headers: { authorization: 'Bearer secret' },
      },
    ]);
  });

  it('sends the form of Text Embeddings Inference without a model, 32 at a time', async () => {
    const { reranker, sent } = create((body) => {
      const { texts } = body as { texts: string[] };
      return texts.map((text, index) => ({ index, score: Number(text) })).toReversed();
    }, null);
    const texts = Array.from({ length: 70 }, (_, i) => String(i));
    expect(await reranker.score('q', texts)).toEqual(texts.map(Number));
    expect(sent.map(({ body }) => (body as { texts: string[] }).texts.length)).toEqual([32, 32, 6]);
  });

  it('calls again once if the connection is lost, and not after a status', async () => {
    const scores = documents.map((_, index) => ({ index, score: index }));
    const lost = create((_, calls) => {
      if (calls === 1) throw new TypeError('fetch failed');
      return scores;
    });
    expect(await lost.reranker.score('q', documents)).toEqual([0, 1, 2]);
    const busy = create(() => new Response('', { status: 503 }));
    await expect(busy.reranker.score('q', documents)).rejects.toThrow(RerankFailed);
    expect(busy.sent).toHaveLength(1);
  });

  it('has errors without the texts and the key', async () => {
    const { reranker } = create(() => new Response('secret one', { status: 401 }));
    const error = await reranker.score('a question', documents).catch((one: Error) => one.message);
    expect(error).toBe('reranker: 401 (the key was rejected: see MNEME_RERANK_API_KEY)');
  });
});
