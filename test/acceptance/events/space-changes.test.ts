import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, listEvents } from '../memories/memory-requests.ts';

describe.each(engines)('a memory that moves to another space on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());

  async function stage() {
    const { client } = await service.createAccount();
    const space = async (name: string) => (await client.spaces.create({ body: { name } })).id;
    const [red, blue] = [await space('red'), await space('blue')];
    const listener = async (...space_ids: string[]): Promise<Client> => {
      const { key } = await client.keys.create({ body: { name: 'listener', space_ids } });
      return service.client(key);
    };
    return { client, red, blue, listener };
  }

  const told = async (client: Client, id: string) =>
    (await listEvents(client))
      .filter(({ data }) => data.id === id)
      .map(({ type, space_id, data, previous_data, changes }) => ({
        ...{ type, space_id, data, previous_data, changes },
      }));

  it('is gone for who sees its former space alone, who learns nothing of the new one', async () => {
    const { client, red, blue, listener } = await stage();
    const memory = await createMemory(client, 'It moves.', { space_id: red });
    const params = { id: memory.id };
    await client.memories.update({ params, body: { space_id: blue, content: 'It has moved.' } });
    const seen = await told(await listener(red), memory.id);
    expect(seen.slice(1)).toEqual([
      {
        type: 'memory.deleted',
        space_id: red,
        data: { id: memory.id, soft: false },
        previous_data: null,
        changes: null,
      },
    ]);
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${blue}|It has moved`));
  });

  it('is new to who sees its new space alone, who learns nothing of the former one', async () => {
    const { client, red, listener } = await stage();
    const memory = await createMemory(client, 'It moves.', { space_id: red });
    const params = { id: memory.id };
    const body = { space_id: null, content: 'It has moved.' };
    const moved = await client.memories.update({ params, body });
    const seen = await told(await listener('default'), memory.id);
    const happened = { previous_data: null, changes: null };
    expect(seen).toEqual([{ type: 'memory.created', space_id: null, data: moved, ...happened }]);
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${red}|It moves`));
  });

  it('is one update to who sees both, however many move at once', async () => {
    const { client, red, blue, listener } = await stage();
    const { memories } = await client.memories.bulkCreate({
      body: { memories: ['one', 'two'].map((content) => ({ content, space_id: red })) },
    });
    const ids = memories.map(({ id }) => id);
    await client.memories.bulkUpdate({ body: { ids, set: { space_id: blue } } });
    for (const one of [client, await listener(red, blue)]) {
      for (const memory of memories) {
        expect((await told(one, memory.id)).slice(1)).toMatchObject([
          { type: 'memory.updated', space_id: blue, previous_data: memory, changes: ['space_id'] },
        ]);
      }
    }
    const types = async (...spaces: string[]) =>
      (await listEvents(await listener(...spaces))).map(({ type }) => type).slice(1);
    expect(await types(red)).toEqual([
      ...['memory.created', 'memory.created', 'memory.bulk_created'],
      ...['memory.deleted', 'memory.deleted', 'memory.bulk_updated'],
    ]);
    expect(await types(blue)).toEqual(['memory.created', 'memory.created']);
  });
});
