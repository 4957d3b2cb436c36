import { type BaseStore, InMemoryStore, type Operation } from '@langchain/langgraph-checkpoint';
import type { Client } from '@mneme/sdk';
import { MnemeStore } from '@mneme/sdk/langgraph';
import { describe, expect, it } from 'vitest';
import { createStore, note } from '../../../examples/adapters/langgraph.ts';
import { useAccountPerTest } from '../../support/account-per-test.ts';
import { oneEngine } from '../../support/service.ts';

type StoreCase = readonly [title: string, run: (store: BaseStore) => Promise<unknown>];

/** Times differ between stores: which of an item is earlier is compared instead. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, found) =>
      found && typeof found === 'object' && 'createdAt' in found
        ? { ...found, createdAt: 0, updatedAt: found.updatedAt >= found.createdAt }
        : found,
    ),
  );

const failure = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'no error';
};

async function putDocuments(store: BaseStore): Promise<void> {
  await store.put(['docs', 'a'], 'one', { title: 'Alpha', score: 4.5, color: 'red', n: null });
  await store.put(['docs', 'a'], 'two', { title: 'Beta', score: 3, color: 'blue' });
  await store.put(['docs', 'b'], 'three', { title: 'Gamma', score: '7', color: 'red' });
  await store.put(['docs', 'bc'], 'four', { title: 'Delta', nested: { deep: [1, 2] } });
  await store.put(['other'], 'five', { title: 'Epsilon', score: 5 });
}

async function putNamespaces(store: BaseStore): Promise<void> {
  const namespaces = [
    ['a', 'b', 'c'],
    ['a', 'b', 'd', 'e'],
    ['a', 'b', 'd', 'i'],
    ['a', 'b', 'f'],
    ['a', 'c', 'f'],
    ['b', 'a', 'f'],
    ['users', '123', 'settings'],
    ['users', '456', 'settings'],
    ['admin', 'users', '789'],
  ];
  for (const [i, namespace] of namespaces.entries()) await store.put(namespace, `id-${i}`, { i });
}

const filters: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a value', { color: 'red' }],
  ['two fields', { color: 'red', title: 'Alpha' }],
  ['null', { n: null }],
  ['a missing field', { missing: 'x' }],
  ['$eq', { title: { $eq: 'Beta' } }],
  ['$ne', { color: { $ne: 'red' } }],
  ['$gt', { score: { $gt: 4.4 } }],
  ['$gte and $lt', { score: { $gte: 3, $lt: 4.5 } }],
  ['$lte', { score: { $lte: 4.5 } }],
  ['numbers in texts', { score: { $gt: 6 } }],
  ['$in', { title: { $in: ['Alpha', 'Gamma'] } }],
  ['$in without a list', { title: { $in: 'Alpha' } }],
  ['$nin', { title: { $nin: ['Alpha', 'Gamma'] } }],
  ['$nin without a list', { title: { $nin: 'Alpha' } }],
  ['no condition', { title: {} }],
  ['an object', { nested: { deep: [1, 2] } }],
  ['an unknown operator', { score: { $near: 4 } }],
];

const labels = ['with space', 'ünï/cødé', '100%', 'a,b', '"quoted"', 'Upper', 'upper', '日本'];

const cases: readonly StoreCase[] = [
  ['get of a missing item', (store) => store.get(['a'], 'missing')],
  [
    'put and get',
    async (store) => {
      await store.put(['a', 'b'], 'key', { text: 'x', list: [1, { y: null }], flag: false });
      return [await store.get(['a', 'b'], 'key'), await store.get(['a'], 'key')];
    },
  ],
  [
    'put that replaces all of a value',
    async (store) => {
      await store.put(['a'], 'key', { first: 1, kept: { a: 1 } });
      await store.put(['a'], 'key', { second: 2, kept: { b: 2 } });
      return [await store.get(['a'], 'key'), await store.search(['a'])];
    },
  ],
  [
    'delete, also twice and of a missing item',
    async (store) => {
      await store.put(['a'], 'key', { x: 1 });
      await store.put(['a'], 'other', { x: 2 });
      await store.delete(['a'], 'key');
      await store.delete(['a'], 'key');
      await store.delete(['none'], 'key');
      return [await store.get(['a'], 'key'), await store.search(['a'])];
    },
  ],
  [
    'values of any characters',
    async (store) => {
      const value = { a: '\u0000', b: '\ud800', c: '😀', d: 'line\nline', e: '', f: 1e21 };
      await store.put(['a'], 'key', value);
      await store.put(['a'], 'empty', {});
      return [await store.get(['a'], 'key'), await store.get(['a'], 'empty')];
    },
  ],
  [
    'namespaces and keys of any characters, exactly',
    async (store) => {
      for (const label of labels) await store.put(['labels', label], label, { label });
      const items = await Promise.all(labels.map((label) => store.get(['labels', label], label)));
      return [items, await store.search(['labels', 'Upper'])];
    },
  ],
  [
    'namespaces and keys that are too long for a tag',
    async (store) => {
      const namespace = ['long', 'x'.repeat(300), 'y'.repeat(1_000)];
      await store.put(namespace, 'z'.repeat(2_000), { x: 1 });
      const found = await store.search(namespace.slice(0, 2));
      return [await store.get(namespace, 'z'.repeat(2_000)), found, await store.search(['long'])];
    },
  ],
  [
    'search by prefix, limit and offset',
    async (store) => {
      await putDocuments(store);
      return [
        await store.search(['docs']),
        await store.search(['docs', 'b']),
        await store.search([]),
        await store.search(['docs'], { limit: 2 }),
        await store.search(['docs'], { limit: 2, offset: 3 }),
        await store.search(['docs'], { offset: 9 }),
        await store.search(['missing']),
      ];
    },
  ],
  [
    'search with each filter',
    async (store) => {
      await putDocuments(store);
      const found: Record<string, unknown> = {};
      for (const [title, filter] of filters) found[title] = await store.search([], { filter });
      return found;
    },
  ],
  [
    'listNamespaces',
    async (store) => {
      await putNamespaces(store);
      const batch = (operation: object) => store.batch([operation as Operation]);
      const path = ['a', '*', 'f'];
      return [
        await store.listNamespaces(),
        await store.listNamespaces({ prefix: ['a', 'b'] }),
        await store.listNamespaces({ suffix: ['f'] }),
        await store.listNamespaces({ prefix: ['a'], suffix: ['f'] }),
        await store.listNamespaces({ maxDepth: 1 }),
        await store.listNamespaces({ prefix: ['a', 'b'], maxDepth: 3 }),
        await store.listNamespaces({ limit: 3, offset: 2 }),
        await store.listNamespaces({ prefix: ['a', 'b', 'c', 'd', 'e'] }),
        await batch({ matchConditions: [{ matchType: 'prefix', path }], limit: 10, offset: 0 }),
        await batch({ matchConditions: [{ matchType: 'suffix', path }], limit: 10, offset: 0 }),
        await batch({ matchConditions: [{ matchType: 'prefix', path: ['*', '123'] }] }),
      ];
    },
  ],
  [
    'a batch, which reads before it writes, and the last write to an item counts',
    async (store) => {
      await store.put(['a'], 'old', { x: 0 });
      const results = await store.batch([
        { namespace: ['a'], key: 'new', value: { x: 1 } },
        { namespace: ['a'], key: 'new' },
        { namespacePrefix: ['a'] },
        { namespace: ['a'], key: 'new', value: { x: 2 } },
        { namespace: ['a'], key: 'old', value: null },
        { matchConditions: undefined, limit: 10, offset: 0 } as unknown as Operation,
      ]);
      return [results, await store.get(['a'], 'new'), await store.search(['a'])];
    },
  ],
  [
    'errors of namespaces',
    (store) =>
      Promise.all(
        [
          () => store.put([], 'key', {}),
          () => store.put(['a.b'], 'key', {}),
          () => store.put(['a:b'], 'key', {}),
          () => store.put([''], 'key', {}),
          () => store.put(['langgraph'], 'key', {}),
          () => store.get([], 'key'),
          () => store.search(['a', '']),
          () => store.batch([{ namespace: ['a:b'], key: 'key', value: {} }]),
          () => store.batch([{ namespace: ['langgraph'], key: 'key', value: {} }]),
          () => store.batch([{ namespacePrefix: ['a.b'] }]),
        ].map(failure),
      ),
  ],
];

describe.each(oneEngine)('The store for LangGraph on %s', (engine) => {
  let client: Client;
  let store: MnemeStore;
  useAccountPerTest(engine, (account) => {
    client = account.client;
    store = new MnemeStore({ client });
  });

  it.each(cases)('answers as InMemoryStore does: %s', async (_title, run) => {
    expect(comparable(await run(store))).toEqual(comparable(await run(new InMemoryStore())));
  });

  it('keeps the time of creation, and updates the other, also for equal values', async () => {
    await store.put(['a'], 'key', { x: 1 });
    const first = await store.get(['a'], 'key');
    await store.put(['a'], 'key', { x: 1 });
    const second = await store.get(['a'], 'key');
    expect(first?.createdAt).toEqual(first?.updatedAt);
    expect(second?.createdAt).toEqual(first?.createdAt);
    expect(second?.updatedAt.getTime()).toBeGreaterThan(first?.updatedAt.getTime() ?? 0);
  });

  it('no longer lists an emptied namespace, unlike InMemoryStore', async () => {
    await store.put(['a'], 'key', { x: 1 });
    await store.delete(['a'], 'key');
    expect(await store.listNamespaces()).toEqual([]);
    expect((await client.memories.list({ query: { include_deleted: true } })).data).toEqual([]);
  });

  it('ranks by a query, with a score, and puts what is not indexed last', async () => {
    await store.put(['u'], 'hidden', { text: 'I love sushi most of all.' }, false);
    await store.put(['u'], 'bike', { text: 'My bicycle has a flat tyre.', kind: 'thing' });
    await store.put(['u'], 'food', { text: 'I love eating sushi with friends.', kind: 'taste' });
    await store.put(['v'], 'else', { text: 'Sushi again.' });
    const query = 'which food do I like, sushi?';
    const all = await store.search(['u'], { query });
    expect(all.map(({ key }) => key)).toEqual(['food', 'bike', 'hidden']);
    expect(all[0]?.score).toBeGreaterThan(all[1]?.score ?? 1);
    expect(all[2]).not.toHaveProperty('score');
    expect(all[0]?.updatedAt).toBeInstanceOf(Date);
    const page = await store.search(['u'], { query, offset: 1, limit: 1 });
    expect(page.map(({ key }) => key)).toEqual(['bike']);
    const things = await store.search(['u'], { query, filter: { kind: 'thing' } });
    expect(things.map(({ key }) => key)).toEqual(['bike']);
  });

  it('indexes only the fields of index, and returns the whole value', async () => {
    const value = {
      text: 'Ana sails.',
      parts: [{ t: 'On lakes.' }, { t: 'At sea.' }],
      secret: 'x',
    };
    await store.put(['a'], 'key', value, ['text', 'parts[*].t']);
    const [memory] = (await client.memories.list()).data;
    expect(memory?.content).toBe('Ana sails.\nOn lakes.\nAt sea.');
    expect((await store.get(['a'], 'key'))?.value).toEqual(value);
    const long = { ...value, secret: 'y'.repeat(20_000) };
    await store.put(['a'], 'key', long, ['text']);
    expect((await store.get(['a'], 'key'))?.value).toEqual(long);
  });

  it('stores an item in the form that the store of the Python client finds', async () => {
    await store.put(['ünï/cødé', 'a b'], 'x,y:z!', { x: 1 });
    const [memory] = (await client.memories.list()).data;
    expect(memory?.content).toBe('{"x":1}');
    expect(memory?.metadata).toEqual({
      record: 'langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9/a%20b:x%2Cy%3Az!',
      folder: ['ünï/cødé', 'a b'],
      key: 'x,y:z!',
    });
    expect(memory?.tags.toSorted()).toEqual([
      'langgraph:',
      'langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9',
      'langgraph:%C3%BCn%C3%AF%2Fc%C3%B8d%C3%A9/a%20b',
    ]);
  });

  it('keeps the scopes of two stores apart', async () => {
    await client.spaces.create({ body: { name: 'agents' } });
    const scoped = (user_id: string) =>
      new MnemeStore({ client, scope: { space: 'agents', user_id } });
    const [ana, ben, unowned] = [
      scoped('ana'),
      scoped('ben'),
      new MnemeStore({ client, scope: { space: 'agents' } }),
    ];
    await ana.put(['a'], 'key', { of: 'Ana' });
    await ben.put(['a'], 'key', { of: 'Ben' });
    expect((await ana.search([], { query: 'key' })).map(({ value }) => value.of)).toEqual(['Ana']);
    expect((await ben.get(['a'], 'key'))?.value).toEqual({ of: 'Ben' });
    expect(await unowned.search([])).toEqual([]);
    await unowned.put(['a'], 'key', { of: 'the space' });
    await store.put(['a'], 'key', { of: 'nobody' });
    expect((await store.search(['a'])).map(({ value }) => value.of)).toEqual(['nobody']);
    expect((await ana.get(['a'], 'key'))?.value).toEqual({ of: 'Ana' });
  });

  it('heals items that two processes created at the same moment', async () => {
    const put = (x: number) => new MnemeStore({ client }).put(['a'], 'key', { x });
    await Promise.all([put(1), put(2), put(3)]);
    expect(await store.search(['a'])).toHaveLength(1);
    await store.put(['a'], 'key', { x: 4 });
    expect((await client.memories.list()).data).toHaveLength(1);
    expect((await store.get(['a'], 'key'))?.value).toEqual({ x: 4 });
  });

  it('stores more than a page in one batch', async () => {
    const keys = Array.from({ length: 130 }, (_, i) => `key-${i}`);
    await store.batch(keys.map((key, i) => ({ namespace: ['many'], key, value: { i } })));
    const found = await store.search(['many'], { limit: 200 });
    expect(found.map(({ key }) => key)).toEqual(keys);
  });

  it('runs the example: a node recalls what it has noted about its user', async () => {
    const config = (userId: string) => ({ store: createStore(client), configurable: { userId } });
    const model = async (prompt: string) => `Noted: ${/Message: (.*)/.exec(prompt)?.[1]}`;
    await note({ message: 'I am allergic to peanuts.' }, config('ana'), model);
    const next = await note({ message: 'Which allergy do I have?' }, config('ana'), model);
    expect(next.known).toEqual(['Noted: I am allergic to peanuts.']);
    expect((await note({ message: 'Which allergy?' }, config('ben'), model)).known).toEqual([]);
  });
});
