import { describe, expect, it } from 'vitest';
import { WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import { makeQuery, makeRow } from '../testing.ts';
import { SearchWorkerClient } from './search-worker-client.ts';

const page = { offset: 0, limit: 10, explain: false };

describe('the search thread', () => {
  it('responds from all earlier messages', async () => {
    const searcher = new SearchWorkerClient({ dimensions: 4 }, () => undefined);
    const [accountId, other] = ['a', 'b'];
    searcher.post({ kind: 'rows', accountId, rows: [makeRow('1', 'a red wagon')] });
    searcher.post({ kind: 'rows', accountId: other, rows: [makeRow('2', 'a red wagon')] });
    const pageRequest = { kind: 'page', accountId, query: makeQuery('wagon'), page } as const;
    expect((await searcher.request<'page'>(pageRequest)).hits.map(({ id }) => id)).toEqual(['1']);
    searcher.post({ kind: 'drop', accountId });
    expect(await searcher.request<'page'>(pageRequest)).toEqual({ total: 0, hits: [], filler: [] });
    expect(await searcher.request<'size'>({ kind: 'size', accountId: other })).toMatchObject({
      documents: 1,
      deletedDocuments: 0,
    });
    await searcher.close();
  });

  it('rejects requests after it has ended', async () => {
    const searcher = new SearchWorkerClient({ dimensions: 4 }, () => undefined);
    const request = () => searcher.request<'size'>({ kind: 'size', accountId: 'a' });
    const [response] = await Promise.allSettled([request(), searcher.close()]);
    expect(response).toMatchObject({ status: 'rejected', reason: expect.any(WorkerThreadStopped) });
    await expect(request()).rejects.toThrow(WorkerThreadStopped);
  });

  it('reports that it cannot continue', async () => {
    const failed = Promise.withResolvers<Error>();
    // So many dimensions that the arena throws.
    const searcher = new SearchWorkerClient({ dimensions: 100_000 }, failed.resolve);
    const response = searcher.request<'size'>({ kind: 'size', accountId: 'a' });
    await expect(response).rejects.toThrow(WorkerThreadStopped);
    expect(await failed.promise).toBeInstanceOf(WorkerThreadStopped);
  });
});
