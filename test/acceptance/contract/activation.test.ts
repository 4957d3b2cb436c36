import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(engines)('An activation session on %s', (engine) => {
  let service: Service;
  let client: Client;
  let memoryId: string;
  let keyId: string;
  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    [{ id: keyId } = { id: '' }] = (await client.keys.list()).data;
    memoryId = (await client.memories.create({ body: { content: 'Ana prefers tea.' } })).id;
    await client.search.get({ query: { q: 'Ana prefers tea', session: 'chat-42' } });
  });
  afterAll(() => service.stop());

  it('has every published field, and nothing else', async () => {
    const [listed] = (await client.sessions.list()).data;
    const fields = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      session_key: 'chat-42',
      started_at: at,
      last_activity_at: at,
      last_active_at: at,
      memory_count: 1,
      is_closed: false,
      api_key_id: keyId,
    };
    expect(listed).toEqual(fields);
    const detail = await client.sessions.get({ params: { id: listed?.id ?? '' } });
    expect(detail).toEqual({ ...fields, id: listed?.id, memory_ids: [memoryId] });
  });

  it('is markdown where no format is named', async () => {
    const [{ id } = { id: '' }] = (await client.sessions.list()).data;
    const path = `/sessions/${id}/export`;
    const plain = await client.request({ method: 'GET', path });
    const named = await client.request({ method: 'GET', path, query: { format: 'markdown' } });
    expect(plain.headers.get('content-type')).toMatch(/^text\/markdown/);
    expect(plain.body).toBe(named.body);
    expect(plain.body).toContain('Ana prefers tea.');
  });
});
