import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError, failedItem } from './memory-requests.ts';

const exempt = { allow_duplicate: true };

describe.each(engines)('A memory with allow_duplicate on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const codeOf = async (call: Promise<unknown>) => (await expectError(call)).code;

  it('may have the content of others, and others may have its content', async () => {
    const { client } = await service.createAccount();
    const first = await createMemory(client, 'yes', exempt);
    expect(first).not.toHaveProperty('allow_duplicate');
    await createMemory(client, 'yes', exempt);
    await createMemory(client, 'yes', { allow_duplicate: false });
    await createMemory(client, 'yes', exempt);
    expect(await codeOf(createMemory(client, 'yes'))).toBe('duplicate_memory');
    expect((await client.memories.list()).data).toHaveLength(4);
  });

  it('may be one of many of a bulk', async () => {
    const { client } = await service.createAccount();
    const said = { content: 'yes' };
    const memories = [said, said, { ...said, ...exempt }, { ...said, ...exempt }];
    const answer = await client.memories.bulkCreate({ body: { memories } });
    expect(answer.created).toBe(3);
    expect(answer.failed).toEqual([failedItem(1, 'duplicate_memory')]);
  });

  it('stays exempt when it is changed, deleted and restored', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'yes');
    const { id } = await createMemory(client, 'no', exempt);
    await client.memories.update({ params: { id }, body: { content: 'yes' } });
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect(await client.memories.restore({ params: { id } })).toMatchObject({ content: 'yes' });
  });

  it('is refused with 422 where the field is no boolean', async () => {
    const { client } = await service.createAccount();
    expect(
      await expectError(createMemory(client, 'yes', { allow_duplicate: 'true' })),
    ).toMatchObject({
      status: 422,
      fields: { allow_duplicate: { code: 'invalid_type' } },
    });
  });
});
