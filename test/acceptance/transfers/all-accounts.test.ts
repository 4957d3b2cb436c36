import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { countsOf } from './transfer.ts';

describe.each(engines)('all accounts on %s', (engine) => {
  let source: Service;
  let target: Service;

  beforeAll(async () => {
    source = await startService(engine, { isExclusive: true });
    target = await startService(engine, { isExclusive: true });
  });
  afterAll(async () => {
    await source.stop();
    await target.stop();
  });

  const importAll = async (body: Uint8Array, query = {}) => {
    const operator = target.operator();
    const { import_id: id } = await operator.admin.import({ body, query });
    await target.running.context.worker.drain();
    return operator.admin.getImport({ params: { id } });
  };

  test('are exported together, and imported into a new installation with their ids', async () => {
    const accounts = [await source.createAccount('pro'), await source.createAccount('free')];
    for (const [i, { client }] of accounts.entries())
      await client.memories.create({ body: { content: `Of account ${i}.`, user_id: 'ana' } });
    const response = await source.operator().admin.export();
    const body = new Uint8Array(await response.arrayBuffer());

    const first = await importAll(body);
    expect(first).toMatchObject({ status: 'completed', skipped: [] });
    expect(countsOf(first).memories).toMatchObject({ created: 2 });
    const { admin } = target.operator();
    for (const [i, { id, client }] of accounts.entries()) {
      expect((await admin.getAccount({ params: { id } })).plan).toBe(i === 0 ? 'pro' : 'free');
      const { key } = await admin.createKey({
        params: { id },
        body: { name: 'new', scopes: ['admin'] },
      });
      const [before] = (await client.memories.list()).data;
      expect((await target.client(key).memories.list()).data).toEqual([before]);
    }
    expect(countsOf(await importAll(body)).memories).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
      skipped: 0,
    });
  });

  test('are not imported, together or alone, while an import of them waits', async () => {
    const ids = [(await source.createAccount()).id, (await source.createAccount()).id];
    const response = await source.operator().admin.export();
    const body = new Uint8Array(await response.arrayBuffer());
    await importAll(body);
    const { admin } = target.operator();
    const queue = { params: { name: 'imports' } };
    await admin.pauseQueue(queue);
    const { import_id } = await admin.import({ body });
    for (const query of [{ account_id: undefined }, ...ids.map((account_id) => ({ account_id }))]) {
      const one = query.account_id ? await source.operator().admin.export({ query }) : null;
      const again = one ? new Uint8Array(await one.arrayBuffer()) : body;
      await expect(admin.import({ body: again, query })).rejects.toMatchObject({
        status: 409,
        details: { import_id },
      });
    }
    await admin.resumeQueue(queue);
    await target.running.context.worker.drain();
  });

  test('can be imported one by one into an account that the operator names', async () => {
    const { id, client } = await source.createAccount();
    await client.memories.create({ body: { content: 'Moves to another account.' } });
    const response = await source.operator().admin.export({ query: { account_id: id } });
    const body = new Uint8Array(await response.arrayBuffer());
    const account = await target.createAccount();

    await importAll(body, { account_id: account.id });
    const { data } = await account.client.memories.list();
    expect(data.map(({ content }) => content)).toEqual(['Moves to another account.']);
    await expect(
      target.operator().admin.import({
        body,
        query: { account_id: '01890000-0000-7000-8000-000000000000' },
      }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
