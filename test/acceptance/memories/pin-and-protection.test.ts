import type { Memory } from '@mneme/contract';
import { type Client, createClient, type RawResponse } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, listEvents } from './memory-requests.ts';

/** The calls that protection guards; the last one would leave nothing. */
const guarded = [
  ['PATCH', '', { priority: 9 }],
  ['PATCH', '', { content: 'overwritten' }],
  ['POST', '/pin', undefined],
  ['POST', '/unpin', undefined],
  ['DELETE', '?soft=true', undefined],
  ['DELETE', '', undefined],
] as const;

describe.each(engines)('Marks on a memory on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());
  const fresh = async (): Promise<Client> => (await service.createAccount()).client;
  const raw = (
    client: Client,
    [method, path, body]: readonly [string, string, unknown?],
    headers: Record<string, string> = {},
  ): Promise<RawResponse> => client.request({ method, path: `/memories/${path}`, body, headers });
  const withConfirm = (path: string, confirm = true) =>
    `${path}${path.includes('?') ? '&' : '?'}confirm=${confirm}`;

  describe('POST pin and unpin', () => {
    it('set is_pinned, and tell memory.updated once for each change', async () => {
      const client = await fresh();
      const before = await createMemory(client, 'pinned');
      const params = { id: before.id };
      const pinned = await client.memories.pin({ params });
      expect(pinned).toEqual({ ...before, is_pinned: true, updated_at: pinned.updated_at });
      expect(await client.memories.pin({ params })).toEqual(pinned);
      const unpinned = await client.memories.unpin({ params });
      expect(unpinned).toEqual({ ...before, updated_at: unpinned.updated_at });
      expect(await client.memories.unpin({ params })).toEqual(unpinned);
      const told = await listEvents(client, 'memory.updated');
      expect(told.map(({ data, changes }) => [data, changes])).toEqual([
        [pinned, ['is_pinned']],
        [unpinned, ['is_pinned']],
      ]);
    });

    it('answer 409 for a deleted memory, 404 for none, 412 for a stale ETag', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'x');
      for (const verb of ['pin', 'unpin']) {
        expect((await raw(client, ['POST', `${id}/${verb}`], { 'if-match': '"9"' })).status).toBe(
          412,
        );
        expect((await raw(client, ['POST', `${absentId}/${verb}`])).status).toBe(404);
        expect((await raw(client, ['POST', `none/${verb}`])).status).toBe(404);
      }
      await client.memories.remove({ params: { id }, query: { soft: true } });
      for (const verb of ['pin', 'unpin']) {
        expect(await raw(client, ['POST', `${id}/${verb}`])).toMatchObject({
          status: 409,
          body: { error: { code: 'conflict' } },
        });
      }
    });
  });

  describe('Protection', () => {
    const protectedMemory = (client: Client, level: 'soft' | 'hard'): Promise<Memory> =>
      createMemory(client, `protected ${level}`, { protection_level: level });

    it('soft refuses each guarded call with 409 confirmation_required', async () => {
      const client = await fresh();
      const memory = await protectedMemory(client, 'soft');
      for (const [method, path, body] of guarded) {
        for (const asked of [memory.id + path, withConfirm(memory.id + path, false)]) {
          expect(await raw(client, [method, asked, body]), asked).toMatchObject({
            status: 409,
            body: { error: { code: 'confirmation_required' } },
          });
        }
      }
      expect(await client.memories.get({ params: { id: memory.id } })).toEqual(memory);
    });

    it('soft lets each guarded call pass with confirm=true, or with X-Confirm: true', async () => {
      const client = await fresh();
      for (const [method, path, body] of guarded) {
        const first = await createMemory(client, `${method}${path}`, { protection_level: 'soft' });
        const byQuery = await raw(client, [method, withConfirm(first.id + path), body]);
        expect(byQuery.status, path).toBeLessThan(300);
        await raw(client, ['DELETE', withConfirm(first.id)]);
        const second = await createMemory(client, `${method}${path}`, { protection_level: 'soft' });
        const byHeader = await raw(client, [method, second.id + path, body], {
          'x-confirm': 'true',
        });
        expect(byHeader.status, path).toBeLessThan(300);
        await raw(client, ['DELETE', withConfirm(second.id)]);
      }
    });

    it('hard refuses each guarded call with 409 memory_protected, confirmed or not', async () => {
      const client = await fresh();
      const memory = await protectedMemory(client, 'hard');
      for (const [method, path, body] of guarded) {
        const answers = [
          await raw(client, [method, memory.id + path, body]),
          await raw(client, [method, withConfirm(memory.id + path), body]),
          await raw(client, [method, memory.id + path, body], { 'x-confirm': 'true' }),
        ];
        for (const answer of answers) {
          expect(answer, path).toMatchObject({
            status: 409,
            body: { error: { code: 'memory_protected' } },
          });
        }
      }
      expect(await client.memories.get({ params: { id: memory.id } })).toEqual(memory);
    });

    it('guards a soft-deleted memory from permanent deletion, too', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'deleted, then protected');
      await client.memories.remove({ params: { id }, query: { soft: true } });
      const body = { protection_level: 'hard' } as const;
      expect(await client.memories.protect({ params: { id }, body })).toMatchObject({
        is_deleted: true,
        protection_level: 'hard',
      });
      expect(await raw(client, ['DELETE', withConfirm(id)])).toMatchObject({
        status: 409,
        body: { error: { code: 'memory_protected' } },
      });
    });

    it('can itself always be changed, from any level to any', async () => {
      const client = await fresh();
      const before = await createMemory(client, 'levels');
      const params = { id: before.id };
      const levels = ['soft', 'hard', 'soft', 'none', 'hard', 'none', 'none'] as const;
      for (const protection_level of levels) {
        const after = await client.memories.protect({ params, body: { protection_level } });
        expect(after).toEqual({ ...before, protection_level, updated_at: after.updated_at });
      }
      const told = await listEvents(client, 'memory.updated');
      expect(told.map(({ changes }) => changes)).toEqual(
        Array.from({ length: 6 }, () => ['protection_level']),
      );
      expect((await raw(client, ['DELETE', before.id])).status).toBe(204);
    });

    it('is named by one of the published levels, and nothing else', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'x');
      const faults = [
        [{}, { protection_level: 'required' }],
        [{ protection_level: 'medium' }, { protection_level: 'invalid_enum_value' }],
        [{ protection_level: null }, { protection_level: 'invalid_type' }],
        [{ protection_level: 'soft', confirm: true }, { confirm: 'unknown_field' }],
      ] as const;
      for (const [body, expected] of faults) {
        const { status, fields } = await expectError(
          client.memories.protect({ params: { id }, body: body as never }),
        );
        expect(status).toBe(422);
        const codes = Object.entries(fields).map(([name, { code }]) => [name, code]);
        expect(Object.fromEntries(codes)).toEqual(expected);
      }
      const body = { protection_level: 'soft' };
      expect((await raw(client, ['PATCH', `${absentId}/protection`, body])).status).toBe(404);
      expect((await raw(client, ['PATCH', `none/protection`, body])).status).toBe(404);
      const stale = await raw(client, ['PATCH', `${id}/protection`, body], { 'if-match': '"9"' });
      expect(stale.status).toBe(412);
    });

    it('does not keep a memory from being verified, rated or restored', async () => {
      const client = await fresh();
      const { id } = await protectedMemory(client, 'hard');
      const params = { id };
      expect((await client.memories.verify({ params })).verified_at).not.toBeNull();
      expect(await client.memories.feedback({ params, body: { helpful: true } })).toMatchObject({
        memory_id: id,
      });
      expect((await client.memories.restore({ params })).id).toBe(id);
    });
  });

  describe('POST /memories/:id/verify', () => {
    it('sets verified_at, and tells memory.verified', async () => {
      const client = await fresh();
      const before = await createMemory(client, 'checked');
      const after = await client.memories.verify({ params: { id: before.id } });
      expect(after).toEqual({
        ...before,
        verified_at: expect.stringMatching(/^\d{4}-.*Z$/),
        updated_at: after.updated_at,
      });
      expect(await client.memories.get({ params: { id: before.id } })).toEqual(after);
      const told = await listEvents(client, 'memory.verified');
      expect(told.map(({ data }) => data)).toEqual([after]);
      expect(await listEvents(client, 'memory.updated')).toEqual([]);
    });

    it('answers 404 for no memory', async () => {
      const client = await fresh();
      for (const none of [absentId, 'x']) {
        expect((await raw(client, ['POST', `${none}/verify`])).status).toBe(404);
      }
    });
  });

  describe('POST /memories/:id/feedback', () => {
    it('answers 201 with the feedback, and tells feedback.submitted', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'rated');
      const body = { helpful: false, query: 'what was it?', comment: 'Out of date. 🙈' };
      const answer = await raw(client, ['POST', `mem_${id}/feedback`, body]);
      expect(answer).toMatchObject({
        status: 201,
        body: { ...body, memory_id: id, id: expect.any(String), created_at: expect.any(String) },
      });
      const [event, ...others] = await listEvents(client, 'feedback.submitted');
      expect(event).toMatchObject({ data: answer.body, space_id: null });
      expect(others).toEqual([]);
    });

    it('needs only helpful, and bounds the texts by characters', async () => {
      const client = await fresh();
      const { id } = await createMemory(client, 'rated');
      const send = (body: object) => raw(client, ['POST', `${id}/feedback`, body]);
      expect(await send({ helpful: true })).toMatchObject({
        status: 201,
        body: { query: null, comment: null },
      });
      const full = { helpful: true, query: '😀'.repeat(1_000), comment: '😀'.repeat(2_000) };
      expect((await send(full)).status).toBe(201);
      const refused = [
        {},
        { helpful: 'yes' },
        { helpful: true, query: 'x'.repeat(1_001) },
        { helpful: true, comment: 'x'.repeat(2_001) },
        { helpful: true, rating: 5 },
      ];
      for (const body of refused) expect((await send(body)).status).toBe(422);
      expect((await raw(client, ['POST', `${absentId}/feedback`, { helpful: true }])).status).toBe(
        404,
      );
    });
  });

  it('lets no key without memories:write change anything', async () => {
    const client = await fresh();
    const memory = await createMemory(client, 'read only');
    const { key } = await client.keys.create({ body: { name: 'k', scopes: ['memories:read'] } });
    const reader = createClient({ url: service.url, apiKey: key, retries: 0 });
    const calls = [
      ...guarded,
      ['POST', '/verify', undefined],
      ['POST', '/restore', undefined],
      ['POST', '/feedback', { helpful: true }],
      ['PATCH', '/protection', { protection_level: 'soft' }],
    ] as const;
    for (const [method, path, body] of calls) {
      expect(await raw(reader, [method, memory.id + path, body]), path).toMatchObject({
        status: 403,
        body: { error: { code: 'insufficient_permissions' } },
      });
    }
    expect(await reader.memories.get({ params: { id: memory.id } })).toEqual(memory);
  });
});
