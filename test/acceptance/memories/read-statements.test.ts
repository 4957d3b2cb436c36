import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eachEngine } from '../../../packages/server/src/database/testing.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startRecordedService } from '../../support/recorded-statements.ts';

const migrations = fileURLToPath(new URL('../../../packages/server/migrations', import.meta.url));

describe.each(eachEngine({ migrations }))('a read on $name', ({ name, open }) => {
  it('takes one statement, and a second one only where something is outdated', async () => {
    await using recorded = await startRecordedService({ name, open }, { clock: createFakeClock() });
    const { service, taken } = recorded;
    const { client } = await service.createAccount();
    const old = await client.memories.create({ body: { content: 'The printer is on floor 2.' } });
    await client.memories.create({ body: { content: 'Tea is in the kitchen.' } });
    const readsOf = async (request: () => Promise<unknown>): Promise<number> => {
      taken();
      await request();
      const reads = /\bfrom "?(?:memories|documents)\b/;
      return taken().filter((sql) => reads.test(sql) && !/for update/.test(sql)).length;
    };

    expect(await readsOf(() => client.memories.get({ params: { id: old.id } }))).toBe(1);
    expect(await readsOf(() => client.memories.list())).toBe(1);

    const body = { content: 'The printer is on floor 3.', supersedes: [old.id] };
    const { id } = await client.memories.create({ body });
    expect(await readsOf(() => client.memories.get({ params: { id } }))).toBe(1);
    expect(await readsOf(() => client.memories.get({ params: { id: old.id } }))).toBe(2);
    expect(await readsOf(() => client.memories.list())).toBe(2);
    expect(await client.memories.get({ params: { id: old.id } })).toMatchObject({
      outdated_by: id,
    });
  });
});
