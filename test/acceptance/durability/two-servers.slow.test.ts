import { type CallOptions, type Client, createClient, MnemeError } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { runCount } from '../../support/run-count.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, serverEngine } from '../../support/service.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.includes(serverEngine);

const turns = runCount(8, 20);

/** Two servers on one database; the embedded one belongs to a single process. */
describe.runIf(onServer).each([serverEngine] as const)('two servers on %s', (engine) => {
  const ending = new AsyncDisposableStack();
  let clients: readonly [Client, Client];

  beforeAll(async () => {
    const place = await ownPlace(ending, () => createDataLocation(engine));
    const first = ending.use(await startServerProcess(place));
    const other = await ownPlace(ending, () => createSiblingLocation(place));
    const second = ending.use(await startServerProcess(other));
    clients = [
      first.client(),
      createClient({ url: second.url, apiKey: first.adminKey, retries: 0 }),
    ];
  });
  afterAll(() => ending.disposeAsync());

  it('find what the other has just stored with the first search', async () => {
    for (let i = 0; i < turns; i += 1) {
      const [writer, reader] = i % 2 === 0 ? clients : [clients[1], clients[0]];
      const content = `The drawer with number ${i} holds the maps of zone${i}.`;
      const { id } = await writer.memories.create({ body: { content } });
      const { results } = await reader.search.get({ query: { q: `maps zone${i}` } });
      expect(results[0]?.id).toBe(id);
      await reader.memories.update({ params: { id }, body: { content: `Moved away ${i}.` } });
      const { results: after } = await writer.search.get({ query: { q: `zone${i}` } });
      expect(onlyMemoryResults(after).map((result) => result.content)).not.toContain(content);
    }
  });

  const makers = {
    memory: (client: Client, name: string, options: CallOptions) =>
      client.memories.create({ body: { content: name } }, options),
    bulk: (client: Client, name: string, options: CallOptions) =>
      client.memories.bulkCreate({ body: { memories: [{ content: name }] } }, options),
    space: (client: Client, name: string, options: CallOptions) =>
      client.spaces.create({ body: { name } }, options),
  };
  it.each(['memory', 'bulk', 'space'] as const)(
    'have one effect and one answer when both get the same Idempotency-Key at once: %s',
    async (kind) => {
      for (let i = 0; i < turns; i += 1) {
        const name = `A ${kind} sent to both, turn ${i}`;
        const options = { idempotencyKey: name };
        const answers = await both<unknown>((client) => makers[kind](client, name, options));
        const [one, two] = await both<unknown>((client) => makers[kind](client, name, options));
        expect(one).not.toBeInstanceOf(Error);
        expect(two).toEqual(one);
        for (const answer of answers) {
          const loser = answer instanceof MnemeError && answer.code === 'idempotency_in_progress';
          if (!loser) expect(answer).toEqual(one);
        }
        const there = await createdNames(clients[0], 100);
        expect(there.filter((created) => created === name)).toHaveLength(1);
      }
    },
  );

  it('answer one 201 and one 409 to the same content at once', async () => {
    for (let i = 0; i < turns; i += 1) {
      const content = `The same for both, turn ${i}.`;
      const answers = await both((client) => client.memories.create({ body: { content } }));
      const stored = answers.filter((answer) => !(answer instanceof Error));
      expect(stored).toHaveLength(1);
      const refused = answers.find((answer) => answer instanceof Error);
      expect(refused).toMatchObject({
        status: 409,
        code: 'duplicate_memory',
        details: { memory_id: (stored[0] as { id: string }).id },
      });
      const there = await createdNames(clients[0], 100);
      expect(there.filter((created) => created === content)).toHaveLength(1);
    }
  });

  async function both<T>(send: (client: Client) => Promise<T>): Promise<(T | Error)[]> {
    return Promise.all(clients.map((client) => send(client).catch((error: Error) => error)));
  }
});

describe.runIf(onServer).each([serverEngine] as const)(
  'two servers that start at once on an empty database of %s',
  (engine) => {
    it.each(runCount([1], [1, 2, 3]))(
      'agree on one account and one admin key (turn %i)',
      async () => {
        await using ending = new AsyncDisposableStack();
        const place = await ownPlace(ending, () => createDataLocation(engine));
        const other = await ownPlace(ending, () => createSiblingLocation(place));
        const servers = await Promise.all(
          [place, other].map(async (one) => ending.use(await startServerProcess(one))),
        );
        const keys = servers.map(({ adminKey }) => adminKey).filter((key) => key !== '');
        expect(keys).toHaveLength(1);
        for (const { url } of servers) {
          const client = createClient({ url, apiKey: keys[0], retries: 0 });
          const { data } = await client.admin.listAccounts();
          expect(data.map(({ name }) => name)).toEqual(['default']);
        }
      },
    );
  },
);

async function ownPlace(
  ending: AsyncDisposableStack,
  make: () => Promise<DataLocation>,
): Promise<DataLocation> {
  const place = await make();
  ending.defer(() => place.remove());
  return place;
}

/** Contents of the newest memories and names of the newest spaces. */
async function createdNames(client: Client, limit: number): Promise<string[]> {
  const { data } = await client.memories.list({ query: { limit } });
  const spaces = await client.spaces.list({ query: { limit } });
  return [...data.map(({ content }) => content), ...spaces.data.map(({ name }) => name)];
}
