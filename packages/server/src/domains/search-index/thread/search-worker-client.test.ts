import { describe, expect, it } from 'vitest';
import { ThreadStopped } from '../../../kernel/thread.ts';
import { makeQuery, makeRow } from '../testing.ts';
import { SearchWorkerClient } from './search-worker-client.ts';

const page = { offset: 0, limit: 10, explain: false };

describe('the search thread', () => {
  it('answers from everything it was told before', async () => {
    const searcher = new SearchWorkerClient({ dimensions: 4 }, () => undefined);
    const [accountId, other] = ['a', 'b'];
    searcher.post({ kind: 'rows', accountId, rows: [makeRow('1', 'a red wagon')] });
    searcher.post({ kind: 'rows', accountId: other, rows: [makeRow('2', 'a red wagon')] });
    const asking = { kind: 'page', accountId, query: makeQuery('wagon'), page } as const;
    expect((await searcher.request<'page'>(asking)).hits.map(({ id }) => id)).toEqual(['1']);
    searcher.post({ kind: 'drop', accountId });
    expect(await searcher.request<'page'>(asking)).toEqual({ total: 0, hits: [] });
    expect(await searcher.request<'size'>({ kind: 'size', accountId: other })).toMatchObject({
      documents: 1,
      deletedDocuments: 0,
    });
    await searcher.close();
  });

  it('refuses what is asked of it when it has ended', async () => {
    const searcher = new SearchWorkerClient({ dimensions: 4 }, () => undefined);
    const ask = () => searcher.request<'size'>({ kind: 'size', accountId: 'a' });
    const [asked] = await Promise.allSettled([ask(), searcher.close()]);
    expect(asked).toMatchObject({ status: 'rejected', reason: expect.any(ThreadStopped) });
    await expect(ask()).rejects.toThrow(ThreadStopped);
  });

  it('tells when it cannot go on', async () => {
    const failed = Promise.withResolvers<Error>();
    // So many dimensions that its arena refuses.
    const searcher = new SearchWorkerClient({ dimensions: 100_000 }, failed.resolve);
    const asked = searcher.request<'size'>({ kind: 'size', accountId: 'a' });
    await expect(asked).rejects.toThrow(ThreadStopped);
    expect(await failed.promise).toBeInstanceOf(ThreadStopped);
  });
});
