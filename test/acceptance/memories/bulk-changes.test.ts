import type { BulkAction, BulkChange, Client, StartBulkChange } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory, expectError, listEvents } from './memory-requests.ts';

const isOver = ({ status }: BulkChange): boolean =>
  ['completed', 'undone', 'failed'].includes(status);

describe.each(engines)('changes of all memories that match a filter on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const get = (client: Client, id: string) => client.memories.get({ params: { id } });
  const count = (client: Client, body: Omit<StartBulkChange, 'count_only'>) =>
    client.memories.startChange({ body: { ...body, count_only: true } });
  const wait = (client: Client, id: string): Promise<BulkChange> =>
    eventually(() => client.memories.getChange({ params: { changeId: id } }), isOver);
  const change = async (
    client: Client,
    action: BulkAction,
    rest: Partial<StartBulkChange> = {},
  ): Promise<BulkChange> => {
    const body = { filter: {}, ...rest, action };
    const started = await client.memories.startChange({ body });
    return wait(client, 'id' in started ? started.id : '');
  };
  const undo = async (client: Client, { id }: BulkChange): Promise<BulkChange> => {
    await client.memories.undoChange({ params: { changeId: id } });
    return wait(client, id);
  };

  /** Four memories, of which one is soft-protected and one hard-protected. */
  async function scene() {
    const { client } = await service.createAccount();
    const space_id = (await client.spaces.create({ body: { name: 'desk' } })).id;
    const plain = await createMemory(client, 'One.', { tags: ['a', 'old'] });
    const placed = await createMemory(client, 'Two.', { tags: ['a'], space_id });
    const soft = await createMemory(client, 'Three.', { tags: ['a'], protection_level: 'soft' });
    const hard = await createMemory(client, 'Four.', { tags: ['a'], protection_level: 'hard' });
    const other = await createMemory(client, 'Five.', { tags: ['b'] });
    return { client, space_id, plain, placed, soft, hard, other };
  }

  it('are counted first on request, which changes nothing', async () => {
    const { client, plain } = await scene();
    const body = { filter: { tags: ['a'] }, action: { type: 'delete' as const } };
    expect(await count(client, body)).toEqual({ count: 4, soft_protected: 1, hard_protected: 1 });
    expect((await get(client, plain.id)).is_deleted).toBe(false);
    const few = client.memories.startChange({ body: { ...body, expected_count: 3 } });
    expect(await expectError(few)).toMatchObject({ code: 'conflict' });
  });

  it('tag what matches and is not protected, and undo restores the tags', async () => {
    const { client, plain, placed, soft, hard, other } = await scene();
    const action = { type: 'tag' as const, add: ['new'], remove: ['old'] };
    const done = await change(client, action, { filter: { tags: ['a'] } });
    expect(done).toMatchObject({
      status: 'completed',
      action,
      matched_count: 4,
      changed_count: 2,
      skipped_count: 2,
      undo_until: expect.any(String),
    });
    expect((await get(client, plain.id)).tags).toEqual(['a', 'new']);
    expect((await get(client, placed.id)).tags).toEqual(['a', 'new']);
    for (const { id, tags } of [soft, hard, other]) {
      expect((await get(client, id)).tags).toEqual(tags);
    }
    expect(await undo(client, done)).toMatchObject({
      status: 'undone',
      restored_count: 2,
      left_count: 0,
      undo_until: null,
      undone_at: expect.any(String),
    });
    expect((await get(client, plain.id)).tags).toEqual(['a', 'old']);
  });

  it.each([
    [{ type: 'pin' }, { is_pinned: true }],
    [{ type: 'protect', protection_level: 'hard' }, { protection_level: 'hard' }],
    [{ type: 'delete' }, { is_deleted: true }],
    [{ type: 'move', space_id: null }, { space_id: null }],
  ] as const)('do %j, with confirmation of soft protection, and undo it', async (action, after) => {
    const { client, space_id, placed, soft } = await scene();
    const done = await change(client, action, {
      filter: { ids: [placed.id, soft.id] },
      confirm: true,
    });
    expect(await get(client, placed.id)).toMatchObject(after);
    expect(await get(client, soft.id)).toMatchObject(after);
    const changed = action.type === 'move' ? 1 : 2;
    expect(await undo(client, done)).toMatchObject({ restored_count: changed, left_count: 0 });
    const { updated_at: _at, salience: _salience, ...before } = placed;
    expect(await get(client, placed.id)).toMatchObject({ ...before, space_id });
  });

  it('restore deleted memories, unless their content was stored again', async () => {
    const { client, plain, other } = await scene();
    await change(client, { type: 'delete' }, { filter: { ids: [plain.id, other.id] } });
    await createMemory(client, 'One.');
    expect(await count(client, { filter: {}, action: { type: 'restore' } })).toMatchObject({
      count: 2,
    });
    const done = await change(client, { type: 'restore' });
    expect(done).toMatchObject({ changed_count: 1, skipped_count: 1 });
    expect((await get(client, other.id)).is_deleted).toBe(false);
    await undo(client, done);
    expect((await get(client, other.id)).is_deleted).toBe(true);
  });

  it('leave alone in an undo what somebody changed or erased since', async () => {
    const { client, plain, placed, other } = await scene();
    const ids = [plain.id, placed.id, other.id];
    const done = await change(client, { type: 'tag', add: ['new'] }, { filter: { ids } });
    await client.memories.update({ params: { id: plain.id }, body: { tags: ['mine'] } });
    await client.memories.update({ params: { id: placed.id }, body: { priority: 9 } });
    await client.memories.remove({ params: { id: other.id } });
    expect(await undo(client, done)).toMatchObject({ restored_count: 1, left_count: 2 });
    expect((await get(client, plain.id)).tags).toEqual(['mine']);
    expect(await get(client, placed.id)).toMatchObject({ tags: ['a'], priority: 9 });
  });

  it('publish the event of each memory, and one of each step with its ids', async () => {
    const { client, plain, other } = await scene();
    const filter = { ids: [plain.id, other.id] };
    await change(client, { type: 'delete' }, { filter });
    const deleted = await listEvents(client, 'memory.deleted');
    expect(deleted.map(({ data }) => data.id).toSorted()).toEqual(filter.ids.toSorted());
    const bulk = await listEvents(client, 'memory.bulk_deleted');
    expect(bulk.map(({ data }) => data.count)).toEqual([2]);
  });

  it('are undone once', async () => {
    const { client } = await scene();
    const done = await change(client, { type: 'pin' });
    await undo(client, done);
    const again = client.memories.undoChange({ params: { changeId: done.id } });
    expect(await expectError(again)).toMatchObject({ code: 'conflict' });
  });

  it('stay within the spaces of a key and the memories of a user', async () => {
    const { client, space_id, plain, placed } = await scene();
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [space_id] } });
    const limited = service.client(key);
    expect(await change(limited, { type: 'pin' })).toMatchObject({ changed_count: 1 });
    expect((await get(client, placed.id)).is_pinned).toBe(true);
    expect((await get(client, plain.id)).is_pinned).toBe(false);
    const move = limited.memories.startChange({
      body: { filter: {}, action: { type: 'move', space_id: null } },
    });
    expect(await expectError(move)).toMatchObject({ code: 'space_access_denied' });
    const all = await change(client, { type: 'unpin' });
    const read = limited.memories.getChange({ params: { changeId: all.id } });
    expect(await expectError(read)).toMatchObject({ code: 'space_access_denied' });
    const own = await createMemory(client, 'Of Ana.', { user_id: 'ana' });
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const ana = service.client(token);
    const done = await change(ana, { type: 'tag', add: ['hers'] });
    expect(done).toMatchObject({ matched_count: 1, changed_count: 1 });
    expect((await get(client, own.id)).tags).toEqual(['hers']);
    const others = ana.memories.getChange({ params: { changeId: all.id } });
    expect(await expectError(others)).toMatchObject({ code: 'not_found' });
  });

  it('need rights, a known change and a complete action', async () => {
    const { client } = await scene();
    const body = { name: 'reader', scopes: ['memories:read' as const] };
    const reader = service.client((await client.keys.create({ body })).key);
    const start = { filter: {}, action: { type: 'pin' as const } };
    expect(await expectError(reader.memories.startChange({ body: start }))).toMatchObject({
      code: 'insufficient_permissions',
    });
    for (const changeId of [absentId, 'nothing']) {
      const read = client.memories.getChange({ params: { changeId } });
      expect(await expectError(read)).toMatchObject({ code: 'not_found' });
      const undone = client.memories.undoChange({ params: { changeId } });
      expect(await expectError(undone)).toMatchObject({ code: 'not_found' });
    }
    const { client: stranger } = await service.createAccount();
    const done = await change(client, { type: 'pin' });
    const read = stranger.memories.getChange({ params: { changeId: done.id } });
    expect(await expectError(read)).toMatchObject({ code: 'not_found' });
    for (const [action, field] of [
      [{ type: 'tag' }, 'action.add'],
      [{ type: 'move' }, 'action.space_id'],
      [{ type: 'protect' }, 'action.protection_level'],
      [{ type: 'pin', add: ['a'] }, 'action.add'],
      [{ type: 'burn' }, 'action.type'],
    ] as const) {
      const { status, body: answer } = await client.request({
        method: 'POST',
        path: '/bulk-changes',
        body: { filter: {}, action },
      });
      expect(status).toBe(422);
      const { error } = answer as { error: { details: { fields: object } } };
      expect(Object.keys(error.details.fields)).toEqual([field]);
    }
  });
});
