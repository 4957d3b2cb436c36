import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createWebhook, patchWebhook } from './webhook-requests.ts';

describe.each(engines)('a webhook that is changed on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const read = (client: Client, webhookId: string) =>
    client.webhooks.get({ params: { webhookId } });

  it.each([
    { name: 'renamed' },
    { url: 'https://elsewhere.example.com/' },
    { events: ['space.*'] },
    { description: 'why' },
    { description: null },
    { max_retries: 0 },
    { retry_delay_seconds: 10 },
    { retry_schedule: 'short' },
    { payload_form: 'wrapped' },
    { signature_form: 'hex' },
    { filters: { tags: ['b'] } },
    { filters: {} },
    { space_id: null },
    { is_active: false },
  ])('takes %j, and leaves all else as it was', async (change) => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const { id } = await createWebhook(client, {
      description: 'first',
      filters: { tags: ['a'] },
      space_id,
    });
    const { updated_at: _, ...before } = await read(client, id);
    const answer = await patchWebhook(client, id, change);
    const activity = 'is_active' in change ? { enabled: false, status: 'paused' } : {};
    const after = { ...before, ...change, ...activity };
    expect(answer).toMatchObject({ status: 200, body: after });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(await read(client, id)).toEqual(answer.body);
  });

  it('is bound to another space, which has to be there', async () => {
    const { client } = await service.createAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'own' } });
    const { id } = await createWebhook(client);
    expect(await patchWebhook(client, id, { space_id })).toMatchObject({ body: { space_id } });
    for (const change of [{ space_id: absentId }, { filters: { space_ids: [absentId] } }]) {
      expect(await patchWebhook(client, id, change)).toMatchObject({
        status: 404,
        body: { error: 'space_not_found' },
      });
    }
    expect(await read(client, id)).toMatchObject({ space_id, filters: {} });
  });

  it('replaces its headers as a whole', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { headers: { a: '1', b: '2' } });
    const answer = await patchWebhook(client, id, { headers: { c: '3' } });
    expect(answer.body).toMatchObject({ headers: { c: '***' } });
    expect((await read(client, id)).headers).toEqual({ c: '***' });
  });

  it('that says what is so already stays as it was, ETag and all', async () => {
    const { client } = await service.createAccount();
    const filters = { min_priority: 3, metadata: { kind: 'a', by: 'b' }, tags: ['a'] };
    const made = await createWebhook(client, { secret: 'a secret of my own', filters });
    const { name, url, events, is_active } = made;
    const same = { name, url, events, filters, is_active, secret: 'a secret of my own' };
    for (const body of [same, {}]) {
      const answer = await patchWebhook(client, made.id, body);
      expect(answer.body).toEqual({ ...made, secret: '… own' });
      expect(answer.headers.get('etag')).toBe('"1"');
    }
  });

  it('may name in its filters a space that it named before, which is gone by now', async () => {
    const { client } = await service.createAccount();
    const { id: spaceId } = await client.spaces.create({ body: { name: 'own' } });
    const filters = { metadata: { kind: 'a' }, min_priority: 3, space_ids: [spaceId] };
    const { id } = await createWebhook(client, { filters });
    await client.spaces.remove({ params: { id: spaceId } });
    const answer = await patchWebhook(client, id, { filters, description: 'still there' });
    expect(answer).toMatchObject({ status: 200, body: { filters, description: 'still there' } });
  });

  it.each([
    [{ is_active: false }, { is_active: true }],
    [{ enabled: false }, { enabled: true }],
    [{ status: 'paused' }, { status: 'active' }],
  ])('is switched off by %j and on by %j', async (off, on) => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const paused = { is_active: false, enabled: false, status: 'paused', disabled_reason: null };
    expect((await patchWebhook(client, id, off)).body).toMatchObject(paused);
    const active = { is_active: true, enabled: true, status: 'active' };
    expect((await patchWebhook(client, id, on)).body).toMatchObject(active);
  });

  it('begins anew when it is switched on: no reason, no failures', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const { db } = service.running.context.app.engine;
    await sql`update webhooks set is_active = false, disabled_reason = 'six failures',
      failure_count = 6 where id = ${id}::uuid`.execute(db);
    const disabled = { is_active: false, disabled_reason: 'six failures', failure_count: 6 };
    expect(await read(client, id)).toMatchObject(disabled);
    expect((await patchWebhook(client, id, { description: 'still off' })).body).toMatchObject(
      disabled,
    );
    const answer = await patchWebhook(client, id, { enabled: true });
    const anew = { is_active: true, disabled_reason: null, failure_count: 0 };
    expect(answer.body).toMatchObject(anew);
  });

  it('shows a new secret in full once, given or made', async () => {
    const { client } = await service.createAccount();
    const { id, secret: first } = await createWebhook(client);
    const given = await patchWebhook(client, id, { secret: 'a new secret, quite long enough' });
    expect(given.body).toMatchObject({ secret: 'a new secret, quite long enough' });
    const made = (await patchWebhook(client, id, { rotate_secret: true })).body as {
      secret: string;
    };
    expect(made.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(made.secret).not.toBe(first);
    const { secret } = await read(client, id);
    expect(secret).toBe(`${made.secret.slice(0, 4)}…${made.secret.slice(-4)}`);
    const kept = (await patchWebhook(client, id, { rotate_secret: false, name: 'x' })).body;
    expect(kept).toMatchObject({ secret });
  });

  it('takes the secret that is given where one is to be made, too', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const body = { secret: 'a new secret of mine', rotate_secret: true };
    expect((await patchWebhook(client, id, body)).body).toMatchObject({ secret: body.secret });
  });

  it('has its own name or one that is free: 409 conflict otherwise', async () => {
    const { client } = await service.createAccount();
    await createWebhook(client, { name: 'taken' });
    const { id } = await createWebhook(client, { name: 'mine' });
    expect(await patchWebhook(client, id, { name: 'taken', description: 'x' })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'A webhook with the name taken already exists.' },
    });
    expect(await read(client, id)).toMatchObject({ name: 'mine', description: null });
    expect((await patchWebhook(client, id, { name: 'mine' })).status).toBe(200);
  });

  it('is changed under If-Match alone where the ETag is still its own: else 412', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const first = { 'if-match': '"1"' };
    expect((await patchWebhook(client, id, { name: 'a' }, first)).status).toBe(200);
    for (const path of ['PATCH', 'DELETE']) {
      const answer = await client.request({
        method: path,
        path: `/webhooks/${id}`,
        headers: first,
        body: path === 'PATCH' ? { name: 'b' } : undefined,
      });
      expect(answer).toMatchObject({ status: 412, body: { error: 'precondition_failed' } });
    }
    expect((await read(client, id)).name).toBe('a');
    for (const header of ['"1", "2"', 'W/"3"', '*']) {
      const answer = await patchWebhook(client, id, { name: header }, { 'if-match': header });
      expect(answer.status).toBe(200);
    }
  });

  it('loses none of two changes at the same time', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    await Promise.all([
      patchWebhook(client, id, { name: 'new' }),
      patchWebhook(client, id, { max_retries: 9 }),
    ]);
    expect(await read(client, id)).toMatchObject({ name: 'new', max_retries: 9 });
  });

  it.each([
    [{ url: 'http://example.com' }, 'bad_request', /^url must be an absolute https URL$/],
    [{ url: 'https://a:b@example.com' }, 'bad_request', /^url must have no credentials/],
    [{ url: 'http://a', max_retries: 11 }, 'bad_request', /url must be.*max_retries must be/],
    [{ name: null }, 'bad_request', /^name must be of type string/],
    [{ max_retries: 11 }, 'bad_request', /^max_retries must be at most 10/],
    [{ secret: 'short' }, 'bad_request', /^secret must have at least 16/],
    [{ enabled: true, status: 'paused' }, 'bad_request', /must be equal/],
    [{ id: absentId }, 'bad_request', /^id is not a known field/],
    [{ events: ['memory.exploded'] }, 'invalid_events', /^Unknown event types: memory.exploded/],
    [{ events: [] }, 'bad_request', /^events must have at least 1/],
  ])('refuses %j with 400', async (change, error, message) => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client);
    const before = await read(client, id);
    const answer = await patchWebhook(client, id, change);
    expect(answer).toMatchObject({
      status: 400,
      body: { error, message: expect.stringMatching(message) },
    });
    expect(await read(client, id)).toEqual(before);
  });
});
