import type { Relationship } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, idsOf } from '../memories/memory-requests.ts';
import {
  createManyRelationships,
  createRelationship,
} from '../relationships/relationship-requests.ts';
import { readCsv } from './csv-parser.ts';
import { readHtml, textContent, walkElements } from './html-parser.ts';
import { onlySessionOfKey, searchWithSession, withoutTimers } from './session-requests.ts';

const lasting = { decay_rate: 0 } as const;
const odd = '<b>&"\' =1\n# `x` ＝2';

describe.each(engines)('Relationships of an activation session on %s', (engine) => {
  let service: Service;
  const clock = withoutTimers(createFakeClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const taken = async (client: Client, id: string, format: string): Promise<string> => {
    const path = `/sessions/${id}/export?format=${format}`;
    return String((await client.request({ method: 'GET', path })).body);
  };
  const inJson = async (client: Client, id: string): Promise<Relationship[]> => {
    const query = { format: 'json' } as const;
    return (await client.sessions.export({ params: { id }, query })).relationships;
  };
  /** As each form tells them: source, target, type, weight and what else there is. */
  const inMarkdown = async (client: Client, id: string): Promise<string[]> => {
    const [, told = ''] = (await taken(client, id, 'markdown')).split('\n## Relationships\n\n');
    return told.split('\n').filter((line) => line !== '');
  };
  const inHtml = async (client: Client, id: string): Promise<string[]> => {
    const elements = [...walkElements(readHtml(await taken(client, id, 'html')))];
    const anchors = new Set(elements.map(({ attributes }) => `#${attributes.id}`));
    for (const { attributes } of elements) {
      if (attributes.href !== undefined) expect(anchors).toContain(attributes.href);
    }
    return elements.filter(({ name }) => name === 'li').map(textContent);
  };
  const inCsv = async (client: Client, id: string): Promise<unknown[]> =>
    readCsv(await taken(client, id, 'csv')).flatMap((record) =>
      (JSON.parse(record.relationships ?? '') as object[]).map((one) => ({
        source_id: record.id,
        ...one,
      })),
    );
  const inReport = async (client: Client, id: string, query = {}) =>
    (await client.sessions.report({ params: { id }, query })).relationships;

  /** a, b and c are in the session in this order, `apart` is not. */
  const session = async (client: Client, fields = {}) => {
    const words = ['tea', 'sea', 'fog', 'owl'];
    const made: string[] = [];
    for (const word of words)
      made.push((await createMemory(client, `the ${word} waits`, fields)).id);
    for (const word of words.slice(0, 3)) await searchWithSession(client, 'k', `"the ${word}"`);
    const [a = '', b = '', c = '', apart = ''] = made;
    return { a, b, c, apart, id: (await onlySessionOfKey(client, 'k')).id };
  };

  it('are in each form and in the report, with their memories in order of access', async () => {
    const { client } = await service.createAccount();
    const { a, b, c, id } = await session(client);
    const made = [
      await createRelationship(client, c, a, { ...lasting, weight: 0.25, type: 'supersedes' }),
      await createRelationship(client, a, c, { ...lasting, weight: 2, description: odd }),
      await createRelationship(client, a, b, {
        ...lasting,
        weight: 0.5,
        type: 'supports',
        bidirectional: true,
      }),
    ];
    const all = (await client.relationships.list({ params: { memoryId: a } })) as {
      outgoing: Relationship[];
      incoming: Relationship[];
    };
    const known = new Map([...all.outgoing, ...all.incoming].map((one) => [one.id, one]));
    const order = [made[1]?.id, made[2]?.id, made[2]?.inverse_relationship?.id, made[0]?.id];
    const expected = order.map((one) => known.get(one ?? ''));
    expect(await inJson(client, id)).toEqual(expected);
    expect(await inReport(client, id)).toEqual(expected);
    expect(await inReport(client, id, { include_relationships: true })).toEqual(expected);
    expect(await inCsv(client, id)).toEqual(
      expected.map((one) => ({
        id: one?.id,
        source_id: one?.source_id,
        target_id: one?.target_id,
        relationship_type: one?.type,
        weight: one?.weight,
      })),
    );
    expect(await inHtml(client, id)).toEqual([
      `${a} → ${c}, related_to, weight 2: ${odd}`,
      `${a} → ${b}, supports, weight 0.5`,
      `${b} → ${a}, supported_by, weight 0.5`,
      `${c} → ${a}, supersedes, weight 0.25`,
    ]);
    expect(await inMarkdown(client, id)).toEqual([
      `- ${a} → ${c}, related\\_to, weight 2: \\<b\\>\\&"' =1 \\# \\\`x\\\` ＝2`,
      `- ${a} → ${b}, supports, weight 0.5`,
      `- ${b} → ${a}, supported\\_by, weight 0.5`,
      `- ${c} → ${a}, supersedes, weight 0.25`,
    ]);
  });

  it('are not in the report with include_relationships=false', async () => {
    const { client } = await service.createAccount();
    const { a, b, id } = await session(client);
    await createRelationship(client, a, b);
    const { relationships, ...rest } = await client.sessions.report({
      params: { id },
      query: { include_relationships: false },
    });
    expect(relationships).toEqual([]);
    expect(await client.sessions.report({ params: { id } })).toMatchObject(rest);
    expect(await inReport(client, id)).toHaveLength(1);
  });

  it('are shown with the weight that decay has left', async () => {
    const { client } = await service.createAccount();
    const { a, b, id } = await session(client);
    await createRelationship(client, a, b, { weight: 0.8 });
    clock.advance(100 * 86_400_000);
    const left = expect.closeTo(0.8 * 0.98 ** 100, 4);
    expect(await inJson(client, id)).toMatchObject([{ weight: left, strength: left }]);
    expect(await inReport(client, id)).toMatchObject([{ weight: left }]);
    expect(await inCsv(client, id)).toMatchObject([{ weight: left }]);
    expect(await inMarkdown(client, id)).toEqual([`- ${a} → ${b}, related\\_to, weight 0.106`]);
  });

  /** Each form and the report tell of relationships between these alone. */
  const expectTold = async (client: Client, id: string, told: readonly (readonly string[])[]) => {
    const pairs = (some: readonly { source_id: string; target_id: string }[]) =>
      some.map(({ source_id, target_id }) => [source_id, target_id]);
    const lines = told.map(([source, target]) => expect.stringContaining(`${source} → ${target},`));
    expect(pairs(await inJson(client, id))).toEqual(told);
    expect(pairs(await inReport(client, id))).toEqual(told);
    expect(pairs((await inCsv(client, id)) as never)).toEqual(told);
    expect(await inHtml(client, id)).toEqual(lines);
    expect(await inMarkdown(client, id)).toEqual(lines);
  };

  it('leave out what leads out of the session', async () => {
    const { client } = await service.createAccount();
    const { a, b, apart, id } = await session(client);
    await expectTold(client, id, []);
    await createRelationship(client, a, apart);
    await createRelationship(client, apart, b);
    await expectTold(client, id, []);
    await createRelationship(client, b, a);
    await expectTold(client, id, [[b, a]]);
  });

  it('leave out what rests or is gone with a memory', async () => {
    const { client } = await service.createAccount();
    const { a, b, c, id } = await session(client);
    await createRelationship(client, a, b);
    await createRelationship(client, b, c);
    await client.memories.remove({ params: { id: a }, query: { soft: true } });
    await expectTold(client, id, [[b, c]]);
    await client.memories.restore({ params: { id: a } });
    await client.memories.bulkDelete({ body: { ids: [c] } });
    await expectTold(client, id, [[a, b]]);
  });

  it('leave out what the key may not see', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const { a, b, c, id } = await session(client);
    await client.memories.update({ params: { id: c }, body: { space_id: red.id } });
    await createRelationship(client, a, b);
    await createRelationship(client, b, c);
    await expectTold(client, id, [
      [a, b],
      [b, c],
    ]);
    const body = { name: 'limited', space_ids: ['default'] };
    const limited = service.client((await client.keys.create({ body })).key);
    await expectTold(limited, id, [[a, b]]);
  });

  it('are told all, however many there are, each once', async () => {
    const { client } = await service.createAccount();
    const memories = Array.from({ length: 45 }, (_, i) => ({ content: `needle ${i}` }));
    const made = idsOf((await client.memories.bulkCreate({ body: { memories } })).memories);
    for (const source of made) {
      await createManyRelationships(
        client,
        source,
        made.filter((id) => id !== source),
      );
    }
    await searchWithSession(client, 'k', 'needle');
    const { id, memory_ids } = await onlySessionOfKey(client, 'k');
    const place = new Map(memory_ids.map((one, i) => [one, i]));
    const links = await inJson(client, id);
    expect(new Set(idsOf(links as never)).size).toBe(45 * 44);
    const places = links.map((one) => place.get(one.source_id) ?? -1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect((await inReport(client, id)).map((one) => one.id)).toEqual(idsOf(links as never));
    const byPair = (some: readonly unknown[]) =>
      (some as Relationship[]).map((one) => `${one.source_id} ${one.target_id}`).toSorted();
    expect(byPair(await inCsv(client, id))).toEqual(byPair(links));
    expect(await inHtml(client, id)).toHaveLength(45 * 44);
    expect(await inMarkdown(client, id)).toHaveLength(45 * 44);
  }, 120_000);
});
