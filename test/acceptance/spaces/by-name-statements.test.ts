import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eachEngine } from '../../../packages/server/src/database/testing.ts';
import { startRecordedService } from '../../support/recorded-statements.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));
describe.each(eachEngine({ migrations }))('names of spaces on $name', ({ name, open }) => {
  it('take one statement, however many a request has, and none without names', async () => {
    await using recorded = await startRecordedService({ name, open });
    const { service, taken } = recorded;
    const { client } = await service.createAccount();
    const names = Array.from({ length: 20 }, (_, i) => `space ${i}`);
    const ids: string[] = [];
    for (const one of names) ids.push((await client.spaces.create({ body: { name: one } })).id);
    const spaceOf = (i: number) => ({ space: i % 10 === 9 ? `no ${i}` : `space ${i % 20}` });
    const lookups = async (request: () => Promise<unknown>): Promise<number> => {
      taken();
      await request();
      return taken().filter((sql) => /from "spaces".* name = any\(/.test(sql)).length;
    };

    const memories = Array.from({ length: 100 }, (_, i) => ({ content: `${i}`, ...spaceOf(i) }));
    expect(await lookups(() => client.memories.bulkCreate({ body: { memories } }))).toBe(1);
    const queries = names.map((_, i) => ({ q: 'tea', ...spaceOf(i) }));
    expect(await lookups(() => client.search.batch({ body: { queries } }))).toBe(1);
    const hook = { url: 'https://example.com/hook', events: ['memory.*'] };
    const webhooks = names.slice(0, 9).map((_, i) => ({ ...hook, ...spaceOf(i) }));
    expect(await lookups(() => client.webhooks.bulkCreate({ body: { webhooks } }))).toBe(1);
    const one = { content: 'one', space: 'space 0' };
    expect(await lookups(() => client.memories.create({ body: one }))).toBe(1);

    const byId = ids.map((space_id, i) => ({ content: `by id ${i}`, space_id }));
    expect(await lookups(() => client.memories.bulkCreate({ body: { memories: byId } }))).toBe(0);
    expect(await lookups(() => client.search.batch({ body: { queries: [{ q: 'tea' }] } }))).toBe(0);
    expect(await lookups(() => client.memories.list())).toBe(0);
  });
});
