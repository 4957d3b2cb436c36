import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, idsOf, listEvents } from './memory-requests.ts';

const minuteMs = 60_000;

describe.each(engines)('POST /memories/erase on %s', (engine) => {
  let service: Service;
  let client: Client;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  type Filter = Parameters<Client['memories']['erase']>[0]['body']['filter'];
  const account = async (): Promise<void> => {
    client = (await service.createAccount()).client;
  };
  const dryRun = async (filter: Filter, by = client) => {
    const answer = await by.memories.erase({ body: { filter, dry_run: true } });
    if (!('token' in answer)) throw new Error('no dry run');
    return answer;
  };
  const run = async (filter: Filter, token: string, by = client) => {
    const answer = await by.memories.erase({ body: { filter, token } });
    if (!('job_id' in answer)) throw new Error('no job');
    const params = { id: answer.job_id };
    return eventually(
      () => {
        clock.advance(1_000);
        return by.jobs.get({ params });
      },
      ({ status }) => status === 'completed',
    );
  };
  const listed = async (by = client): Promise<string[]> =>
    idsOf((await by.memories.list({ query: { include_deleted: true, limit: 100 } })).data);

  it('counts first, then erases what matches for good, with a receipt', async () => {
    await account();
    const drafts = await client.memories.bulkCreate({
      body: {
        memories: Array.from({ length: 30 }, (_, i) => ({
          content: `draft ${i}`,
          tags: ['draft'],
        })),
      },
    });
    const [soft = '', deleted = '', hard = ''] = idsOf(drafts.memories);
    const { id: other } = await createMemory(client, 'final');
    const protect = (id: string, protection_level: 'soft' | 'hard') =>
      client.memories.protect({ params: { id }, body: { protection_level } });
    await protect(soft, 'soft');
    await protect(hard, 'hard');
    await client.memories.remove({ params: { id: deleted }, query: { soft: true } });
    const filter = { tags: ['draft'] };
    const { token, ...counts } = await dryRun(filter);
    expect(counts).toMatchObject({ count: 29, hard_protected: 1 });
    expect(await listed()).toHaveLength(31);
    const job = await run(filter, token);
    expect(job.result).toEqual({ erased: 29, hard_protected: 1, mails: 0, uploads: 0 });
    expect((await listed()).toSorted()).toEqual([hard, other].toSorted());
    expect((await listEvents(client, 'memory.deleted')).length).toBe(30);
    expect((await client.account.get()).usage.memories).toBe(2);
  });

  it.each<[string, (space_id: string) => Filter, string[]]>([
    ['a space', (space_id) => ({ space_id }), ['in space']],
    ['the account level', () => ({ space_id: null }), ['tea', 'coffee']],
    ['metadata', () => ({ metadata: { by: 'Ana' } }), ['tea']],
    ['one of some tags', () => ({ tags_any: ['hot', 'x'] }), ['tea', 'coffee']],
    ['several conditions', () => ({ tags_any: ['hot'], min_priority: 3 }), ['coffee']],
    ['times', () => ({ occurred_before: '2025-06-01T00:00:00Z' }), ['tea']],
  ])('filters by %s', async (_what, filterOf, expected) => {
    await account();
    const { id: space_id } = await client.spaces.create({ body: { name: 's' } });
    const fields: Record<string, object> = {
      'in space': { space_id },
      tea: { tags: ['hot'], metadata: { by: 'Ana' }, occurred_at: '2025-01-01T00:00:00Z' },
      coffee: { tags: ['hot'], priority: 4 },
    };
    const made = new Map<string, string>();
    for (const [content, more] of Object.entries(fields))
      made.set(content, (await createMemory(client, content, more)).id);
    const filter = filterOf(space_id);
    const { token, count } = await dryRun(filter);
    expect(count).toBe(expected.length);
    await run(filter, token);
    const left = [...made].filter(([content]) => !expected.includes(content)).map(([, id]) => id);
    expect((await listed()).toSorted()).toEqual(left.toSorted());
  });

  it('takes a token for ten minutes, for its filter and account alone', async () => {
    await account();
    const { id } = await createMemory(client, 'x', { tags: ['a', 'b'] });
    const filter = { ids: [id] };
    const { token } = await dryRun(filter);
    const conflict = { status: 409, code: 'conflict' };
    const attempt = (body: { filter: Filter; token: string }, by = client) =>
      expectError(by.memories.erase({ body }));
    expect(await attempt({ filter: { tags: ['a'] }, token })).toMatchObject(conflict);
    expect(await attempt({ filter, token: `x${token}` })).toMatchObject(conflict);
    expect(await attempt({ filter, token: 'W10' })).toMatchObject(conflict);
    const other = (await service.createAccount()).client;
    expect(await attempt({ filter, token }, other)).toMatchObject(conflict);
    clock.advance(10 * minuteMs);
    expect(await attempt({ filter, token })).toMatchObject(conflict);
    expect(await listed()).toEqual([id]);
  });

  it('refuses a run where more match than were counted', async () => {
    await account();
    await createMemory(client, 'one', { tags: ['a'] });
    const filter = { tags: ['a'] };
    const { token } = await dryRun(filter);
    await createMemory(client, 'two', { tags: ['a'] });
    const { status, details } = await expectError(
      client.memories.erase({ body: { filter, token } }),
    );
    expect([status, details]).toEqual([409, { counted: 1, count: 2 }]);
    expect(await listed()).toHaveLength(2);
  });

  it.each<[string, object, string]>([
    ['no condition', { filter: {}, dry_run: true }, 'filter'],
    ['no token', { filter: { tags: ['a'] } }, 'token'],
    ['an unknown condition', { filter: { tags: ['a'], tag: 'a' }, dry_run: true }, 'filter.tag'],
    ['no filter', { dry_run: true }, 'filter'],
    ['a wrong id', { filter: { ids: ['x'] }, dry_run: true }, 'filter.ids.0'],
  ])('refuses %s, naming the field', async (_what, body, field) => {
    await account();
    const { status, fields } = await expectError(client.memories.erase({ body: body as never }));
    expect([status, Object.keys(fields)]).toEqual([422, [field]]);
  });

  it('reaches only the spaces of the key', async () => {
    await account();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    await createMemory(client, 'mine', { space_id, tags: ['a'] });
    const { id: elsewhere } = await createMemory(client, 'elsewhere', { tags: ['a'] });
    const { key } = await client.keys.create({ body: { name: 'own', space_ids: [space_id] } });
    const limited = service.client(key);
    const filter = { tags: ['a'] };
    const { token, count } = await dryRun(filter, limited);
    expect(count).toBe(1);
    await run(filter, token, limited);
    expect(await listed()).toEqual([elsewhere]);
    const refused = [
      [{ space_id: absentId }, 404, 'space_not_found'],
      [{ space_id: null }, 403, 'space_access_denied'],
    ] as const;
    for (const [wrong, status, code] of refused) {
      const body = { filter: wrong, dry_run: true };
      expect(await expectError(limited.memories.erase({ body }))).toMatchObject({ status, code });
    }
  });
});
