import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from './controlled-dependencies.ts';
import { absentId, createMemory, expectError, listEvents, searchIds } from './memory-requests.ts';

describe.each(engines)('Deleting and restoring on %s', (engine) => {
  let service: Service;
  let embedder: GatedEmbedder;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { embedder } });
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const raw = (
    client: Client,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) => client.request({ method, path: `/memories/${path}`, headers });
  const all = async (client: Client) =>
    (await client.memories.list({ query: { include_deleted: true } })).data;

  describe('DELETE /memories/:id', () => {
    it('removes for good when soft is omitted or false: 204, without a body', async () => {
      const client = await fresh();
      for (const query of ['', '?soft=false']) {
        const { id } = await createMemory(client, 'for good');
        const answer = await raw(client, 'DELETE', id + query);
        expect(answer).toMatchObject({ status: 204, body: undefined });
        expect((await raw(client, 'GET', id)).status).toBe(404);
        expect((await raw(client, 'POST', `${id}/restore`)).status).toBe(404);
        expect(await raw(client, 'DELETE', id)).toMatchObject({
          status: 404,
          body: { error: { code: 'memory_not_found' } },
        });
      }
      expect(await all(client)).toEqual([]);
    });

    it('deletes softly with soft=true: 200 with the memory', async () => {
      const client = await fresh();
      const before = await createMemory(client, 'softly', { tags: ['a'], priority: 3 });
      const answer = await raw(client, 'DELETE', `mem_${before.id}?soft=true`);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          ...before,
          is_deleted: true,
          deleted_at: expect.any(String),
          updated_at: expect.any(String),
        },
      });
      expect((await all(client)).map(({ id }) => id)).toEqual([before.id]);
    });

    it('leaves a soft-deleted memory as it is when deleted softly again', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'twice');
      const first = await client.memories.remove({ params: { id }, query: { soft: true } });
      expect(await client.memories.remove({ params: { id }, query: { soft: true } })).toEqual(
        first,
      );
      expect(await listEvents(client, 'memory.deleted')).toHaveLength(1);
    });

    it('removes a soft-deleted memory for good', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'both');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      expect((await raw(client, 'DELETE', id)).status).toBe(204);
      expect(await all(client)).toEqual([]);
    });

    it('takes the memory out of the very next search, softly or for good', async () => {
      const client = await fresh();
      for (const soft of [true, false]) {
        const { id } = await createMemory(client, `The parrot sings at dawn. ${soft}`);
        expect(await searchIds(client, 'parrot singing')).toEqual([id]);
        await client.memories.remove({ params: { id }, query: { soft } });
        expect(await searchIds(client, 'parrot singing')).toEqual([]);
      }
    });

    it('tells memory.deleted with the id alone, and how', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'told');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      await client.memories.remove({ params: { id }, query: { soft: false } });
      const told = await listEvents(client, 'memory.deleted');
      expect(told.map(({ data }) => data)).toEqual([
        { id, soft: true },
        { id, soft: false },
      ]);
    });

    it('holds If-Match, and answers 404 for no memory and 422 for an odd query', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'guarded');
      for (const soft of ['', '?soft=true']) {
        expect(await raw(client, 'DELETE', id + soft, { 'if-match': '"7"' })).toMatchObject({
          status: 412,
          body: { error: { code: 'precondition_failed' } },
        });
        expect((await raw(client, 'DELETE', absentId + soft)).status).toBe(404);
        expect((await raw(client, 'DELETE', `x${soft}`)).status).toBe(404);
      }
      for (const query of ['soft=1', 'hard=true', 'soft=']) {
        expect((await raw(client, 'DELETE', `${id}?${query}`)).status, query).toBe(422);
      }
      expect((await raw(client, 'DELETE', id, { 'if-match': '"1"' })).status).toBe(204);
    });

    it("never reaches another account's memory", async () => {
      const [client, other] = [await fresh(), await fresh()];
      const memory = await createMemory(client, 'mine');
      for (const query of ['', '?soft=true']) {
        expect((await raw(other, 'DELETE', memory.id + query)).status).toBe(404);
      }
      expect(await client.memories.get({ params: { id: memory.id } })).toEqual(memory);
    });

    it('removes once, however many ask at the same time', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'contended');
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => raw(client, 'DELETE', id)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
      expect(await listEvents(client, 'memory.deleted')).toHaveLength(1);
    });
  });

  describe('POST /memories/:id/restore', () => {
    it('brings the memory back as it was, and search finds it at once', async () => {
      const client = await fresh();
      const space = await client.spaces.create({ body: { name: 'research' } });
      const fields = { space_id: space.id, tags: ['a'], metadata: { b: 1 }, is_pinned: true };
      const before = await createMemory(client, 'The harbour freezes in January.', fields);
      const params = { id: before.id };
      await client.memories.remove({ params, query: { soft: true } });
      const restored = await client.memories.restore({ params });
      expect(restored).toEqual({ ...before, updated_at: restored.updated_at });
      expect((await client.memories.list()).data).toEqual([restored]);
      expect(await searchIds(client, 'when does the harbour freeze?')).toEqual([before.id]);
    });

    it('answers an active memory unchanged, and tells nobody', async () => {
      const client = await fresh();
      const before = await createMemory(client, 'active');
      const answer = await raw(client, 'POST', `mem_${before.id}/restore`);
      expect(answer).toMatchObject({ status: 200, body: before });
      await client.memories.remove({ params: { id: before.id }, query: { soft: true } });
      const first = await client.memories.restore({ params: { id: before.id } });
      expect(await client.memories.restore({ params: { id: before.id } })).toEqual(first);
      const told = await listEvents(client, 'memory.restored');
      expect(told.map(({ data }) => data)).toEqual([first]);
    });

    it('answers 409 duplicate_memory when the content was stored again meanwhile', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'came back');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      const newer = await createMemory(client, 'came back');
      expect(await expectError(client.memories.restore({ params: { id } }))).toMatchObject({
        status: 409,
        code: 'duplicate_memory',
        details: { memory_id: newer.id },
      });
      expect(await client.memories.get({ params: { id } })).toMatchObject({ is_deleted: true });
      await client.memories.remove({ params: { id: newer.id }, query: { soft: false } });
      expect(await client.memories.restore({ params: { id } })).toMatchObject({
        is_deleted: false,
      });
    });

    it('restores one of two with the same content, however the requests meet', async () => {
      const client = await fresh();
      const ids: string[] = [];
      for (let i = 0; i < 5; i += 1) {
        const { id } = await createMemory(client, 'deleted five times');
        await client.memories.remove({ params: { id }, query: { soft: true } });
        ids.push(id);
      }
      const answers = await Promise.all(ids.map((id) => raw(client, 'POST', `${id}/restore`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect((await client.memories.list()).data).toHaveLength(1);
    });

    it('brings back the embedding it was given, and needs no provider for it', async () => {
      const client = await fresh();
      const [vector] = await embedder.embed(['a vehicle broke down'], 'document');
      const { id } = await createMemory(client, 'qqq zzz', { embedding: Array.from(vector ?? []) });
      const params = { id };
      await client.memories.remove({ params, query: { soft: true } });
      expect(await searchIds(client, 'the car broke')).toEqual([]);
      await embedder.whileDown(() => client.memories.restore({ params }));
      expect(await searchIds(client, 'the car broke')).toEqual([id]);
    });

    it('holds If-Match, and answers 404 for no memory', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'guarded');
      expect((await raw(client, 'POST', `${id}/restore`, { 'if-match': '"7"' })).status).toBe(412);
      for (const none of [absentId, 'x']) {
        expect(await raw(client, 'POST', `${none}/restore`)).toMatchObject({
          status: 404,
          body: { error: { code: 'memory_not_found' } },
        });
      }
    });
  });
});
