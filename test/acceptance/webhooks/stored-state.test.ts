import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../packages/server/src/database/index.ts';
import { countBlockedBy } from '../../support/blocked-transactions.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import { createWebhook, defaultSettings, patchWebhook } from './webhook-requests.ts';

interface Row {
  readonly text: string;
  readonly secret: Uint8Array;
  readonly previous_secret: Uint8Array | null;
  readonly previous_secret_expires_at: Date | null;
  readonly headers: Uint8Array;
  readonly cursor: number;
}

describe.each(engines)('what is kept of a webhook on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  async function rowOf(id: string): Promise<Row> {
    const { rows } = await sql<Row>`
      select webhooks::text as text, secret, previous_secret, previous_secret_expires_at, headers,
        cursor
      from webhooks where id = ${id}::uuid`.execute(service.running.context.app.engine.db);
    if (!rows[0]) throw new Error('The webhook is gone.');
    return rows[0];
  }

  /** In any spelling that the database could hold it in. */
  const spellings = (text: string): string[] => {
    const bytes = Buffer.from(text);
    return [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  };

  it('neither secrets nor header values can be read in the database', async () => {
    const { client } = await service.createAccount();
    const secret = 'the first secret of all';
    const { id } = await createWebhook(client, { secret, headers: { 'x-key': 'header-value-1' } });
    const { secret: second } = await client.webhooks.update({
      params: { webhookId: id },
      body: { rotate_secret: true, headers: { 'x-key': 'header-value-2' } },
    });
    const { text } = await rowOf(id);
    expect(text).toContain('x-key');
    for (const hidden of [secret, second, 'header-value-1', 'header-value-2']) {
      for (const spelled of spellings(hidden)) expect(text).not.toContain(spelled);
    }
  });

  it('a replay of the answer with the secret leaves it unreadable in the database', async () => {
    const { client } = await service.createAccount();
    const headers = { 'idempotency-key': 'once' };
    const send = () =>
      client.request({ method: 'POST', path: '/webhooks', headers, body: defaultSettings });
    const { secret } = (await send()).body as { secret: string };
    expect((await send()).body).toMatchObject({ secret });
    const { rows } = await sql<{ text: string }>`
      select idempotency::text as text from idempotency`.execute(
      service.running.context.app.engine.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  it('neither the log nor the audit log tells a secret, a header value or a URL', async () => {
    const { client } = await service.createAccount();
    const url = 'https://hooks.example.com/token-in-the-path';
    const secret = 'a secret that nobody logs';
    const { id } = await createWebhook(client, {
      url,
      secret,
      headers: { 'x-key': 'header-value-3' },
    });
    const change = { secret: 'another that nobody logs', headers: { 'x-key': 'header-value-4' } };
    await patchWebhook(client, id, change);
    await client.webhooks.remove({ params: { webhookId: id } });
    const { data } = await client.account.audit({ query: { limit: 100 } });
    const told = [...service.logLines, JSON.stringify(data)].join('\n');
    for (const hidden of ['token-in-the-path', 'nobody logs', 'header-value']) {
      expect(told).not.toContain(hidden);
    }
  });

  it('the audit log tells who made, changed and removed it', async () => {
    const { id: account_id, client } = await service.createAccount();
    const { id } = await createWebhook(client, { name: 'mine' });
    await patchWebhook(client, id, { rotate_secret: true, headers: { a: 'b' }, is_active: false });
    await patchWebhook(client, id, {});
    await client.webhooks.bulkDelete({ body: { ids: [id] } });
    const { data } = await client.account.audit({ query: { limit: 3 } });
    const common = { target_id: id, actor: { account_id } };
    const host = 'hooks.example.com';
    expect(data).toMatchObject([
      { ...common, action: 'webhook.deleted', details: { name: 'mine' } },
      {
        ...common,
        action: 'webhook.updated',
        details: { name: 'mine', host, changes: ['headers', 'secret', 'is_active'] },
      },
      {
        ...common,
        action: 'webhook.created',
        details: { name: 'mine', host, events: ['memory.*'] },
      },
    ]);
  });

  it('the secret before the last change signs for 24 hours, and none before that one', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { secret: 'the first secret' });
    const first = await rowOf(id);
    expect(first).toMatchObject({ previous_secret: null, previous_secret_expires_at: null });
    const begun = clock.now().getTime();
    await patchWebhook(client, id, { secret: 'the second secret' });
    const second = await rowOf(id);
    expect(second.previous_secret).toEqual(first.secret);
    const keptMs = (second.previous_secret_expires_at?.getTime() ?? 0) - begun;
    expect(keptMs).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(keptMs).toBeLessThan(24 * 3_600_000 + 10_000);
    await patchWebhook(client, id, { secret: 'the second secret', name: 'same secret' });
    expect((await rowOf(id)).previous_secret_expires_at).toEqual(second.previous_secret_expires_at);
    await patchWebhook(client, id, { rotate_secret: true });
    expect((await rowOf(id)).previous_secret).toEqual(second.secret);
  });

  it('it is told of what comes after it: from the newest position on', async () => {
    const { id: accountId, client } = await service.createAccount();
    const { db } = service.running.context.app.engine;
    await client.memories.create({ body: { content: 'one' } });
    await client.memories.create({ body: { content: 'two' } });
    const position = await newestOf(accountId, db);
    const { webhooks } = await client.webhooks.bulkCreate({
      body: { webhooks: [defaultSettings, defaultSettings] },
    });
    for (const { id } of webhooks) expect((await rowOf(id)).cursor).toBe(position);
    expect(position).toBeGreaterThan(0);
    expect(await newestOf(accountId, db)).toBe(position);
  });

  it('what happens while it is switched off waits for it', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { is_active: false, events: ['cluster.*'] });
    const { cursor: first } = await rowOf(id);
    await client.memories.create({ body: { content: 'meanwhile' } });
    await patchWebhook(client, id, { description: 'still off' });
    expect((await rowOf(id)).cursor).toBe(first);
  });
});

/** The embedded database has one connection: nobody waits inside of it. */
describe.each(engines.filter((one) => one === serverEngine))('a webhook made on %s', (engine) => {
  it('is told of nothing that a writer commits before it, though it began first', async () => {
    const service = await startService(engine);
    try {
      const { id: accountId, client } = await service.createAccount();
      const { engine: open } = service.running.context.app;
      const { made, position } = await open.transaction(async (tx) => {
        await sql`update account_positions set position = position + 5
          where account_id = ${accountId}::uuid`.execute(tx);
        const making = createWebhook(client);
        await eventually(
          () => countBlockedBy(tx),
          (count) => count > 0,
        );
        return { made: { making }, position: await newestOf(accountId, tx) };
      });
      const { id } = await made.making;
      const { rows } = await sql<{ cursor: number }>`
        select cursor from webhooks where id = ${id}::uuid`.execute(open.db);
      expect(rows).toEqual([{ cursor: position }]);
    } finally {
      await service.stop();
    }
  });
});

async function newestOf(accountId: string, db: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select position from account_positions where account_id = ${accountId}::uuid`.execute(db);
  return rows[0]?.position ?? 0;
}
