import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import { createFrozenClock, createSession, getSession, minuteMs } from './session-requests.ts';

const smile = '\u{1f600}';
const wide = (characters: number): string => smile.repeat(characters);
const tagsOf = (count: number) => Array.from({ length: count }, (_, i) => `tag ${i}`);

describe.each(engines)('fields of a CLI session on %s', (engine) => {
  let service: Service;
  let account: Awaited<ReturnType<Service['createAccount']>>;
  let client: Client;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
    account = await service.createAccount();
    client = account.client;
  });
  afterAll(() => service.stop());

  const total = async () => (await client.cliSessions.list()).pagination.total;

  describe('POST /cli-sessions', () => {
    it('needs a name alone, and answers 201 with every field at its default', async () => {
      const body = { name: 'research' };
      const answer = await client.request({ method: 'POST', path: '/cli-sessions', body });
      const now = clock.now().toISOString();
      const [{ id: keyId } = { id: '' }] = (await client.keys.list()).data;
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        account_id: account.id,
        created_by: keyId,
        name: 'research',
        type: 'conversation',
        status: 'active',
        description: null,
        tags: [],
        space_id: null,
        origin_type: null,
        retention_policy: 'permanent',
        retention_days: null,
        is_private: false,
        summary: null,
        message_count: 0,
        memory_count: 0,
        metadata: {},
        created_at: now,
        updated_at: now,
        last_active_at: now,
        paused_at: null,
        completed_at: null,
        archived_at: null,
      });
      const { id } = answer.body as { id: string };
      expect(await getSession(client, id)).toEqual(answer.body);
      expect(await getSession(client, id.toUpperCase())).toEqual(answer.body);
    });

    it.each(['conversation', 'project', 'task', 'temporary'] as const)(
      'keeps everything that it is given, at its largest, for type %s',
      async (type) => {
        const space = await client.spaces.create({ body: { name: `for ${type}` } });
        const given = {
          name: wide(200),
          type,
          description: wide(1_000),
          space_id: space.id,
          origin_type: 'a label of ours',
          tags: [...tagsOf(9), wide(50)],
          retention_policy: 'auto_delete' as const,
          retention_days: 36_500,
          is_private: true,
          metadata: { a: { b: [1, null, smile] }, '': 'x'.repeat(16_000) },
        };
        const made = await createSession(client, given);
        expect(made).toMatchObject(given);
        expect(await getSession(client, made.id)).toEqual(made);
      },
    );

    it('takes null and "default" for account level, and null for what may be missing', async () => {
      const none = { description: null, origin_type: null, retention_days: null };
      for (const space of [null, 'default']) {
        const made = await createSession(client, { ...none, space_id: space });
        expect(made).toMatchObject({ ...none, space_id: null });
      }
    });

    it('keeps a tag that comes twice once, in the order given', async () => {
      expect((await createSession(client, { tags: ['b', 'a', 'b'] })).tags).toEqual(['b', 'a']);
    });

    it('refuses several faulty fields together with 422, and makes nothing', async () => {
      const before = await total();
      const fields = { name: 1, tags: [2], colour: 'red', status: 'paused' };
      const { status, fields: told } = await expectError(createSession(client, fields as never));
      expect([status, Object.keys(told).sort()]).toEqual([
        422,
        ['colour', 'name', 'status', 'tags.0'],
      ]);
      expect(await total()).toBe(before);
    });

    it('is 404 space_not_found for a space that there is not, or that is of another', async () => {
      const theirs = (await service.createAccount()).client;
      const { id } = await theirs.spaces.create({ body: { name: 'theirs' } });
      for (const space of [absentId, id]) {
        const refused = await expectError(createSession(client, { space_id: space }));
        expect([refused.status, refused.code]).toEqual([404, 'space_not_found']);
      }
    });

    it('has one effect for one Idempotency-Key, and replays its answer', async () => {
      const before = await total();
      const headers = { 'idempotency-key': 'begin once' };
      const request = { method: 'POST', path: '/cli-sessions', body: { name: 'once' }, headers };
      const first = await client.request(request);
      expect(first.status).toBe(201);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      const { id } = first.body as { id: string };
      await client.cliSessions.pause({ params: { id } });
      const again = await client.request(request);
      expect(again.status).toBe(201);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expect(await total()).toBe(before + 1);
      const other = await client.request({ ...request, body: { name: 'twice' } });
      expect(other).toMatchObject({ body: { error: { code: 'idempotency_key_reused' } } });
    });
  });

  describe('PATCH /cli-sessions/:id', () => {
    const patch = (id: string, body: object) => client.cliSessions.update({ params: { id }, body });

    it('changes what is given and nothing else, with updated_at', async () => {
      const before = await createSession(client, {
        description: 'old',
        tags: ['a'],
        origin_type: 'cli',
      });
      const changes = [
        { name: wide(200) },
        { description: wide(1_000) },
        { description: null },
        { tags: [...tagsOf(9), wide(50)] },
        { tags: [] },
        { is_private: true },
        { is_private: false },
        { summary: wide(10_000) },
        { summary: null },
        { retention_policy: 'temporary' },
        { retention_policy: 'on_completion' },
        { retention_policy: 'auto_delete', retention_days: 1 },
        { retention_days: 36_500 },
        { retention_policy: 'permanent', retention_days: null },
      ];
      let known = before;
      for (const change of changes) {
        clock.advance(minuteMs);
        const answer = await patch(before.id, change);
        known = { ...known, ...change, updated_at: clock.now().toISOString() } as typeof known;
        expect(answer).toEqual(known);
        expect(await getSession(client, before.id)).toEqual(known);
      }
    });

    it('merges metadata by RFC 7396, and replaces tags', async () => {
      const metadata = { keep: 1, drop: 2, deep: { a: 1, b: 2 }, list: [1, 2] };
      const { id } = await createSession(client, { metadata, tags: ['a', 'b'] });
      const change = { drop: null, deep: { b: null, c: { d: 3 } }, list: [9] };
      const after = await patch(id, { metadata: change, tags: ['c', 'c'] });
      expect(after.metadata).toEqual({ keep: 1, deep: { a: 1, c: { d: 3 } }, list: [9] });
      expect(after.tags).toEqual(['c']);
    });

    it('holds the merged metadata to 16 KB, however small each patch is', async () => {
      const { id } = await createSession(client, { metadata: { a: 'x'.repeat(9_000) } });
      const refused = await expectError(patch(id, { metadata: { b: 'x'.repeat(9_000) } }));
      expect(refused.status).toBe(422);
      expect(refused.fields).toMatchObject({ metadata: { code: 'field_too_long', max: 16_384 } });
      expect(Object.keys((await getSession(client, id)).metadata)).toEqual(['a']);
    });

    it('needs retention_days when it turns to auto_delete, unless there are some', async () => {
      const { id } = await createSession(client);
      const refusals = [
        { retention_policy: 'auto_delete' },
        { retention_policy: 'auto_delete', retention_days: null },
      ];
      for (const body of refusals) {
        const { status, fields } = await expectError(patch(id, body));
        expect(status).toBe(422);
        expect(fields).toMatchObject({ retention_days: { code: 'required' } });
      }
      expect(await getSession(client, id)).toMatchObject({ retention_policy: 'permanent' });
      await patch(id, { retention_days: 5 });
      const kept = { retention_policy: 'auto_delete' as const, retention_days: 5 };
      expect(await patch(id, { retention_policy: 'auto_delete' })).toMatchObject(kept);
      const { fields } = await expectError(patch(id, { retention_days: null }));
      expect(fields).toMatchObject({ retention_days: { code: 'required' } });
      expect(await getSession(client, id)).toMatchObject(kept);
    });

    it('refuses several faulty fields together with 422, and changes nothing', async () => {
      const session = await createSession(client);
      const { status, fields } = await expectError(patch(session.id, { name: '', type: 'task' }));
      expect([status, Object.keys(fields).sort()]).toEqual([422, ['name', 'type']]);
      expect(await getSession(client, session.id)).toEqual(session);
    });
  });

  describe('POST /cli-sessions/:id/complete', () => {
    it('takes a summary of up to 2,000 characters, or no body at all', async () => {
      const [first, second, third] = [
        await createSession(client),
        await createSession(client),
        await createSession(client),
      ];
      const complete = (id: string, body?: object) =>
        client.cliSessions.complete({ params: { id }, ...(body ? { body } : {}) });
      const summary = wide(2_000);
      expect((await complete(first.id, { summary })).summary).toBe(summary);
      expect((await complete(second.id)).summary).toBeNull();
      await client.cliSessions.update({ params: { id: third.id }, body: { summary: 'before' } });
      expect((await complete(third.id, {})).summary).toBe('before');
    });

    it.each([
      ['a summary has 2,001 characters', { summary: wide(2_001) }, 'summary', 'field_too_long'],
      ['a summary is null', { summary: null }, 'summary', 'invalid_type'],
      ['a field is unknown', { note: 'x' }, 'note', 'unknown_field'],
    ])('refuses with 422 when %s, and moves nothing', async (_when, body, field, code) => {
      const { id } = await createSession(client);
      const call = client.cliSessions.complete({ params: { id }, body: body as never });
      const { status, fields } = await expectError(call);
      expect([status, fields]).toEqual([422, { [field]: expect.objectContaining({ code }) }]);
      expect((await getSession(client, id)).status).toBe('active');
    });
  });
});
