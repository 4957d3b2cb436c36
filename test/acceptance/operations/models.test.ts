import type { ModelTest } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { writeInstalledModel } from '../../support/installed-model.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const contentOf = (n: number): string => `The locker ${n} of floor${n} holds the item${n}`;

describe.each(oneEngine)('embedding models on %s', (engine) => {
  let service: Service;
  let operator: Client;
  beforeAll(async () => {
    const env = { MNEME_EMBEDDING_PROVIDER: 'static' };
    service = await startService(engine, { env, isExclusive: true });
    operator = service.operator();
  });
  afterAll(() => service.stop());

  const test = async (body: { model: string; account_id: string }): Promise<ModelTest> => {
    const { job_id: id } = await operator.admin.startModelTest({ body });
    return eventually(
      () => operator.admin.getModelTest({ params: { id } }),
      ({ status }) => status === 'completed' || status === 'failed',
      60_000,
    );
  };

  it('are listed: shipped, installed and known ones, and the current one is marked', async () => {
    await writeInstalledModel(service.config.dataDir, { name: 'bge-m3', bytes: 1_000 });
    await writeInstalledModel(service.config.dataDir, { name: 'my-model', bytes: 7 });
    const { current, change, models } = await operator.admin.listModels();
    expect({ current, change }).toEqual({
      current: { name: 'configured', model: 'static-en-192@1', dimensions: 192 },
      change: null,
    });
    expect(models.filter((model) => model.is_current).map(({ name }) => name)).toEqual(['static']);
    const entry = (name: string) => models.filter((model) => model.name === name);
    expect(entry('bge-m3')).toMatchObject([
      { state: 'installed', installed_bytes: 1_000, licence: 'MIT', languages: 'multilingual' },
    ]);
    expect(entry('my-model')).toMatchObject([{ state: 'installed', download_megabytes: null }]);
    expect(entry('e5-base-v2')).toMatchObject([{ state: 'available', download_megabytes: 111 }]);
    expect(entry('voyage-3.5')).toMatchObject([{ state: 'available', download_megabytes: null }]);
  });

  it('are removed by a name or an alias, if they are installed', async () => {
    await writeInstalledModel(service.config.dataDir, { name: 'bge-m3', bytes: 1_000 });
    const remove = (name: string) => operator.admin.removeModel({ params: { name } });
    expect(await remove('BAAI/bge-m3')).toEqual({ name: 'bge-m3', bytes: 1_000 });
    await expect(remove('bge-m3')).rejects.toMatchObject({ status: 404 });
    await expect(remove('static')).rejects.toMatchObject({ status: 409 });
    await expect(remove('../secret-key')).rejects.toMatchObject({ status: 404 });
  });

  it('are compared on questions of an account, and nothing is changed', async () => {
    const { id: account_id, client } = await service.createAccount();
    const bodies = Array.from({ length: 25 }, (_, n) => ({ content: contentOf(n) }));
    const { memories } = await client.memories.bulkCreate({ body: { memories: bodies } });
    for (const [n, { id }] of memories.entries()) {
      // Only helpful feedback with a query is a question with an answer.
      const body = n < 20 ? { helpful: true, query: contentOf(n) } : { helpful: n > 22 };
      await client.memories.feedback({ params: { id }, body });
    }
    const session = await client.cliSessions.create({ body: { name: 'talk' } });
    await client.cliSessions.postMessages({
      params: { id: session.id },
      body: {
        messages: [
          { role: 'user', content: 'Where do we keep the purple umbrella?' },
          { role: 'assistant', content: 'The purple umbrella is kept behind the door.' },
          { role: 'user', content: 'Thanks, that helps.' },
        ],
      },
    });
    const report = await test({ model: 'encoder', account_id });
    expect(report).toMatchObject({
      status: 'completed',
      questions: { feedback: 20, sessions: 1, updates: 0 },
      memories: 28,
    });
    expect(report.models.map(({ name, dimensions }) => [name, dimensions])).toEqual([
      ['encoder', 256],
      ['current', 192],
    ]);
    for (const model of report.models) {
      // The queries are the memories themselves, so that each finds its own.
      expect(model.recall_1).toBeGreaterThan(0.9);
      expect(model.recall_5).toBeGreaterThanOrEqual(model.recall_1);
      expect(model.mrr).toBeLessThanOrEqual(1);
      expect(model.memory_ms).toBeGreaterThan(0);
    }
    expect((await client.account.get()).embedding.model).toBe('static-en-192@1');
    expect(await operator.admin.listModels()).toMatchObject({ change: null });
  });

  it('are not compared without enough questions: the error says what is missing', async () => {
    const { id: account_id } = await service.createAccount();
    expect(await test({ model: 'encoder', account_id })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^A comparison needs at least 20 questions .* 0 from helpful/),
      models: [],
    });
    const body = { model: 'nonsense', account_id };
    await expect(operator.admin.startModelTest({ body })).rejects.toMatchObject({ status: 409 });
    const absent = { model: 'static', account_id: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e' };
    const call = operator.admin.startModelTest({ body: absent });
    await expect(call).rejects.toMatchObject({ status: 404 });
  });

  it('are for the operator alone', async () => {
    const { client } = await service.createAccount();
    await expect(client.admin.listModels()).rejects.toMatchObject({ status: 403 });
  });
});
