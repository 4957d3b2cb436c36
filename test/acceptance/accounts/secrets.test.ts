import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('secrets on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const create = (apiKey: string, key: string) =>
    service.client(apiKey).request({
      method: 'POST',
      path: '/api-keys',
      headers: { 'idempotency-key': key },
      body: { name: 'agent' },
    });

  it('a replayed key creation shows the secret, and the database never holds it', async () => {
    const { key } = await service.createAccount();
    const first = await create(key, 'once');
    const again = await create(key, 'once');
    expect(first.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const { db } = service.running.context.app.engine;
    const { rows } = await sql<{ text: string }>`
      select idempotency::text as text from idempotency`.execute(db);
    const secret = (first.body as { key: string }).key;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text.includes(secret.split('_')[2] ?? ''))).toBe(false);
  });

  it('another key of the account cannot replay it', async () => {
    const { key, client } = await service.createAccount();
    const other = await client.keys.create({ body: { name: 'other' } });
    await create(key, 'mine');
    const replayed = await create(other.key, 'mine');
    expect(replayed).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } },
    });
  });
});
