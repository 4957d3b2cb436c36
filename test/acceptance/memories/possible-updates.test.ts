import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { scriptedLanguage } from '../knowledge/scripted-extraction.ts';
import { runVerification } from '../verify/run-verification.ts';
import { listEvents } from './memory-requests.ts';

const munich = 'I live in Munich.';
const berlin = 'I have moved to Berlin and no longer live in Munich.';

/** With the shipped classifier. */
describe.each(engines)('possible updates of a create on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('names what a text with words of change outdates, in the answer of its create', async () => {
    const { client } = await service.createAccount();
    const older = await client.memories.create({ body: { content: munich } });
    expect(older.possible_updates).toEqual([]);
    await client.memories.create({ body: { content: 'The kettle is blue.' } });
    const newer = await client.memories.create({ body: { content: berlin } });
    expect(newer.possible_updates).toEqual([
      { memory_id: older.id, confidence: expect.any(Number), reason: 'replaced', applied: false },
    ]);
    const { data } = await client.memories.suggestions({ params: { id: older.id } });
    expect(data).toMatchObject([{ newer_id: newer.id, older_id: older.id, status: 'open' }]);
    expect(await listEvents(client, 'memory.superseded')).toEqual([]);
    const other = { content: `${berlin} Really.`, user_id: 'ana' };
    expect((await client.memories.create({ body: other })).possible_updates).toEqual([]);
  });
});

/** Where all that is near is outdated for certain. */
describe.each(engines)('certain updates of a create on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const language = {
      ...scriptedLanguage,
      outdatedAtOnce: (_: string, older: readonly unknown[]) =>
        older.map((_, index) => ({ index, confidence: 0.95, reason: 'replaced' as const })),
    };
    service = await startService(engine, { overrides: { language } });
  });
  afterAll(() => service.stop());

  it('supersedes at once what is certain, where the caller says apply', async () => {
    const { client } = await service.createAccount();
    const older = await client.memories.create({ body: { content: munich } });
    const body = { content: berlin, detect_updates: 'apply' } as const;
    const newer = await client.memories.create({ body });
    expect(newer.possible_updates).toEqual([
      { memory_id: older.id, confidence: 0.95, reason: 'replaced', applied: true },
    ]);
    const { outdated_by: by } = await client.memories.get({ params: { id: older.id } });
    expect(by).toBe(newer.id);
    const { data } = await client.memories.suggestions({
      params: { id: older.id },
      query: { status: 'applied' },
    });
    expect(data).toMatchObject([{ newer_id: newer.id, older_id: older.id }]);
    const suggested = await client.memories.create({ body: { content: `${berlin} Really.` } });
    // The older one is outdated already.
    expect(suggested.possible_updates).toEqual([
      { memory_id: newer.id, confidence: 0.95, reason: 'replaced', applied: false },
    ]);
  });

  it('judges older memories as they are, not as they were compared before', async () => {
    const { client } = await service.createAccount();
    const createOlder = () =>
      client.memories.create({ body: { content: munich, allow_duplicate: true } });
    const [changed, isProtected, removed, kept] = [
      await createOlder(),
      await createOlder(),
      await createOlder(),
      await createOlder(),
    ];
    const compare = async (content: string) => {
      const { possible_updates: found } = await client.memories.create({ body: { content } });
      return found.map(({ memory_id: id }) => id).toSorted();
    };
    const all = [changed, isProtected, removed, kept].map(({ id }) => id);
    expect(await compare(berlin)).toEqual(all);
    const body = { content: 'The kettle is blue.' };
    await client.memories.update({ params: { id: changed.id }, body });
    await client.memories.protect({
      params: { id: isProtected.id },
      body: { protection_level: 'soft' },
    });
    await client.memories.remove({ params: { id: removed.id }, query: { soft: true } });
    const found = await compare(`${berlin} Really.`);
    expect(found).toContain(kept.id);
    expect(found.filter((id) => all.includes(id))).toEqual([kept.id]);
  });

  it('stores the memory alone where what is certain cannot be superseded', async () => {
    const { client } = await service.createAccount();
    const older = await client.memories.create({ body: { content: munich } });
    const newerIds = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const body = { content: `${berlin} It is ${i}.`, detect_updates: 'apply' } as const;
        const [created] = await Promise.all([
          client.memories.create({ body }),
          i === 0 ? client.memories.remove({ params: { id: older.id } }) : null,
        ]);
        return created.id;
      }),
    );
    const { data } = await client.memories.list();
    expect(data.map(({ id }) => id).toSorted()).toEqual(newerIds.toSorted());
  });
});

/** Where nothing can be compared. */
describe.each(engines)('a comparison that fails on %s', (engine) => {
  let service: Service;
  let fails = true;
  const failing = (): never => {
    throw new Error('nothing is compared');
  };
  beforeAll(async () => {
    const language = {
      ...scriptedLanguage,
      outdatedAtOnce: (_: string, older: readonly unknown[]) =>
        fails
          ? failing()
          : older.map((_, index) => ({ index, confidence: 0.8, reason: 'ended' as const })),
      outdated: async () => failing(),
    };
    service = await startService(engine, { overrides: { language } });
  });
  afterAll(() => service.stop());

  it('keeps no memory from being stored, and takes no suggestion back', async () => {
    const { id: account_id, client } = await service.createAccount();
    const older = await client.memories.create({ body: { content: munich } });
    const unjudged = await client.memories.create({ body: { content: `${berlin} Really.` } });
    expect(unjudged.possible_updates).toEqual([]);
    fails = false;
    const newer = await client.memories.create({ body: { content: berlin } });
    await service.running.context.extractionWorker.drain();
    const { data } = await client.memories.suggestions({ params: { id: older.id } });
    expect(data).toMatchObject([{ newer_id: newer.id, status: 'open' }]);
    // The document of the older one, by which searches rank, names the newer one.
    expect(await runVerification(service, { account_id })).toMatchObject({
      faults: [],
      outdated: 0,
    });
  });
});
