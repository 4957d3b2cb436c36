import type { Client, RawRequest } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const builtIn = [
  { name: 'precise', limit: 10, threshold: 0.5 },
  { name: 'balanced', limit: 20, threshold: 0.2 },
  { name: 'broad', limit: 100, threshold: 0 },
].map((one) => ({ ...one, is_built_in: true, created_at: null, updated_at: null }));

const put = (name: string, body: unknown): RawRequest => ({
  method: 'PUT',
  path: `/search/pipelines/${encodeURIComponent(name)}`,
  body,
});
const at = (name: string, method: 'GET' | 'DELETE' = 'GET'): RawRequest => ({
  method,
  path: `/search/pipelines/${encodeURIComponent(name)}`,
});
const refused = (field: string, code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: { fields: { [field]: { code } } } } },
});

describe.each(engines)('search presets on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Standing timers: no access is recorded between two searches that are compared.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
  });
  afterAll(() => service.stop());

  /** An account with 30 notes that one query finds. */
  async function withNotes() {
    const account = await service.createAccount();
    const memories = Array.from({ length: 30 }, (_, i) => ({ content: `gardening note ${i}` }));
    await account.client.memories.bulkCreate({ body: { memories } });
    return account;
  }

  it('a preset seeds limit and threshold of GET and POST /search', async () => {
    const { client } = await withNotes();
    const q = 'a note on gardening, and on trains';
    const all = await client.search.post({ body: { q, limit: 100 } });
    const threshold = all.results[6]?.score ?? 1;
    await client.search.putPreset({ params: { name: 'few' }, body: { limit: 3 } });
    await client.search.putPreset({ params: { name: 'sure' }, body: { threshold, limit: 100 } });
    for (const find of [
      (pipeline: string) => client.search.get({ query: { q, pipeline } }),
      (pipeline: string) => client.search.post({ body: { q, pipeline } }),
    ]) {
      const few = all.results.slice(0, 3);
      const pagination = { ...all.pagination, limit: 3, has_more: true };
      expect(await find('few')).toEqual({ ...all, results: few, data: few, pagination });
      const plain = await client.search.post({ body: { q, threshold, limit: 100 } });
      expect(await find('sure')).toEqual(plain);
    }
  });

  it('what a search says itself goes before its preset', async () => {
    const { client } = await withNotes();
    await client.search.putPreset({ params: { name: 'p' }, body: { limit: 3, threshold: 1 } });
    const found = async (query: object) =>
      (await client.search.post({ body: { q: 'gardening', pipeline: 'p', ...query } })).results;
    expect(await found({})).toHaveLength(0);
    expect(await found({ threshold: 0 })).toHaveLength(3);
    expect(await found({ threshold: 0, limit: 7 })).toHaveLength(7);
  });

  it('PUT answers 201 with a new preset, 200 with one it replaced as a whole', async () => {
    const { client } = await service.createAccount();
    const made = await client.request(put('desk', { limit: 5, threshold: 0.6 }));
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      name: 'desk',
      limit: 5,
      threshold: 0.6,
      is_built_in: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const replaced = await client.request(put('desk', {}));
    expect(replaced.status).toBe(200);
    const { created_at } = made.body as { created_at: string };
    expect(replaced.body).toMatchObject({ name: 'desk', limit: 20, threshold: 0, created_at });
    expect(await client.search.getPreset({ params: { name: 'desk' } })).toEqual(replaced.body);
  });

  it('the list has the built-in pipelines, then the presets by name, page by page', async () => {
    const { client } = await service.createAccount();
    const list = (query = {}) => client.search.listPresets({ query });
    expect(await list()).toEqual({
      data: builtIn,
      pagination: { total: 3, limit: 20, offset: 0, has_more: false, next_cursor: null },
    });
    for (const name of ['b', 'a', 'B'])
      await client.search.putPreset({ params: { name }, body: {} });
    const names = async (query: object) => (await list(query)).data.map(({ name }) => name);
    const all = ['precise', 'balanced', 'broad', 'B', 'a', 'b'];
    expect(await names({})).toEqual(all);
    expect(await names({ limit: 2, offset: 3 })).toEqual(['B', 'a']);
    const page = (await list({ limit: 2, offset: 3 })).pagination;
    expect(page).toEqual({ total: 6, limit: 2, offset: 3, has_more: true, next_cursor: null });
    expect(await client.search.getPreset({ params: { name: 'broad' } })).toEqual(builtIn[2]);
  });

  it('DELETE answers 204, and searches know the name no more', async () => {
    const { client } = await service.createAccount();
    await client.search.putPreset({ params: { name: 'desk' }, body: {} });
    await client.search.get({ query: { q: 'x', pipeline: 'desk' } });
    expect(await client.request(at('desk', 'DELETE'))).toMatchObject({ status: 204 });
    const gone = { status: 404, body: { error: { code: 'not_found' } } };
    expect(await client.request(at('desk', 'DELETE'))).toMatchObject(gone);
    expect(await client.request(at('desk'))).toMatchObject(gone);
    await expect(client.search.get({ query: { q: 'x', pipeline: 'desk' } })).rejects.toMatchObject({
      status: 422,
      fields: { pipeline: { code: 'invalid_enum_value', received: 'desk' } },
    });
  });

  it.each(['', 'turbo', 'Precise', '__proto__', 'constructor', 'a b', '%', "'"])(
    'an unknown pipeline is 422 with the names there are: %j',
    async (pipeline) => {
      const { client } = await service.createAccount();
      await client.search.putPreset({ params: { name: 'desk' }, body: {} });
      const message = 'must be one of precise, balanced, broad, desk';
      const code = 'invalid_enum_value';
      for (const find of [
        () => client.search.get({ query: { q: 'x', pipeline } }),
        () => client.search.post({ body: { q: 'x', pipeline } }),
        () => client.search.post({ body: { q: 'x', pipeline, limit: 1, threshold: 0 } }),
      ] as (() => Promise<unknown>)[]) {
        await expect(find()).rejects.toMatchObject({
          status: 422,
          code: 'validation_error',
          fields: { pipeline: { code, message, received: pipeline } },
        });
      }
    },
  );

  it('an unknown pipeline is told beside other faulty fields, a known one is not', async () => {
    const { client } = await service.createAccount();
    await client.search.putPreset({ params: { name: 'desk' }, body: {} });
    const faults = async (body: object) => {
      const { body: told } = await client.request({ method: 'POST', path: '/search', body });
      const { error } = told as { error: { details: { fields: Record<string, object> } } };
      return Object.keys(error.details.fields).sort();
    };
    expect(await faults({ limit: 0, pipeline: 'turbo' })).toEqual(['limit', 'pipeline', 'q']);
    expect(await faults({ limit: 0, pipeline: 'desk' })).toEqual(['limit', 'q']);
    expect(await faults({ pipeline: 5 })).toEqual(['pipeline', 'q']);
    expect(await faults({ pipeline: 'a\0' })).toEqual(['pipeline', 'q']);
    expect(await faults({ pipeline: 'x'.repeat(65) })).toEqual(['pipeline', 'q']);
  });

  it.each(builtIn.map(({ name }) => name))(
    '%s is neither replaced nor removed: 409',
    async (name) => {
      const { client } = await service.createAccount();
      const conflict = { status: 409, body: { error: { code: 'conflict', details: { name } } } };
      expect(await client.request(put(name, { limit: 1 }))).toMatchObject(conflict);
      expect(await client.request(at(name, 'DELETE'))).toMatchObject(conflict);
      expect((await client.search.listPresets()).data).toEqual(builtIn);
    },
  );

  it.each([
    ['limit is 0', { limit: 0 }, 'limit', 'invalid_range'],
    ['limit is 101', { limit: 101 }, 'limit', 'invalid_range'],
    ['limit is no integer', { limit: 1.5 }, 'limit', 'invalid_type'],
    ['limit is text', { limit: '5' }, 'limit', 'invalid_type'],
    ['threshold is over 1', { threshold: 1.01 }, 'threshold', 'invalid_range'],
    ['threshold is below 0', { threshold: -0.01 }, 'threshold', 'invalid_range'],
    ['a field is unknown', { offset: 3 }, 'offset', 'unknown_field'],
  ])('PUT refuses with the field and its code when %s', async (_when, body, field, code) => {
    const { client } = await service.createAccount();
    expect(await client.request(put('desk', body))).toMatchObject(refused(field, code));
    expect((await client.search.listPresets()).pagination.total).toBe(3);
  });

  it.each([
    ['x'.repeat(65), 'field_too_long'],
    ['-dash', 'invalid_format'],
    ['a b', 'invalid_format'],
    ['naïve', 'invalid_format'],
    ['a\0', 'invalid_characters'],
  ])('a name that is none is 422, also to read and to remove: %j', async (name, code) => {
    const { client } = await service.createAccount();
    for (const request of [put(name, {}), at(name), at(name, 'DELETE')]) {
      expect(await client.request(request)).toMatchObject(refused('name', code));
    }
  });

  it.each(['x'.repeat(64), 'Support-Desk_2.0', '7'])('takes the name %s', async (name) => {
    const { client } = await service.createAccount();
    expect((await client.request(put(name, {}))).status).toBe(201);
    expect((await client.search.get({ query: { q: 'x', pipeline: name } })).results).toEqual([]);
  });

  it('belongs to its account: another one has no such name, and may have its own', async () => {
    const [mine, other] = [await withNotes(), await withNotes()];
    await mine.client.search.putPreset({ params: { name: 'desk' }, body: { limit: 2 } });
    const find = (client: Client) =>
      client.search.get({ query: { q: 'gardening', pipeline: 'desk' } });
    await expect(find(other.client)).rejects.toMatchObject({ status: 422 });
    expect((await other.client.request(at('desk'))).status).toBe(404);
    expect((await other.client.request(at('desk', 'DELETE'))).status).toBe(404);
    await other.client.search.putPreset({ params: { name: 'desk' }, body: { limit: 4 } });
    expect((await find(mine.client)).results).toHaveLength(2);
    expect((await find(other.client)).results).toHaveLength(4);
  });

  it('is used by every key, changed only by one that is not limited to spaces', async () => {
    const { client } = await withNotes();
    const { id } = await client.spaces.create({ body: { name: 'own' } });
    await client.search.putPreset({ params: { name: 'desk' }, body: {} });
    const keyFor = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const limited = await keyFor([id]);
    expect((await limited.search.listPresets()).pagination.total).toBe(4);
    await limited.search.get({ query: { q: 'x', pipeline: 'desk' } });
    const denied = { status: 403, body: { error: { code: 'space_access_denied' } } };
    expect(await limited.request(put('desk', {}))).toMatchObject(denied);
    expect(await limited.request(at('desk', 'DELETE'))).toMatchObject(denied);
    const withDefault = await keyFor([id, 'default']);
    expect(await withDefault.request(put('desk', { limit: 1 }))).toMatchObject(denied);
  });

  it('reading needs search:read, changing search:write', async () => {
    const { client } = await service.createAccount();
    const body = { name: 'reads', scopes: ['search:read' as const] };
    const reading = service.client((await client.keys.create({ body })).key);
    expect((await reading.request(at('broad'))).status).toBe(200);
    for (const request of [put('desk', {}), at('desk', 'DELETE')]) {
      expect(await reading.request(request)).toMatchObject({
        status: 403,
        body: { error: { details: { required_scope: 'search:write' } } },
      });
    }
  });

  it('an account has at most 100 of its own, however many are made at once', async () => {
    const { client } = await service.createAccount();
    const make = (i: number) => client.request(put(`preset-${i}`, {}));
    for (let i = 0; i < 95; i += 1) expect((await make(i)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => make(95 + i)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(15).fill(403)]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      error: {
        code: 'quota_exceeded',
        details: { quota: 'search_presets', limit: 100, used: 100 },
      },
    });
    expect((await client.request(put('preset-0', { limit: 2 }))).status).toBe(200);
    expect((await client.search.listPresets()).pagination.total).toBe(103);
  });
});
