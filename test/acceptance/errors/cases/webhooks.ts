import type { Client } from '@mneme/sdk';
import { absentId, type ErrorCase, prepareRequest } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

const form = 'flat';
const defaultSettings = { url: 'https://example.com/hook', events: ['memory.*'] };
const createKey = async ({ service }: FaultInjectionService): Promise<string> =>
  (await service.createAccount()).key;
const createWebhook = (
  client: Client,
  body: Parameters<Client['webhooks']['create']>[0]['body'] = defaultSettings,
) => client.webhooks.create({ body });

/** A key that is limited to the space `own`, beside the space `other`. */
async function createLimitedKey({ service }: FaultInjectionService) {
  const { client } = await service.createAccount();
  const own = (await client.spaces.create({ body: { name: 'own' } })).id;
  const other = (await client.spaces.create({ body: { name: 'other' } })).id;
  const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [own] } });
  return { client, key, other };
}

const settings: readonly ErrorCase[] = [
  {
    code: 'invalid_events',
    where: 'a webhook is to be told of what is no event',
    route: 'webhooks.create',
    format: form,
    details: { events: ['memory.exploded', 'poem.*'] },
    async provoke(stage) {
      const body = { ...defaultSettings, events: ['memory.exploded', '*', 'poem.*', 'poem.*'] };
      return prepareRequest(stage, 'POST /webhooks', { key: await createKey(stage), body });
    },
  },
  {
    code: 'invalid_events',
    where: 'webhooks are looked for by what is no event',
    route: 'webhooks.list',
    format: form,
    details: { events: ['memory.*'] },
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /webhooks?event=memory.*', { key: await createKey(stage) }),
  },
  {
    code: 'validation_error',
    where: 'a webhook has an http URL and another fault',
    route: 'webhooks.create',
    format: form,
    details: {
      fields: {
        url: { code: 'invalid_format', message: 'must be an absolute https URL' },
        max_retries: {
          code: 'invalid_range',
          message: 'must be at most 10',
          received: 11,
          min: 0,
          max: 10,
        },
      },
    },
    async provoke(stage) {
      const body = { ...defaultSettings, url: 'http://example.com', max_retries: 11 };
      return prepareRequest(stage, 'POST /webhooks', { key: await createKey(stage), body });
    },
  },
  {
    code: 'validation_error',
    where: 'one of many webhooks has credentials in its URL',
    route: 'webhooks.bulkCreate',
    format: form,
    details: {
      fields: {
        'webhooks.1.url': {
          code: 'invalid_format',
          message: 'must have no credentials (use headers)',
        },
      },
    },
    async provoke(stage) {
      const webhooks = [defaultSettings, { ...defaultSettings, url: 'https://a:b@example.com' }];
      return prepareRequest(stage, 'POST /webhooks/bulk', {
        key: await createKey(stage),
        body: { webhooks },
      });
    },
  },
  {
    code: 'conflict',
    where: 'a webhook has the name already',
    route: 'webhooks.create',
    format: form,
    details: { name: 'taken' },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await createWebhook(client, { ...defaultSettings, name: 'taken' });
      return prepareRequest(stage, 'POST /webhooks', {
        key,
        body: { ...defaultSettings, name: 'taken' },
      });
    },
  },
  {
    code: 'conflict',
    where: 'a webhook is to have the name of another',
    route: 'webhooks.update',
    format: form,
    details: { name: 'taken' },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await createWebhook(client, { ...defaultSettings, name: 'taken' });
      const { id } = await createWebhook(client);
      return prepareRequest(stage, `PATCH /webhooks/${id}`, { key, body: { name: 'taken' } });
    },
  },
  {
    code: 'quota_exceeded',
    where: 'the plan allows no more webhooks',
    route: 'webhooks.create',
    format: form,
    details: { quota: 'webhooks', limit: 1, used: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('free');
      await createWebhook(client);
      return prepareRequest(stage, 'POST /webhooks', { key, body: defaultSettings });
    },
  },
];

const inaccessibleWebhooks: readonly ErrorCase[] = [
  {
    code: 'not_found',
    where: 'there is no such webhook',
    route: 'webhooks.get',
    format: form,
    provoke: async (stage) =>
      prepareRequest(stage, `GET /webhooks/${absentId}`, { key: await createKey(stage) }),
  },
  {
    code: 'not_found',
    where: 'a webhook is named by what is no id',
    route: 'webhooks.remove',
    format: form,
    provoke: async (stage) =>
      prepareRequest(stage, 'DELETE /webhooks/mine', { key: await createKey(stage) }),
  },
  {
    code: 'precondition_failed',
    where: 'the webhook has changed since the ETag',
    route: 'webhooks.update',
    format: form,
    details: { etag: '"2"' },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createWebhook(client);
      await client.webhooks.update({ params: { webhookId: id }, body: { name: 'changed' } });
      const headers = { 'if-match': '"1"' };
      return prepareRequest(stage, `PATCH /webhooks/${id}`, {
        key,
        headers,
        body: { name: 'again' },
      });
    },
  },
  {
    code: 'space_not_found',
    where: 'a webhook is to be bound to a space that there is not',
    route: 'webhooks.create',
    format: form,
    details: { space_ids: [absentId] },
    async provoke(stage) {
      const body = { ...defaultSettings, space_id: absentId };
      return prepareRequest(stage, 'POST /webhooks', { key: await createKey(stage), body });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a webhook is told of spaces that the key may not use',
    route: 'webhooks.bulkDelete',
    format: form,
    async provoke(stage) {
      const { client, key } = await createLimitedKey(stage);
      const { id } = await createWebhook(client);
      return prepareRequest(stage, 'POST /webhooks/bulk/delete', { key, body: { ids: [id] } });
    },
  },
  {
    code: 'insufficient_permissions',
    where: 'the key may read webhooks alone',
    route: 'webhooks.create',
    format: form,
    details: { required_scope: 'webhooks:write' },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const body = { name: 'reader', scopes: ['webhooks:read' as const] };
      const { key } = await client.keys.create({ body });
      return prepareRequest(stage, 'POST /webhooks', { key, body: defaultSettings });
    },
  },
];

export const webhooks: readonly ErrorCase[] = [...settings, ...inaccessibleWebhooks];
