import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createWebhook, idsOf, patchWebhook, postWebhook } from './webhook-requests.ts';

const denied = { status: 403, body: { error: 'space_access_denied' } };

describe.each(engines)('keys that are limited to spaces and webhooks on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** An account with the spaces red and blue, and keys with different limits. */
  async function surroundings() {
    const { client: whole } = await service.createAccount();
    const space = async (name: string) => (await whole.spaces.create({ body: { name } })).id;
    const [red, blue] = [await space('red'), await space('blue')];
    const limited = async (space_ids: string[]): Promise<Client> => {
      const { key } = await whole.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(key);
    };
    return {
      whole,
      red,
      blue,
      inRed: await limited([red]),
      inRedAndDefault: await limited([red, 'default']),
      inBoth: await limited([blue, red]),
    };
  }

  /** Which spaces' events it is told, as it is kept. */
  async function spacesOf(id: string): Promise<string[] | null> {
    const { rows } = await sql<{ spaces: string[] | null }>`
      select spaces from webhooks where id = ${id}::uuid`.execute(
      service.running.context.app.engine.db,
    );
    return rows[0]?.spaces ?? null;
  }

  it('a limited key makes webhooks that are told of its spaces alone', async () => {
    const { whole, red, inRed, inRedAndDefault } = await surroundings();
    expect(await spacesOf((await createWebhook(inRed)).id)).toEqual([red]);
    const spaces = await spacesOf((await createWebhook(inRedAndDefault, { space_id: red })).id);
    expect(spaces?.toSorted()).toEqual([red, 'default'].toSorted());
    expect(await spacesOf((await createWebhook(whole)).id)).toBeNull();
  });

  it('a space that the key may not use cannot be named, and one that is not is 404', async () => {
    const { red, blue, inRed } = await surroundings();
    const { id } = await createWebhook(inRed);
    for (const space of [{ space_id: blue }, { filters: { space_ids: [red, blue] } }]) {
      expect(await postWebhook(inRed, space)).toMatchObject(denied);
      expect(await patchWebhook(inRed, id, space)).toMatchObject(denied);
    }
    expect(await postWebhook(inRed, { space_id: absentId })).toMatchObject({ status: 404 });
    const list = (space_id: string) =>
      inRed.request({ method: 'GET', path: `/webhooks?space_id=${space_id}` });
    expect(await list(blue)).toMatchObject(denied);
    expect((await list(red)).status).toBe(200);
    expect((await list('default')).status).toBe(200);
  });

  it('a webhook that is told of more than the key may see is 403 by its id', async () => {
    const { whole, red, inRed, inRedAndDefault, inBoth } = await surroundings();
    const told = [
      await createWebhook(whole),
      await createWebhook(whole, { space_id: red }),
      await createWebhook(inRedAndDefault),
      await createWebhook(inBoth),
    ];
    for (const { id } of told) {
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { url: 'https://mine.example.com' }],
        ['DELETE', ''],
      ] as const) {
        const answer = await inRed.request({ method, path: `/webhooks/${id}${path}`, body });
        expect(answer).toMatchObject(denied);
      }
    }
    const own = await createWebhook(inRed);
    const ids = [own.id, ...told.map(({ id }) => id)];
    const bulk = { method: 'POST', path: '/webhooks/bulk/delete', body: { ids } };
    expect(await inRed.request(bulk)).toMatchObject(denied);
    expect((await whole.webhooks.list()).total).toBe(5);
  });

  it('lists and counts leave out what the key may not see', async () => {
    const { whole, inRed, inRedAndDefault, inBoth } = await surroundings();
    const one = (await createWebhook(whole, { events: ['*'] })).id;
    const two = (await createWebhook(inRed, { events: ['memory.*'] })).id;
    const three = (await createWebhook(inBoth, { events: ['space.*'], is_active: false })).id;
    const four = (await createWebhook(inRedAndDefault, { events: ['memory.*'] })).id;
    const seen = async (client: Client) => {
      const list = await client.webhooks.list();
      const { total_webhooks, active_webhooks, events_distribution } =
        await client.webhooks.stats();
      expect(list.total).toBe(list.data.length);
      expect(total_webhooks).toBe(list.total);
      expect(active_webhooks).toBe(list.data.filter((webhook) => webhook.is_active).length);
      const events = list.data.flatMap((webhook) => webhook.events);
      expect(events_distribution.map(({ event }) => event).toSorted()).toEqual(
        [...new Set(events)].toSorted(),
      );
      return idsOf(list);
    };
    expect(await seen(whole)).toEqual([four, three, two, one]);
    expect(await seen(inRed)).toEqual([two]);
    expect(await seen(inRedAndDefault)).toEqual([four, two]);
    expect(await seen(inBoth)).toEqual([three, two]);
  });

  it('what a limited key made, it and every key with more changes, within its spaces', async () => {
    const { whole, red, blue, inRed, inBoth } = await surroundings();
    const { id } = await createWebhook(inRed);
    for (const client of [inRed, inBoth, whole]) {
      expect((await patchWebhook(client, id, { description: 'x' })).status).toBe(200);
    }
    expect(await patchWebhook(whole, id, { space_id: blue })).toMatchObject(denied);
    expect((await patchWebhook(whole, id, { space_id: red })).status).toBe(200);
    expect(await spacesOf(id)).toEqual([red]);
  });

  it('the end of a space is the last that a webhook is told which is bound to it', async () => {
    const { whole, red, blue } = await surroundings();
    const url = 'https://127.0.0.1:9/hook';
    const { id: webhookId } = await createWebhook(whole, {
      url,
      events: ['space.*'],
      space_id: red,
    });
    await whole.spaces.update({ params: { id: blue }, body: { name: 'sky' } });
    await whole.spaces.remove({ params: { id: red } });
    await whole.spaces.remove({ params: { id: blue } });
    const { data } = await eventually(
      () => whole.webhooks.listDeliveries({ params: { webhookId } }),
      (page) => page.data.length > 0,
    );
    expect(data).toMatchObject([{ event_type: 'space.deleted', payload: { space_id: red } }]);
  });

  it('a webhook stays when the space goes that it is bound to, and can be bound anew', async () => {
    const { whole, red, blue } = await surroundings();
    const { id } = await createWebhook(whole, { space_id: red, filters: { space_ids: [red] } });
    await whole.spaces.remove({ params: { id: red } });
    const params = { webhookId: id };
    expect(await whole.webhooks.get({ params })).toMatchObject({ space_id: red, is_active: true });
    const same = { space_id: red, filters: { space_ids: [red] }, description: 'kept' };
    expect((await patchWebhook(whole, id, same)).status).toBe(200);
    expect((await patchWebhook(whole, id, { space_id: blue })).status).toBe(200);
    expect((await patchWebhook(whole, id, { space_id: red })).status).toBe(404);
  });
});
