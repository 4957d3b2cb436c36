import type { Client } from '@mneme/sdk';
import { asking, nobody, type Row } from '../row.ts';
import type { Stage } from '../stage.ts';

const form = 'flat';
const plain = { url: 'https://example.com/hook', events: ['memory.*'] };
const keyOf = async ({ service }: Stage): Promise<string> => (await service.account()).key;
const make = (client: Client, body: Parameters<Client['webhooks']['create']>[0]['body'] = plain) =>
  client.webhooks.create({ body });

/** A key that is limited to the space `own`, beside the space `other`. */
async function limited({ service }: Stage) {
  const { client } = await service.account();
  const own = (await client.spaces.create({ body: { name: 'own' } })).id;
  const other = (await client.spaces.create({ body: { name: 'other' } })).id;
  const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [own] } });
  return { client, key, other };
}

const settings: readonly Row[] = [
  {
    code: 'invalid_events',
    where: 'a webhook is to be told of what is no event',
    route: 'webhooks.create',
    form,
    details: { events: ['memory.exploded', 'poem.*'] },
    async provoke(stage) {
      const body = { ...plain, events: ['memory.exploded', '*', 'poem.*', 'poem.*'] };
      return asking(stage, 'POST /webhooks', { key: await keyOf(stage), body });
    },
  },
  {
    code: 'invalid_events',
    where: 'webhooks are looked for by what is no event',
    route: 'webhooks.list',
    form,
    details: { events: ['memory.*'] },
    provoke: async (stage) =>
      asking(stage, 'GET /webhooks?event=memory.*', { key: await keyOf(stage) }),
  },
  {
    code: 'validation_error',
    where: 'a webhook has an http URL and another fault',
    route: 'webhooks.create',
    form,
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
      const body = { ...plain, url: 'http://example.com', max_retries: 11 };
      return asking(stage, 'POST /webhooks', { key: await keyOf(stage), body });
    },
  },
  {
    code: 'validation_error',
    where: 'one of many webhooks has credentials in its URL',
    route: 'webhooks.bulkCreate',
    form,
    details: {
      fields: {
        'webhooks.1.url': {
          code: 'invalid_format',
          message: 'must have no credentials (use headers)',
        },
      },
    },
    async provoke(stage) {
      const webhooks = [plain, { ...plain, url: 'https://a:b@example.com' }];
      return asking(stage, 'POST /webhooks/bulk', { key: await keyOf(stage), body: { webhooks } });
    },
  },
  {
    code: 'conflict',
    where: 'a webhook has the name already',
    route: 'webhooks.create',
    form,
    details: { name: 'taken' },
    async provoke(stage) {
      const { client, key } = await stage.service.account();
      await make(client, { ...plain, name: 'taken' });
      return asking(stage, 'POST /webhooks', { key, body: { ...plain, name: 'taken' } });
    },
  },
  {
    code: 'conflict',
    where: 'a webhook is to have the name of another',
    route: 'webhooks.update',
    form,
    details: { name: 'taken' },
    async provoke(stage) {
      const { client, key } = await stage.service.account();
      await make(client, { ...plain, name: 'taken' });
      const { id } = await make(client);
      return asking(stage, `PATCH /webhooks/${id}`, { key, body: { name: 'taken' } });
    },
  },
  {
    code: 'quota_exceeded',
    where: 'the plan allows no more webhooks',
    route: 'webhooks.create',
    form,
    details: { quota: 'webhooks', limit: 1, used: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.account('free');
      await make(client);
      return asking(stage, 'POST /webhooks', { key, body: plain });
    },
  },
];

const reached: readonly Row[] = [
  {
    code: 'not_found',
    where: 'there is no such webhook',
    route: 'webhooks.get',
    form,
    provoke: async (stage) => asking(stage, `GET /webhooks/${nobody}`, { key: await keyOf(stage) }),
  },
  {
    code: 'not_found',
    where: 'a webhook is named by what is no id',
    route: 'webhooks.remove',
    form,
    provoke: async (stage) => asking(stage, 'DELETE /webhooks/mine', { key: await keyOf(stage) }),
  },
  {
    code: 'precondition_failed',
    where: 'the webhook has changed since the ETag',
    route: 'webhooks.update',
    form,
    details: { etag: '"2"' },
    async provoke(stage) {
      const { client, key } = await stage.service.account();
      const { id } = await make(client);
      await client.webhooks.update({ params: { webhookId: id }, body: { name: 'changed' } });
      const headers = { 'if-match': '"1"' };
      return asking(stage, `PATCH /webhooks/${id}`, { key, headers, body: { name: 'again' } });
    },
  },
  {
    code: 'space_not_found',
    where: 'a webhook is to be bound to a space that there is not',
    route: 'webhooks.create',
    form,
    details: { space_ids: [nobody] },
    async provoke(stage) {
      const body = { ...plain, space_id: nobody };
      return asking(stage, 'POST /webhooks', { key: await keyOf(stage), body });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a webhook is told of spaces that the key may not use',
    route: 'webhooks.bulkDelete',
    form,
    async provoke(stage) {
      const { client, key } = await limited(stage);
      const { id } = await make(client);
      return asking(stage, 'POST /webhooks/bulk/delete', { key, body: { ids: [id] } });
    },
  },
  {
    code: 'insufficient_permissions',
    where: 'the key may read webhooks alone',
    route: 'webhooks.create',
    form,
    details: { required_scope: 'webhooks:write' },
    async provoke(stage) {
      const { client } = await stage.service.account();
      const body = { name: 'reader', scopes: ['webhooks:read' as const] };
      const { key } = await client.keys.create({ body });
      return asking(stage, 'POST /webhooks', { key, body: plain });
    },
  },
];

export const webhooks: readonly Row[] = [...settings, ...reached];
