import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from './memory-requests.ts';

/** With the shipped classifier. */
describe.each(engines)('possible updates of a create on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const munich = 'I live in Munich.';
  const berlin = 'I have moved to Berlin and no longer live in Munich.';

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

  it('supersedes at once what is certain, where the caller says apply', async () => {
    const { client } = await service.createAccount();
    const older = await client.memories.create({ body: { content: munich } });
    const body = { content: berlin, detect_updates: 'apply' } as const;
    const newer = await client.memories.create({ body });
    const [update] = newer.possible_updates;
    expect(update?.memory_id).toBe(older.id);
    expect(update?.applied).toBe((update?.confidence ?? 0) >= 0.9);
    const { outdated_by: by } = await client.memories.get({ params: { id: older.id } });
    expect(by).toBe(update?.applied ? newer.id : null);
  });
});
