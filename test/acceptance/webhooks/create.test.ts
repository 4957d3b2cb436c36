import { limits } from '@mneme/contract';
import type { RawResponse } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  absentId,
  createWebhook,
  defaultSettings,
  postWebhook,
  uuid7,
} from './webhook-requests.ts';

const badly = (message: string | RegExp) => ({
  status: 400,
  body: { error: 'bad_request', message: expect.stringMatching(message) },
});

describe.each(engines)('a new webhook on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('takes a URL and events alone, and answers 201 with every default', async () => {
    const { client } = await service.createAccount();
    const answer = await postWebhook(client, {});
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('"1"');
    const { created_at } = answer.body as { created_at: string };
    expect(answer.body).toEqual({
      id: expect.stringMatching(uuid7),
      name: 'hooks.example.com',
      url: defaultSettings.url,
      events: ['memory.*'],
      description: null,
      secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      space_id: null,
      headers: {},
      filters: {},
      max_retries: 3,
      retry_delay_seconds: 60,
      retry_schedule: 'standard',
      payload_form: 'object',
      signature_form: 'timestamped',
      is_active: true,
      enabled: true,
      status: 'active',
      disabled_reason: null,
      total_deliveries: 0,
      successful_deliveries: 0,
      failed_deliveries: 0,
      failure_count: 0,
      last_triggered_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: created_at,
    });
  });

  it('takes every setting and shows it, header values masked', async () => {
    const { client } = await service.createAccount();
    const space = await client.spaces.create({ body: { name: 'team' } });
    const settings = {
      name: 'Everything ☂',
      events: ['memory.created', 'cluster.*', 'webhook.test', '*'],
      description: 'for the team',
      secret: 'a secret of my own choice, long',
      space_id: space.id,
      filters: {
        tags: ['a'],
        content_type: ['text', 'url'],
        min_priority: 5,
        metadata: { kind: { deep: 1 } },
        space_ids: [space.id],
      },
      max_retries: 10,
      retry_delay_seconds: 3_600,
      retry_schedule: 'short',
      payload_form: 'wrapped',
      signature_form: 'hex',
      is_active: false,
    };
    const headers = { 'X-Api-Key': 'key-123456', Accept: '*/*' };
    const answer = await postWebhook(client, { ...settings, headers });
    const shown = { ...settings, headers: { 'X-Api-Key': '***', Accept: '***' } };
    expect(answer).toMatchObject({ status: 201, body: { ...shown, enabled: false } });
    const { id } = answer.body as { id: string };
    const again = await client.webhooks.get({ params: { webhookId: id } });
    expect(again).toMatchObject({ ...shown, secret: '…long', status: 'paused' });
  });

  it('shows the secret in that answer alone, and masked ever after', async () => {
    const { client } = await service.createAccount();
    const { id, secret } = await createWebhook(client);
    const masked = `${secret.slice(0, 4)}…${secret.slice(-4)}`;
    const path = `/webhooks/${id}`;
    const read = await client.request({ method: 'GET', path });
    const list = await client.webhooks.list();
    const changed = await client.request({ method: 'PATCH', path, body: { name: 'other' } });
    expect(read.body).toMatchObject({ secret: masked });
    expect(changed.body).toMatchObject({ secret: masked });
    expect([...list.data, ...list.webhooks].map((one) => one.secret)).toEqual([masked, masked]);
  });

  it('shows of a short secret the end alone', async () => {
    const { client } = await service.createAccount();
    const { id } = await createWebhook(client, { secret: 'sixteen letters!' });
    const { secret } = await client.webhooks.get({ params: { webhookId: id } });
    expect(secret).toBe('…ers!');
  });

  it('has another secret each time, and shows it again to the same Idempotency-Key', async () => {
    const { client } = await service.createAccount();
    const send = (key: string) =>
      client.request({
        method: 'POST',
        path: '/webhooks',
        headers: { 'idempotency-key': key },
        body: defaultSettings,
      });
    const [first, again, second] = [await send('one'), await send('one'), await send('two')];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const secretOf = ({ body }: RawResponse) => (body as { secret: string }).secret;
    expect(secretOf(second)).not.toBe(secretOf(first));
    expect((await client.webhooks.list()).total).toBe(2);
  });

  it.each([
    ['is_active', false],
    ['enabled', false],
    ['status', 'paused'],
  ])('is switched off by %s', async (name, value) => {
    const { client } = await service.createAccount();
    const { body } = await postWebhook(client, { [name]: value });
    expect(body).toMatchObject({ is_active: false, enabled: false, status: 'paused' });
  });

  it('refuses names for its activity that contradict each other', async () => {
    const { client } = await service.createAccount();
    const contradiction = { is_active: true, status: 'paused' };
    expect(await postWebhook(client, contradiction)).toMatchObject(
      badly(/^is_active .*must be equal/),
    );
    expect((await postWebhook(client, { is_active: true, status: 'active' })).status).toBe(201);
  });

  it('is named by its host, with a number where that is taken', async () => {
    const { client } = await service.createAccount();
    const names: string[] = [];
    for (let i = 0; i < 3; i += 1) names.push((await createWebhook(client)).name);
    names.push((await createWebhook(client, { url: 'https://hooks.example.com:8443/' })).name);
    expect(names).toEqual([
      'hooks.example.com',
      'hooks.example.com 2',
      'hooks.example.com 3',
      'hooks.example.com:8443',
    ]);
  });

  it('has a name of its own in its account: 409 conflict otherwise', async () => {
    const [{ client }, other] = [await service.createAccount(), await service.createAccount()];
    await createWebhook(client, { name: 'taken' });
    expect(await postWebhook(client, { name: 'taken' })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'A webhook with the name taken already exists.' },
    });
    expect((await postWebhook(client, { name: 'Taken' })).status).toBe(201);
    expect((await postWebhook(other.client, { name: 'taken' })).status).toBe(201);
    expect((await client.webhooks.list()).total).toBe(2);
  });

  it('has a name of its own, too, where many are made at once', async () => {
    const { client } = await service.createAccount();
    const some = Array.from({ length: 8 }, () => postWebhook(client, {}));
    expect((await Promise.all(some)).map(({ status }) => status)).toEqual(Array(8).fill(201));
    const { data } = await client.webhooks.list();
    expect(new Set(data.map(({ name }) => name)).size).toBe(8);
    const same = await Promise.all(
      Array.from({ length: 4 }, () => postWebhook(client, { name: 'a' })),
    );
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    ['http://example.com/', /^url must be an absolute https URL$/],
    ['ftp://example.com/', /^url must be an absolute https URL$/],
    ['example.com', /^url must be an absolute https URL$/],
    ['https://', /^url must be an absolute https URL$/],
    ['https://user:secret@example.com/', /^url must have no credentials \(use headers\)$/],
    ['https://user@example.com/', /^url must have no credentials/],
    ['https://@example.com/', /^url must have no credentials/],
    ['https://example.com:0/', /^url must have a port from 1 to 65535$/],
    ['https:example.com', /^url must be an absolute https URL$/],
    ['https:\\\\example.com', /^url must be an absolute https URL$/],
    ['https://example.com/a b', /^url must be an absolute https URL$/],
    ['https://example.com/a\nb', /^url must be an absolute https URL$/],
    ['', /^url must have at least 1 character/],
    [`https://example.com/${'x'.repeat(2_000)}`, /^url must have at most 2000 characters/],
    [5, /^url must be of type string/],
    [undefined, /^url is required/],
  ])('refuses the URL %s', async (url, message) => {
    const { client } = await service.createAccount();
    expect(await postWebhook(client, { url })).toMatchObject(badly(message));
  });

  it('never tells the password of a URL that it refuses', async () => {
    const { client } = await service.createAccount();
    const body = { url: 'https://user:pa55word@example.com/', max_retries: 99 };
    const answer = await postWebhook(client, body);
    expect(JSON.stringify(answer.body)).not.toContain('pa55word');
  });

  it('names every faulty field at once, the URL too', async () => {
    const { client } = await service.createAccount();
    const body = { url: 'http://example.com', max_retries: 11, retry_delay_seconds: 9, colour: 1 };
    const { body: answer } = await postWebhook(client, body);
    const { message } = answer as { message: string };
    expect(message.split('; ').toSorted()).toEqual([
      'colour is not a known field',
      'max_retries must be at most 10',
      'retry_delay_seconds must be at least 10',
      'url must be an absolute https URL',
    ]);
  });

  it.each([
    [{ max_retries: -1 }, /^max_retries must be at least 0/],
    [{ max_retries: 1.5 }, /^max_retries must be an integer/],
    [{ retry_delay_seconds: 3_601 }, /^retry_delay_seconds must be at most 3600/],
    [{ retry_schedule: 'fast' }, /^retry_schedule must be one of standard, short/],
    [{ payload_form: 'xml' }, /^payload_form must be one of object, wrapped/],
    [{ signature_form: 'md5' }, /^signature_form must be one of timestamped, hex/],
    [{ name: '' }, /^name must have at least 1/],
    [{ name: 'x'.repeat(256) }, /^name must have at most 255/],
    [{ description: 'x'.repeat(1_001) }, /^description must have at most 1000/],
    [{ secret: 'x'.repeat(15) }, /^secret must have at least 16/],
    [{ secret: 'x'.repeat(256) }, /^secret must have at most 255/],
    [{ events: [] }, /^events must have at least 1 items/],
    [{ events: Array(101).fill('*') }, /^events must have at most 100 items/],
    [{ events: 'memory.created' }, /^events must be of type array/],
    [{ events: undefined }, /^events is required/],
    [{ headers: { 'a b': 'x' } }, /^headers\.a b must be a header name/],
    [{ headers: { a: 'line\r\nbreak' } }, /^headers\.a must be a header value/],
    [{ headers: { a: 5 } }, /^headers\.a must be of type string/],
    [{ headers: { Host: 'a' } }, /^headers\.Host must not be set$/],
    [{ headers: { 'content-length': '1' } }, /^headers\.content-length must not be set$/],
    [{ headers: { 'Proxy-Authorization': 'a' } }, /^headers\.Proxy-Authorization must not be set$/],
    [{ headers: { a: '1', A: '2' } }, /^headers\.A must be set only once, regardless of case$/],
    [{ filters: { colour: 'red' } }, /^filters\.colour is not a known field/],
    [{ filters: { min_priority: 11 } }, /^filters\.min_priority must be at most 10/],
    [{ filters: { content_type: ['poem'] } }, /^filters\.content_type\.0 must be one of/],
    [{ space_id: 'mine' }, /^space_id must be a UUID/],
    [{ status: 'off' }, /^status must be one of active, paused/],
  ])('refuses %j with 400 bad_request', async (settings, message) => {
    const { client } = await service.createAccount();
    expect(await postWebhook(client, settings)).toMatchObject(badly(message));
    expect((await client.webhooks.list()).total).toBe(0);
  });

  it('has at most 20 headers', async () => {
    const { client } = await service.createAccount();
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, '']));
    const max = limits.webhookHeadersMax;
    expect((await postWebhook(client, { headers: headers(max) })).status).toBe(201);
    const refused = await postWebhook(client, { headers: headers(max + 1) });
    expect(refused).toMatchObject(badly(/^headers must have at most 20 headers/));
  });

  it('is told of known events alone: 400 invalid_events lists the others', async () => {
    const { client } = await service.createAccount();
    const events = ['memory.created', 'memory.exploded', 'poem.*', 'memory', '*.*', 'memory.*'];
    expect(await postWebhook(client, { events })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_events',
        message: 'Unknown event types: memory.exploded, poem.*, memory, *.*.',
      },
    });
  });

  it('may be told of every event type there is, and of each area as a whole', async () => {
    const { client } = await service.createAccount();
    const { event_types: events } = await client.webhooks.eventTypes();
    const areas = [...new Set(events.map((type) => `${type.split('.')[0]}.*`))];
    const { body } = await postWebhook(client, { events: [...events, ...areas] });
    expect(body).toMatchObject({ events: [...events, ...areas] });
  });

  it('names each event once', async () => {
    const { client } = await service.createAccount();
    const { events } = await createWebhook(client, { events: ['space.*', '*', 'space.*'] });
    expect(events).toEqual(['space.*', '*']);
  });

  it('is bound to no space where the space is null or default', async () => {
    const { client } = await service.createAccount();
    for (const space_id of [null, 'default']) {
      expect(await postWebhook(client, { space_id })).toMatchObject({ body: { space_id: null } });
    }
  });

  it('is refused a space that there is not, wherever it is named: 404', async () => {
    const { client } = await service.createAccount();
    for (const settings of [{ space_id: absentId }, { filters: { space_ids: [absentId] } }]) {
      expect(await postWebhook(client, settings)).toMatchObject({
        status: 404,
        body: { error: 'space_not_found' },
      });
    }
  });

  it('needs the scope webhooks:write', async () => {
    const { client } = await service.createAccount();
    const body = { name: 'reader', scopes: ['webhooks:read' as const] };
    const reader = service.client((await client.keys.create({ body })).key);
    expect(await postWebhook(reader, {})).toMatchObject({
      status: 403,
      body: { error: 'insufficient_permissions' },
    });
    expect((await reader.webhooks.list()).total).toBe(0);
  });
});

describe.each(engines)('for development on %s', (engine) => {
  it('http URLs are taken where the service allows them', async () => {
    const service = await startService(engine, { env: { MNEME_WEBHOOK_ALLOW_HTTP: 'true' } });
    try {
      const { client } = await service.createAccount();
      expect((await createWebhook(client, { url: 'http://localhost:9/in' })).name).toBe(
        'localhost:9',
      );
      const withPassword = await postWebhook(client, { url: 'http://a:b@localhost/' });
      expect(withPassword).toMatchObject(badly(/^url must have no credentials/));
    } finally {
      await service.stop();
    }
  });
});
