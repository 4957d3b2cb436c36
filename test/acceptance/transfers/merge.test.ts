import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { countsOf, exportBytes, importBytes } from './transfer.ts';

const create = (client: Client, content: string, more: object = {}) =>
  client.memories.create({ body: { content, ...more } });

describe.each(engines)('an import on %s', (engine) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const newAccounts = async () => {
    const [source, target] = [await service.createAccount(), await service.createAccount()];
    return { source: source.client, target: target.client, targetId: target.id };
  };

  test('merges into an account: same content and same space are found', async () => {
    const { source, target } = await newAccounts();
    const [a, b] = [
      await source.spaces.create({ body: { name: 'Work' } }),
      await target.spaces.create({ body: { name: 'Work', description: 'mine' } }),
    ];
    const old = await create(source, 'Ana leads the team.', { space_id: a.id });
    const added = await create(source, 'Ben joined in May.', {
      space_id: a.id,
      supersedes: [old.id],
    });
    const own = await create(target, 'Ana leads the team.', { space_id: b.id, tags: ['kept'] });
    await service.running.context.extractionWorker.drain();

    const report = await importBytes(service, target, await exportBytes(source));

    expect(countsOf(report)).toMatchObject({
      spaces: { created: 0, unchanged: 1 },
      memories: { created: 1, skipped: 1 },
      relationships: { created: 1, skipped: 0 },
    });
    expect(report.skipped).toContainEqual({ kind: 'memories', id: old.id, reason: 'duplicate' });
    const { data } = await target.memories.list({ query: { space_id: b.id } });
    expect(data.map(({ content, tags }) => [content, tags]).toSorted()).toEqual([
      ['Ana leads the team.', ['kept']],
      ['Ben joined in May.', []],
    ]);
    const newer = data.find(({ content }) => content === added.content);
    expect((await target.memories.get({ params: { id: own.id } })).outdated_by).toBe(newer?.id);
    expect((await target.spaces.get({ params: { id: b.id } })).description).toBe('mine');
  });

  test('leaves out what would close a circle of memories that supersede each other', async () => {
    const { source, target } = await newAccounts();
    const [ana, ben] = ['Ana leads the team.', 'Ben leads the team.'];
    const older = await create(source, ana);
    await create(source, ben, { supersedes: [older.id] });
    const own = await create(target, ben);
    const newer = await create(target, ana, { supersedes: [own.id] });

    const report = await importBytes(service, target, await exportBytes(source));

    expect(countsOf(report).relationships).toMatchObject({ created: 0, skipped: 1 });
    expect(report.skipped).toContainEqual(
      expect.objectContaining({ kind: 'relationships', reason: 'limit_exceeded' }),
    );
    const outdatedBy = async (id: string) =>
      (await target.memories.get({ params: { id } })).outdated_by;
    expect(await outdatedBy(own.id)).toBe(newer.id);
    expect(await outdatedBy(newer.id)).toBeNull();
  });

  test('into the same account takes the later change of a memory', async () => {
    const { client } = await service.createAccount();
    const first = await create(client, 'The door code is 1234.');
    const second = await create(client, 'The bins go out on Monday.');
    const before = await exportBytes(client);
    await client.memories.update({
      params: { id: first.id },
      body: { content: 'No code any more.' },
    });
    const after = await exportBytes(client);

    const older = await importBytes(service, client, before);
    expect(countsOf(older).memories).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: 1 });
    expect(older.skipped).toEqual([{ kind: 'memories', id: first.id, reason: 'newer_in_account' }]);
    expect((await client.memories.get({ params: { id: first.id } })).content).toBe(
      'No code any more.',
    );

    const other = (await service.createAccount()).client;
    await importBytes(service, other, before);
    const newer = await importBytes(service, other, after);
    expect(countsOf(newer).memories).toEqual({ created: 0, updated: 1, unchanged: 1, skipped: 0 });
    const contents = (await other.memories.list()).data.map(({ content }) => content);
    expect(contents.toSorted()).toEqual(['No code any more.', second.content]);
    const { data: found } = await other.search.post({ body: { q: 'No code any more' } });
    expect(found[0]).toMatchObject({ content: 'No code any more.' });
  });

  test('leaves a memory unchanged that differs in its times only', async () => {
    const { client } = await service.createAccount();
    const { id } = await create(client, 'Ana keeps bees.', { tags: ['t'.repeat(255)] });
    const archive = await exportBytes(client);
    await client.memories.update({ params: { id }, body: { priority: 3 } });
    await client.memories.update({ params: { id }, body: { priority: 0 } });
    const before = await client.memories.get({ params: { id } });
    const [older, newer] = [archive, await exportBytes(client)];
    expect(countsOf(await importBytes(service, client, older)).memories).toMatchObject({
      unchanged: 1,
      skipped: 0,
    });
    const other = (await service.createAccount()).client;
    await importBytes(service, other, older);
    expect(countsOf(await importBytes(service, other, newer)).memories).toMatchObject({
      updated: 0,
      unchanged: 1,
    });
    const after = await client.memories.get({ params: { id } });
    expect(after.updated_at).toBe(before.updated_at);
  });

  test('does not bring back what was erased in the account', async () => {
    const { client } = await service.createAccount();
    const { id } = await create(client, 'A secret.');
    const archive = await exportBytes(client);
    await client.memories.remove({ params: { id } });

    const report = await importBytes(service, client, archive);
    expect(report.skipped).toEqual([{ kind: 'memories', id, reason: 'erased_in_account' }]);
    await expect(client.memories.get({ params: { id } })).rejects.toMatchObject({ status: 404 });
  });

  test('applies erasures and soft deletes only with apply_deletions', async () => {
    const { source, target } = await newAccounts();
    const erased = await create(source, 'Erased later.');
    const trashed = await create(source, 'Trashed later.');
    const changed = await create(source, 'Changed in the target.');
    await importBytes(service, target, await exportBytes(source));
    for (const { id } of [erased, changed]) await source.memories.remove({ params: { id } });
    await source.memories.remove({ params: { id: trashed.id }, query: { soft: true } });
    const archive = await exportBytes(source);
    const mine = (await target.memories.list()).data.find(
      ({ content }) => content === changed.content,
    );
    await target.memories.update({ params: { id: mine?.id ?? '' }, body: { tags: ['mine'] } });

    const kept = await importBytes(service, target, archive);
    const reasons = (report: typeof kept) =>
      Object.fromEntries(report.skipped.map(({ id, reason }) => [id, reason]));
    expect(reasons(kept)).toEqual({
      [trashed.id]: 'deletion_not_applied',
      [erased.id]: 'deletion_not_applied',
      [changed.id]: 'deletion_not_applied',
    });
    expect((await target.memories.list()).data).toHaveLength(3);

    const dry = await importBytes(service, target, archive, {
      apply_deletions: true,
      dry_run: true,
    });
    expect((await target.memories.list()).data).toHaveLength(3);
    const applied = await importBytes(service, target, archive, { apply_deletions: true });
    expect(countsOf(dry)).toEqual(countsOf(applied));
    expect(countsOf(applied).tombstones).toMatchObject({ updated: 1, skipped: 1 });
    expect(reasons(applied)).toEqual({ [changed.id]: 'newer_in_account' });
    const left = (await target.memories.list()).data.map(({ content }) => content);
    expect(left).toEqual(['Changed in the target.']);
  });

  test('maps spaces and owners', async () => {
    const { source, target } = await newAccounts();
    const work = await source.spaces.create({ body: { name: 'Work' } });
    const travel = await target.spaces.create({ body: { name: 'Travel' } });
    await create(source, 'I fly to Oslo.', { space_id: work.id, user_id: 'alice', run_id: 'r1' });
    await create(source, 'I like fjords.', { user_id: 'alice', agent_id: 'bot' });
    await service.running.context.extractionWorker.drain();

    await importBytes(service, target, await exportBytes(source), {
      map_spaces: JSON.stringify({ Work: 'Travel', default: 'Travel' }),
      map_users: JSON.stringify({ alice: 'bob' }),
      map_agents: JSON.stringify({ bot: 'robot' }),
    });

    expect((await target.spaces.list()).data.map(({ name }) => name)).toEqual(['Travel']);
    const { data } = await target.memories.list({ query: { user_id: 'bob' } });
    expect(
      data
        .map(({ content, space_id, agent_id, run_id }) => [content, space_id, agent_id, run_id])
        .toSorted(),
    ).toEqual([
      ['I fly to Oslo.', travel.id, null, 'r1'],
      ['I like fjords.', travel.id, 'robot', null],
    ]);
    const { data: people } = await target.knowledge.entities({ query: { type: 'person' } });
    expect(people.map(({ name }) => name)).not.toContain('alice');
  });

  test('a dry run reports the same counts and stores nothing', async () => {
    const { source, target } = await newAccounts();
    const space = await source.spaces.create({ body: { name: 'Lab' } });
    for (let i = 0; i < 5; i += 1)
      await create(source, `Note ${i} of Ana Ruiz.`, { space_id: space.id });
    await service.running.context.extractionWorker.drain();
    const archive = await exportBytes(source);

    const dry = await importBytes(service, target, archive, { dry_run: true });
    expect(dry).toMatchObject({ status: 'completed', dry_run: true });
    expect((await target.memories.list()).data).toEqual([]);
    expect((await target.spaces.list()).data).toEqual([]);
    expect((await target.events.list()).data).toEqual([]);
    const real = await importBytes(service, target, archive);
    expect(countsOf(dry)).toEqual(countsOf(real));
  });

  test('stays within the quotas, and a later import continues', async () => {
    const { source } = await newAccounts();
    for (let i = 0; i < 6; i += 1) await create(source, `Quota note ${i}.`);
    const target = await service.createAccount();
    await service.operator().admin.updateAccount({
      params: { id: target.id },
      body: { settings: { daily_memory_limit: 4 } } as never,
    });
    const archive = await exportBytes(source);

    const dry = await importBytes(service, target.client, archive, { dry_run: true });
    const first = await importBytes(service, target.client, archive);
    expect(countsOf(dry)).toEqual(countsOf(first));
    expect(countsOf(first).memories).toEqual({ created: 4, updated: 0, unchanged: 0, skipped: 2 });
    expect(first.reasons).toEqual([{ kind: 'memories', reason: 'daily_limit_exceeded', count: 2 }]);
    await service.operator().admin.updateAccount({
      params: { id: target.id },
      body: { settings: { daily_memory_limit: null } } as never,
    });
    const second = await importBytes(service, target.client, archive);
    expect(countsOf(second).memories).toEqual({ created: 2, updated: 0, unchanged: 4, skipped: 0 });
  });

  test('publishes one event for each batch and one at the end', async () => {
    const { source, target } = await newAccounts();
    await source.memories.bulkCreate({
      body: { memories: Array.from({ length: 90 }, (_, i) => ({ content: `Event note ${i}` })) },
    });
    await service.running.context.extractionWorker.drain();
    const { id } = await importBytes(service, target, await exportBytes(source));

    const { data } = await target.events.list({ query: { limit: 100 } });
    const stored = data.filter(({ type }) => type === 'import.batch_stored');
    expect(stored.map((event) => event.data)).toContainEqual({
      import_id: id,
      kind: 'memories',
      created: 90,
      updated: 0,
    });
    const types = new Set(data.map(({ type }) => type));
    expect(types.has('memory.created')).toBe(false);
    expect(data.filter(({ type }) => type === 'import.completed')).toHaveLength(1);
  });

  test('extracts what memories state if the archive does not have it', async () => {
    const { source, target } = await newAccounts();
    await create(source, 'Maria Lopez works at Initech.');
    await importBytes(service, target, await exportBytes(source));
    await service.running.context.worker.drain();
    const { data } = await target.knowledge.entities();
    expect(data.map(({ name }) => name)).toContain('Maria Lopez');
  });
});
