import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nobody = '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d';

describe.each(engines)('spaces on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  describe('POST /spaces', () => {
    it('answers 201 with the whole space', async () => {
      const { client } = await service.createAccount();
      const body = { name: 'research', description: 'Papers', metadata: { a: { b: [1, null] } } };
      const answer = await client.request({ method: 'POST', path: '/spaces', body });
      expect(answer.status).toBe(201);
      const space = answer.body as { created_at: string };
      expect(space).toEqual({
        ...body,
        memory_lifetime_days: null,
        id: expect.stringMatching(uuid7),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: space.created_at,
      });
    });

    it('has no description and empty metadata by default', async () => {
      const { client } = await service.createAccount();
      const space = await client.spaces.create({ body: { name: 'bare' } });
      expect(space).toMatchObject({ description: null, metadata: {} });
    });

    it('refuses a name that the account has: 409 space_already_exists', async () => {
      const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
      await mine.client.spaces.create({ body: { name: 'research' } });
      await expect(mine.client.spaces.create({ body: { name: 'research' } })).rejects.toMatchObject(
        { status: 409, code: 'space_already_exists' },
      );
      expect((await theirs.client.spaces.create({ body: { name: 'research' } })).name).toBe(
        'research',
      );
    });

    it('makes one space of many requests for the same name at once', async () => {
      const { client } = await service.createAccount();
      const made = await Promise.allSettled(
        Array.from({ length: 8 }, () => client.spaces.create({ body: { name: 'one' } })),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of made) {
        if (one.status === 'rejected') expect(one.reason.code).toBe('space_already_exists');
      }
      expect((await client.spaces.list()).pagination.total).toBe(1);
    });

    it.each([
      ['name is missing', {}, { name: 'required' }],
      ['name is empty', { name: '' }, { name: 'invalid_range' }],
      ['name is a number', { name: 1 }, { name: 'invalid_type' }],
      ['name has 256 characters', { name: 'x'.repeat(256) }, { name: 'field_too_long' }],
      ['name holds U+0000', { name: 'a\u0000' }, { name: 'invalid_characters' }],
      [
        'description has 1001 characters',
        { name: 'x', description: 'y'.repeat(1_001) },
        { description: 'field_too_long' },
      ],
      ['metadata is a list', { name: 'x', metadata: [] }, { metadata: 'invalid_type' }],
      [
        'metadata is over 16 KB',
        { name: 'x', metadata: { a: 'y'.repeat(16_384) } },
        { metadata: 'field_too_long' },
      ],
      [
        'several fields are faulty',
        { name: '', description: 5, color: 'red' },
        { name: 'invalid_range', description: 'invalid_type', color: 'unknown_field' },
      ],
    ])('answers 422 with every faulty field when %s', async (_when, body, expected) => {
      const answer = await service.client().request({ method: 'POST', path: '/spaces', body });
      const fields = Object.fromEntries(
        Object.entries(expected).map(([name, code]) => [name, { code }]),
      );
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({
        error: { code: 'validation_error', details: { fields } },
      });
    });
  });

  describe('GET /spaces', () => {
    it('lists by name, in pages that neither repeat nor lose one', async () => {
      const { client } = await service.createAccount();
      const names = ['delta', 'alpha', 'charlie', 'bravo', 'echo'];
      for (const name of names) await client.spaces.create({ body: { name } });
      const pages: string[] = [];
      for (const offset of [0, 2, 4]) {
        const page = await client.spaces.list({ query: { limit: 2, offset } });
        expect(page.pagination).toEqual({
          total: 5,
          limit: 2,
          offset,
          has_more: offset < 4,
          next_cursor: null,
        });
        pages.push(...page.data.map(({ name }) => name));
      }
      expect(pages).toEqual(names.toSorted());
    });

    it('has a limit of 20 by default, and refuses what is out of range', async () => {
      const { client } = await service.createAccount();
      expect(await client.spaces.list()).toEqual({
        data: [],
        pagination: { total: 0, limit: 20, offset: 0, has_more: false, next_cursor: null },
      });
      await expect(client.spaces.list({ query: { limit: 101, offset: -1 } })).rejects.toMatchObject(
        {
          status: 422,
          fields: {
            limit: { code: 'invalid_range', max: 100 },
            offset: { code: 'invalid_range', min: 0 },
          },
        },
      );
    });
  });

  describe('GET /spaces/:id', () => {
    it('answers the space', async () => {
      const { client } = await service.createAccount();
      const space = await client.spaces.create({ body: { name: 'research' } });
      expect(await client.spaces.get({ params: { id: space.id } })).toEqual(space);
      expect(await client.spaces.get({ params: { id: space.id.toUpperCase() } })).toEqual(space);
    });
  });

  describe('PATCH /spaces/:id', () => {
    it('changes what is given and merges metadata (RFC 7396)', async () => {
      const { client } = await service.createAccount();
      const metadata = { keep: 1, drop: 2, deep: { a: 1, b: 2 }, list: [1, 2] };
      const { id } = await client.spaces.create({
        body: { name: 'research', description: 'old', metadata },
      });
      const patch = { drop: null, deep: { b: null, c: { d: 3 } }, list: [9] };
      const changed = await client.spaces.update({ params: { id }, body: { metadata: patch } });
      expect(changed).toMatchObject({ name: 'research', description: 'old' });
      expect(changed.metadata).toEqual({ keep: 1, deep: { a: 1, c: { d: 3 } }, list: [9] });
      const renamed = await client.spaces.update({
        params: { id },
        body: { name: 'papers', description: null },
      });
      expect(renamed).toMatchObject({ name: 'papers', description: null });
      expect(Date.parse(renamed.updated_at)).toBeGreaterThan(Date.parse(renamed.created_at));
      expect(await client.spaces.get({ params: { id } })).toEqual(renamed);
    });

    it('changes nothing, and tells nobody, when the patch says nothing new', async () => {
      const { client } = await service.createAccount();
      const metadata = { list: [{ longer: 1, a: 2 }] };
      const space = await client.spaces.create({ body: { name: 'research', metadata } });
      for (const body of [{}, { name: 'research' }, { metadata: { gone: null } }, { metadata }]) {
        expect(await client.spaces.update({ params: { id: space.id }, body })).toEqual(space);
      }
      const query = { type: 'space.updated' as const };
      expect((await client.events.list({ query })).data).toEqual([]);
    });

    it('refuses a name that another space has, and keeps the former', async () => {
      const { client } = await service.createAccount();
      await client.spaces.create({ body: { name: 'taken' } });
      const { id } = await client.spaces.create({ body: { name: 'mine' } });
      await expect(
        client.spaces.update({ params: { id }, body: { name: 'taken', description: 'new' } }),
      ).rejects.toMatchObject({ status: 409, code: 'space_already_exists' });
      const after = await client.spaces.get({ params: { id } });
      expect(after).toMatchObject({ name: 'mine', description: null });
    });

    it('holds the merged metadata to 16 KB, however small each patch is', async () => {
      const { client } = await service.createAccount();
      const { id } = await client.spaces.create({
        body: { name: 'research', metadata: { a: 'x'.repeat(9_000) } },
      });
      const body = { metadata: { b: 'x'.repeat(9_000) } };
      await expect(client.spaces.update({ params: { id }, body })).rejects.toMatchObject({
        status: 422,
        fields: { metadata: { code: 'field_too_long', max: 16_384 } },
      });
    });
  });

  describe('DELETE /spaces/:id', () => {
    it('answers 204, and the space is gone from every read', async () => {
      const { client } = await service.createAccount();
      const { id } = await client.spaces.create({ body: { name: 'research' } });
      const answer = await client.request({ method: 'DELETE', path: `/spaces/${id}` });
      expect(answer).toMatchObject({ status: 204, body: undefined });
      await expect(client.spaces.get({ params: { id } })).rejects.toMatchObject({ status: 404 });
      expect((await client.spaces.list()).data).toEqual([]);
      expect((await client.spaces.create({ body: { name: 'research' } })).id).not.toBe(id);
    });

    it('refuses while it holds memories: 409 space_not_empty with their number', async () => {
      const { client } = await service.createAccount();
      const { id } = await client.spaces.create({ body: { name: 'research' } });
      const ids: string[] = [];
      for (const content of ['one', 'two', 'three']) {
        const body = { content, space_id: id };
        ids.push((await client.memories.create({ body })).id);
      }
      const refused = { status: 409, code: 'space_not_empty' };
      await expect(client.spaces.remove({ params: { id } })).rejects.toMatchObject({
        ...refused,
        details: { count: 3 },
      });
      for (const one of ids) {
        await client.memories.remove({ params: { id: one }, query: { soft: true } });
      }
      await expect(client.spaces.remove({ params: { id } })).rejects.toMatchObject(refused);
      await client.memories.bulkDelete({ body: { ids } });
      await client.spaces.remove({ params: { id } });
    });
  });

  it.each([
    ['GET', undefined],
    ['PATCH', { name: 'new' }],
    ['DELETE', undefined],
  ])(
    '%s of no id, no space or a space of another account is 404 space_not_found',
    async (method, body) => {
      const [mine, theirs] = [await service.createAccount(), await service.createAccount()];
      const { id } = await theirs.client.spaces.create({ body: { name: 'theirs' } });
      for (const named of ['nonsense', 'default', 'null', `mem_${id}`, nobody, id]) {
        const answer = await mine.client.request({ method, path: `/spaces/${named}`, body });
        expect(answer).toMatchObject({ status: 404, body: { error: { code: 'space_not_found' } } });
      }
      expect((await theirs.client.spaces.get({ params: { id } })).name).toBe('theirs');
    },
  );

  it('events tell of each change, with what was before', async () => {
    const { client } = await service.createAccount();
    const made = await client.spaces.create({ body: { name: 'research' } });
    const changed = await client.spaces.update({
      params: { id: made.id },
      body: { name: 'papers', metadata: { a: 1 } },
    });
    await client.spaces.remove({ params: { id: made.id } });
    const { data } = await client.events.list();
    const base = { space_id: made.id, previous_data: null, changes: null };
    expect(data).toMatchObject([
      { ...base, type: 'space.created', data: made },
      {
        type: 'space.updated',
        space_id: made.id,
        data: changed,
        previous_data: made,
        changes: ['name', 'metadata'],
      },
      { ...base, type: 'space.deleted', data: { id: made.id } },
    ]);
  });
});
