import { type ErasureKind, erasureKinds } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createErasableAccount, needle } from './erasable.ts';

const dayMs = 86_400_000;

describe.each(engines)('the ledger of erasures on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFakeClock();
    service = await startService(engine, { overrides: { clock, ...createFakeMedia() } });
  });
  afterAll(() => service.stop());

  const list = (query: object = {}) => service.operator().admin.listErasures({ query });
  async function listAll(query: object = {}) {
    const all: Awaited<ReturnType<typeof list>>['data'] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      all.push(...page.data);
      if (!page.has_more) return all;
      cursor = page.next_cursor ?? undefined;
    }
  }

  it('has each thing that is erased for good, once, with its time and nothing else', async () => {
    const { id: accountId, erasable, sessionMemoryIds } = await createErasableAccount(service);
    const expected: { kind: ErasureKind; id: string; erased_at: string }[] = [];
    for (const { kind, id, erase } of erasable) {
      clock.advance(60_000);
      const before = clock.now();
      await erase();
      const [newest] = (await list({ limit: 3 })).data.filter((row) => row.kind === kind);
      expect(newest).toEqual({
        kind,
        id,
        account_id: kind === 'account' ? id : accountId,
        erased_at: expect.any(String),
      });
      const erasedAt = Date.parse(newest?.erased_at ?? '');
      expect(erasedAt - before.getTime()).toBeGreaterThanOrEqual(0);
      expect(erasedAt).toBeLessThanOrEqual(clock.now().getTime());
      expected.push({ kind, id, erased_at: newest?.erased_at ?? '' });
    }
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(erasureKinds));
    const own = await listAll({ account_id: accountId, limit: 4 });
    const ofOwn = expected.filter(({ kind }) => kind !== 'account');
    expect(own.map(({ id }) => id).toSorted()).toEqual(
      [...ofOwn.map(({ id }) => id), ...sessionMemoryIds].toSorted(),
    );
    const times = own.map(({ erased_at: at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(JSON.stringify(own)).not.toContain(needle);
    await service.running.context.worker.drain();
    expect(await listAll({ account_id: accountId, limit: 4 })).toEqual(own);
  });

  it('outlives the account whose erasures it has', async () => {
    const { id, client } = await service.createAccount();
    const memory = await client.memories.create({ body: { content: 'soon gone' } });
    await client.memories.remove({ params: { id: memory.id } });
    const query = { confirm: true };
    await service.operator().admin.deleteAccount({ params: { id }, query });
    await service.running.context.worker.drain();
    const kept = await listAll({ account_id: id });
    expect(kept.map((row) => [row.kind, row.id])).toEqual([
      ['account', id],
      ['memory', memory.id],
    ]);
  });

  it('has nothing of what was not erased: softly deleted, or refused', async () => {
    const { id, client } = await service.createAccount();
    const space = await client.spaces.create({ body: { name: 'full' } });
    const body = { content: 'guarded', space_id: space.id, protection_level: 'hard' as const };
    const guarded = await client.memories.create({ body });
    const soft = await client.memories.create({ body: { content: 'soft' } });
    await client.memories.remove({ params: { id: soft.id }, query: { soft: true } });
    await expect(client.memories.remove({ params: { id: guarded.id } })).rejects.toThrow();
    await expect(client.spaces.remove({ params: { id: space.id } })).rejects.toThrow();
    expect(await listAll({ account_id: id })).toEqual([]);
  });

  it('is the operator’s, and takes a cursor of its own list only', async () => {
    const { id, client } = await service.createAccount();
    const path = '/admin/erasures';
    expect(await client.request({ method: 'GET', path })).toMatchObject({ status: 403 });
    const operator = service.operator();
    const { next_cursor: cursor } = await list({ limit: 1 });
    for (const query of [{ cursor: 'abc' }, { cursor: cursor ?? '', account_id: id }]) {
      expect(await operator.request({ method: 'GET', path, query })).toMatchObject({ status: 400 });
    }
    for (const query of [{ limit: 0 }, { kind: 'memory' }]) {
      expect(await operator.request({ method: 'GET', path, query })).toMatchObject({ status: 422 });
    }
  });

  it('is kept for two years', async () => {
    const { id, client } = await service.createAccount();
    const memory = await client.memories.create({ body: { content: 'long ago' } });
    await client.memories.remove({ params: { id: memory.id } });
    clock.advance(729 * dayMs);
    await service.running.context.worker.drain();
    expect(await listAll({ account_id: id })).toHaveLength(1);
    clock.advance(2 * dayMs);
    await service.running.context.worker.drain();
    expect(await listAll({ account_id: id })).toEqual([]);
  });
});
