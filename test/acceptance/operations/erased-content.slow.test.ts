import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeErasedContent } from '../../../packages/server/src/domains/operations/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createFakeMedia } from '../../support/fake-media.ts';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { allowSenders, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from '../media/blobs.ts';
import { runVerification, summarizeInconsistencies } from '../verify/run-verification.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';
import { createErasableAccount, needle } from './erasable.ts';

const word = new RegExp(needle, 'i');

describe.each(engines)('the content of what was erased on %s', (engine) => {
  async function start() {
    const clock = createFakeClock();
    const { fetchOutside, calls } = createFakeEndpoints();
    const overrides = { clock, fetchOutside, ...createFakeMedia() };
    const env = { MNEME_EMAIL_DOMAIN: 'mail.test' };
    const service = await startService(engine, { env, overrides, removesErasedContent: true });
    const { worker, webhookSender, mailer } = service.running.context;
    return {
      service,
      clock,
      calls,
      worker,
      sender: webhookSender,
      mailer,
      /** What is promised to be done within a minute. */
      async aMinuteLater() {
        clock.advance(60_000);
        await worker.drain();
      },
      [Symbol.asyncDispose]: () => service.stop(),
    };
  }

  /** For tests whose account has all that they need. */
  let shared: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    shared = await start();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it('is within a minute in no table, file, event, delivery, mail or answer', async () => {
    const place = shared;
    const { service, sender, mailer, worker } = place;
    const { client, erasable } = await createErasableAccount(service);
    await tellAll(client, service);
    await sender.drain();
    await mailer.drain();
    const key = { idempotencyKey: 'once' };
    const body = { content: `${needle} is told twice` };
    const twice = await client.memories.create({ body }, key);
    const bulkBody = JSON.stringify({ memories: [{ content: `${needle} of a bulk` }] });
    const bulkHeaders = { 'content-type': 'application/json', 'idempotency-key': 'bulk' };
    const inBulk = { method: 'POST', path: '/memories/bulk', body: bulkBody, headers: bulkHeaders };
    expect((await client.request(inBulk)).status).toBe(201);
    await worker.drain();
    expect(await findTablesContaining(service, needle)).toEqual(
      expect.arrayContaining(['events', 'idempotency', 'inbound_mails', 'webhook_deliveries']),
    );
    for (const { erase } of erasable) await erase();
    for (const id of await idsWithWord(client)) await client.memories.remove({ params: { id } });
    await place.aMinuteLater();
    expect(await findTablesContaining(service, needle)).toEqual([]);
    // The mail that asked, which quotes nothing.
    expect(await listBlobs(service)).toHaveLength(1);
    const { data } = await client.events.list({ query: { limit: 100 } });
    expect(JSON.stringify(data)).not.toMatch(word);
    const created = data.filter(({ type }) => type === 'memory.created');
    expect(created.map((event) => event.data)).toContainEqual({ id: twice.id, erased: true });
    const again = await client.request({
      method: 'POST',
      path: '/memories',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    });
    expect([again.status, again.body]).toEqual([201, { id: twice.id, erased: true }]);
    const bulk = await client.request(inBulk);
    expect([bulk.status, bulk.body]).toEqual([201, { erased: true }]);
    const kept = (await client.memories.list()).data.map(({ content }) => content);
    expect(kept).toEqual(['notes', 'The kettle boils.']);
    expect(summarizeInconsistencies(await runVerification(service))).toEqual([]);
  });

  it('is not in the text of a search that found it, in events and deliveries', async () => {
    const place = shared;
    const { service, sender } = place;
    const { client } = await service.createAccount();
    await client.webhooks.create({ body: { url: 'https://stays.example.com/', events: ['*'] } });
    /** A memory in a space of its own, and a search that finds it. */
    async function storeAndSearch(content: string, q: string): Promise<string> {
      const { id: space_id } = await client.spaces.create({ body: { name: content } });
      const memory = await client.memories.create({ body: { content, space_id } });
      await client.search.get({ query: { q, space_id } });
      await place.aMinuteLater();
      return memory.id;
    }
    const gone = await storeAndSearch('We sail in March.', `sail to ${needle}`);
    const kept = await storeAndSearch('We fly in May.', 'fly');
    await client.memories.get({ params: { id: gone } });
    await place.aMinuteLater();
    await sender.drain();
    const where = ['events', 'webhook_deliveries'];
    expect(await findTablesContaining(service, needle)).toEqual(where);
    await client.memories.remove({ params: { id: gone } });
    const report = () => service.operator().admin.getErasure({ params: { id: gone } });
    const tables = (await report()).logical.content.filter(({ table }) => where.includes(table));
    // Of the creation and of the search; the read has no text.
    expect(tables).toEqual(where.map((table) => ({ table, rows: 2 })));
    await place.aMinuteLater();
    expect(await findTablesContaining(service, needle)).toEqual([]);
    expect((await report()).logical).toMatchObject({ complete: true, content: [] });
    const { data } = await client.events.list({ query: { type: 'memory.accessed' } });
    expect(data.map((event) => event.data)).toEqual([
      { ids: [gone], erased: true },
      { ids: [kept], via: 'search', query: 'fly' },
      { ids: [gone], via: 'get' },
    ]);
  });

  it('is proved to be gone by a report', async () => {
    const place = shared;
    const { service } = place;
    const { client } = await service.createAccount();
    const { admin } = service.operator();
    await client.webhooks.create({ body: { url: 'https://stays.example.com/', events: ['*'] } });
    const { id } = await client.memories.create({ body: { content: 'soon gone' } });
    await place.sender.drain();
    const report = () => admin.getErasure({ params: { id } });
    await expect(report()).rejects.toMatchObject({ status: 404 });
    await client.memories.remove({ params: { id } });
    expect(await report()).toMatchObject({
      id,
      kind: 'memory',
      logical: {
        complete: false,
        content_removed_at: null,
        content: [
          { table: 'events', rows: 1 },
          { table: 'idempotency', rows: 1 },
          { table: 'webhook_deliveries', rows: 1 },
        ],
        ids_only: [
          { table: 'documents', rows: 1 },
          { table: 'events', rows: 1 },
        ],
      },
    });
    await place.aMinuteLater();
    await place.sender.drain();
    const after = await report();
    expect(after.logical).toEqual({
      complete: true,
      content_removed_at: expect.any(String),
      content: [],
      ids_only: [
        { table: 'documents', rows: 1 },
        { table: 'events', rows: 2 },
        { table: 'idempotency', rows: 1 },
        { table: 'webhook_deliveries', rows: 2 },
      ],
    });
    expect(after.physical).toMatchObject({ files: 0, backups: [] });
    expect(after.physical.complete).toBe(after.physical.tables.length === 0);
    await expect(client.admin.getErasure({ params: { id } })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('is proved to be gone also of what superseded others, or may have', async () => {
    const place = shared;
    const { service } = place;
    const { client } = await service.createAccount();
    const create = async (content: string, more: object = {}): Promise<string> =>
      (await client.memories.create({ body: { content, ...more } })).id;
    const old = await create('The gate code is 1212.');
    const newer = await create('The gate code is 3434.', { supersedes: [old] });
    await create('I live in Bonn.');
    const likely = await create('I moved to Ulm and live there now.');
    await service.running.context.extractionWorker.drain();
    const { data } = await client.memories.suggestions({ params: { id: likely } });
    expect(data).toHaveLength(1);
    for (const id of [newer, likely]) await client.memories.remove({ params: { id } });
    await place.aMinuteLater();
    for (const id of [newer, likely]) {
      const report = await service.operator().admin.getErasure({ params: { id } });
      expect(report.logical).toMatchObject({ complete: true, content: [] });
      // Its own tombstone, and the document of the other one.
      expect(report.logical.ids_only).toContainEqual({ table: 'documents', rows: 2 });
    }
    expect(summarizeInconsistencies(await runVerification(service))).toEqual([]);
  });

  it('is gone also if it was stored after the clock had been hours ahead', async () => {
    await using place = await start();
    const { service, clock } = place;
    const { client } = await service.createAccount();
    const hoursMs = 5 * 3_600_000;
    clock.advance(hoursMs);
    await client.memories.create({ body: { content: 'Of the future.' } });
    clock.advance(-hoursMs);
    const { id } = await client.memories.create({ body: { content: `${needle} of today` } });
    await client.memories.remove({ params: { id } });
    await removeErasedContent(service.running.context.app, { shouldYield: () => false });
    expect(await findTablesContaining(service, needle)).toEqual([]);
  });

  it('leaves with no delivery and no mail that was waiting', async () => {
    await using place = await start();
    const { service, sender, mailer } = place;
    const { client } = await service.createAccount();
    await tellAll(client, service);
    const kept = await client.memories.create({ body: { content: 'The kettle boils.' } });
    await service.operator().admin.pauseDeliveries();
    for (const id of await idsWithWord(client)) await client.memories.remove({ params: { id } });
    await place.aMinuteLater();
    await service.operator().admin.resumeDeliveries();
    await sender.drain();
    await mailer.drain();
    expect(JSON.stringify(place.calls)).not.toMatch(word);
    expect(JSON.stringify(place.calls)).toContain(kept.content);
    const { data } = await client.email.listOutbound({ query: { limit: 100 } });
    expect(JSON.stringify(data)).not.toMatch(word);
  });
});

/** Memories that a webhook, a reaction, a digest and an answer tell of, one made of a mail. */
async function tellAll(client: Client, { running }: Service): Promise<void> {
  const url = 'https://stays.example.com/hook';
  await client.webhooks.create({ body: { url, events: ['*'] } });
  const recipients = ['stays@example.com'];
  await client.email.createReaction({
    body: {
      name: 'stays',
      triggerType: 'memory_created',
      recipients,
      emailSubjectTemplate: '{{memory.content}}',
      emailBodyTemplate: '{{memory.content}}',
    },
  });
  const digest = await client.email.createDigest({
    body: { name: 'all', scheduleType: 'daily', recipients },
  });
  await allowSenders(client);
  const to = await getOrCreateAddress(client);
  const mail = ['From: bo@example.com', `To: ${to}`, `Subject: ${needle}`, '', `In ${needle}.`, ''];
  await postInboundMail(client, mail.join('\r\n'), `?recipient=${to}&verified=true`);
  await running.context.worker.drain();
  const asking = ['From: bo@example.com', `To: ${to}`, 'Subject: search: told', '', '', ''];
  await postInboundMail(client, asking.join('\r\n'), `?recipient=${to}&verified=true`);
  await client.memories.create({ body: { content: `${needle} was told` } });
  await client.email.sendDigest({ params: { id: digest.id } });
  await running.context.worker.drain();
}

async function idsWithWord(client: Client): Promise<string[]> {
  const { data } = await client.memories.list({ query: { limit: 100 } });
  return data.filter(({ content }) => word.test(content)).map(({ id }) => id);
}
