import { describe, expect, it } from 'vitest';
import type { IndexQuery } from '../ranking/query.ts';
import type { HitPage } from '../ranking/search.ts';
import { makeQuery, makeRow } from '../testing.ts';
import { SearchWorker } from './search-worker.ts';

const accountId = 'a';

/** A worker with a red wagon, and a green one of lower priority. */
function workerWithWagons(): SearchWorker {
  const worker = new SearchWorker(4);
  const rows = [makeRow('1', 'a red wagon', { priority: 9 }), makeRow('2', 'a green wagon')];
  worker.handleMessage({ kind: 'rows', accountId, rows });
  return worker;
}

const pageOf = (worker: SearchWorker, query: IndexQuery, offset = 0): HitPage =>
  worker.handleRequest({
    kind: 'page',
    accountId,
    query,
    page: { offset, limit: 1, explain: false },
  }) as HitPage;
const idsOf = ({ hits }: HitPage): string[] => hits.map(({ id }) => id);

describe('a search worker', () => {
  it('continues in the order of the first page, whatever has changed', () => {
    const worker = workerWithWagons();
    expect(idsOf(pageOf(worker, makeQuery('wagon')))).toEqual(['1']);
    worker.handleMessage({
      kind: 'rows',
      accountId,
      rows: [makeRow('1', 'a red wagon', { priority: 0 })],
    });
    worker.handleMessage({
      kind: 'rows',
      accountId,
      rows: [makeRow('2', 'a green wagon', { priority: 9 })],
    });
    expect(idsOf(pageOf(worker, makeQuery('wagon'), 1))).toEqual(['2']);
  });

  it('evicts a ranking after many other queries, even those without results', () => {
    const worker = workerWithWagons();
    expect(idsOf(pageOf(worker, makeQuery('wagon')))).toEqual(['1']);
    worker.handleMessage({
      kind: 'rows',
      accountId,
      rows: [makeRow('1', 'a red wagon', { priority: 0 })],
    });
    worker.handleMessage({
      kind: 'rows',
      accountId,
      rows: [makeRow('2', 'a green wagon', { priority: 9 })],
    });
    const long = 'nothing '.repeat(1_250);
    for (let i = 0; i < 1_000; i += 1) {
      expect(pageOf(worker, makeQuery('zither', { cacheKey: `${long}${i}` })).total).toBe(0);
    }
    expect(idsOf(pageOf(worker, makeQuery('wagon'), 1))).toEqual(['1']);
  });

  it('finds the same after a failed request', () => {
    const worker = workerWithWagons();
    const query = makeQuery('red wagon');
    const before = pageOf(worker, query);
    const faulty = { ...query, intent: null } as unknown as IndexQuery;
    for (const asking of [
      { kind: 'groups', accountId, query: faulty, by: 'tags', limit: 1 },
      { kind: 'all', accountId, query: faulty },
    ] as const) {
      expect(() => worker.handleRequest(asking)).toThrow(TypeError);
      expect(pageOf(worker, query)).toEqual(before);
    }
  });

  it('counts the live documents with a term, over all spaces and over some', () => {
    const worker = workerWithWagons();
    const passages = 'a red wagon. '.repeat(400);
    const rows = [
      makeRow('3', passages, { space_id: 's' }),
      makeRow('4', 'a wagon', { space_id: 's' }),
    ];
    worker.handleMessage({ kind: 'rows', accountId, rows });
    worker.handleMessage({
      kind: 'rows',
      accountId,
      rows: [makeRow('4', 'a tram', { space_id: 's' })],
    });
    const terms = ['wagon', 'red', 'tram', 'zither'];
    const count = (spaces: (string | null)[] | null) =>
      worker.handleRequest({ kind: 'frequencies', accountId, spaces, terms });
    expect(count(null)).toEqual({ documents: 4, frequencies: [3, 2, 1, 0] });
    expect(count([null])).toEqual({ documents: 2, frequencies: [2, 1, 0, 0] });
    expect(count(['s'])).toEqual({ documents: 2, frequencies: [1, 1, 1, 0] });
    expect(count(['none'])).toEqual({ documents: 0, frequencies: [0, 0, 0, 0] });
  });

  it('reports a larger size for a larger account, and the size of an empty one', () => {
    const worker = workerWithWagons();
    const bytesOf = (id: string): number => {
      const size = worker.handleRequest({ kind: 'size', accountId: id });
      return (size as { bytes: number }).bytes;
    };
    const empty = bytesOf('empty');
    expect(empty).toBeGreaterThan(1_000);
    expect(bytesOf(accountId)).toBeGreaterThan(empty);
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(' ');
    worker.handleMessage({ kind: 'rows', accountId: 'long', rows: [makeRow('3', words)] });
    expect(bytesOf('long')).toBeGreaterThan(bytesOf(accountId) + 2_000 * 40);
  });
});
