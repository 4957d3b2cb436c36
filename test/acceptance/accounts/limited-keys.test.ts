import { randomUUID } from 'node:crypto';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines } from '../../support/service.ts';

const denied = { status: 403, code: 'space_access_denied' };

describe.each(engines)('a key that is limited to spaces on %s', (engine) => {
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, {});
  });
  afterAll(() => mailing[Symbol.asyncDispose]());

  /** Addresses of no other test. */
  const inbox = (name: string): string => `${name}.${randomUUID()}@example.com`;

  /** Runs what is due and returns what went to an address so far. */
  async function sent(recipient: string) {
    const { worker, mailer } = mailing.service.running.context;
    await worker.drain();
    await mailer.drain();
    return mailing.receiver
      .receivedBy(recipient)
      .map(({ mail }) => `${mail.subject}\n${mail.text}`);
  }

  /** An account with two spaces, and keys: every scope, but `own` and `default` alone. */
  async function scene() {
    const { client: whole } = await mailing.service.createAccount();
    const own = (await whole.spaces.create({ body: { name: 'own' } })).id;
    const other = (await whole.spaces.create({ body: { name: 'other' } })).id;
    const keyFor = (name: string, space_ids: string[]) =>
      whole.keys.create({ body: { name, space_ids } });
    const issued = await keyFor('limited', [own, 'default']);
    const limited = mailing.service.client(issued.key);
    return { whole, limited, issued, own, other, keyFor };
  }

  /** What concerns the account as a whole: method, path, body. */
  const accountWide = [
    ['PATCH', '/account', { name: 'mine' }],
    ['PATCH', '/account', { contact_email: 'mine@example.com' }],
    ['PATCH', '/account', { settings: { daily_memory_limit: 0 } }],
    ['GET', '/account/audit', null],
    ['POST', '/api-keys', { name: 'wider' }],
    ['POST', '/api-keys', { name: 'wider', space_ids: null }],
    ['POST', '/email/address', { regenerate: true }],
    ['POST', '/email/address/rotate', {}],
    ['DELETE', '/email/address', null],
    ['POST', '/email/senders', { emailPattern: 'mine@example.com', ruleType: 'allow' }],
    ['DELETE', '/email/senders/known@example.com', null],
    ['DELETE', '/email/suppressions/known@example.com', null],
    ['PUT', '/search/pipelines/desk', { limit: 1 }],
    ['DELETE', '/search/pipelines/desk', null],
    ['POST', '/clusters/config', { auto_enabled: true }],
  ] as const;

  it.each(accountWide)('%s %s is refused with %j: 403', async (method, path, body) => {
    const { limited } = await scene();
    const answer = await limited.request({ method, path, ...(body ? { body } : {}) });
    const { error } = answer.body as { error: string | { code: string } };
    const code = typeof error === 'string' ? error : error.code;
    expect({ status: answer.status, code }).toEqual(denied);
  });

  it('cannot redirect digests and reactions of other spaces to itself', async () => {
    const { whole, limited, other } = await scene();
    const [contact, thief] = [inbox('contact'), inbox('thief')];
    await whole.account.update({ body: { contact_email: contact } });
    const digest = await whole.email.createDigest({
      body: { name: 'all', scheduleType: 'daily', recipients: [] },
    });
    await expect(limited.account.update({ body: { contact_email: thief } })).rejects.toMatchObject(
      denied,
    );
    await whole.memories.create({ body: { content: 'the secret note', space_id: other } });
    await whole.email.sendDigest({ params: { id: digest.id } });
    expect((await sent(contact)).join()).toContain('the secret note');
    expect(await sent(thief)).toEqual([]);
  });

  it('cannot search other spaces with mail that it hands in', async () => {
    const { whole, limited, other } = await scene();
    await whole.memories.create({ body: { content: 'the secret note', space_id: other } });
    const [address, thief] = [await getOrCreateAddress(whole), inbox('thief')];
    const raw = `From: ${thief}\r\nTo: ${address}\r\nSubject: search: note\r\n\r\n`;
    expect(await postInboundMail(limited, raw)).toMatchObject({
      status: 403,
      body: { error: 'space_access_denied' },
    });
    expect(await sent(thief)).toEqual([]);
    expect((await whole.email.listHistory()).data).toEqual([]);
  });

  it('makes digests and reactions that tell the contact of its own spaces alone', async () => {
    const { whole, limited, own, other } = await scene();
    const contact = inbox('contact');
    await whole.account.update({ body: { contact_email: contact } });
    const digest = { name: 'near', scheduleType: 'daily' as const, recipients: [] };
    const { id } = await limited.email.createDigest({ body: digest });
    await limited.email.createReaction({
      body: {
        name: 'near',
        triggerType: 'memory_created',
        emailSubjectTemplate: 'New',
        emailBodyTemplate: '{{memory.content}}',
        recipients: [],
        cooldownMinutes: 0,
        maxPerDay: 10,
      },
    });
    // Whoever changes or sends it: its spaces stay those of the key which made it.
    await whole.email.updateDigest({ params: { id }, body: { maxItems: 50 } });
    for (const [content, space_id] of [['near', own] as const, ['far', other] as const]) {
      await whole.memories.create({ body: { content: `the ${content} note`, space_id } });
    }
    await whole.email.sendDigest({ params: { id } });
    const mails = await sent(contact);
    expect(mails).toHaveLength(2);
    for (const mail of mails) expect(mail).toContain('the near note');
    expect(mails.join()).not.toContain('far');
  });

  it('neither sees, revokes nor rotates keys that reach further than itself', async () => {
    const { whole, limited, issued, own, other, keyFor } = await scene();
    const narrow = await limited.keys.create({ body: { name: 'narrow', space_ids: [own] } });
    const wider = [
      await whole.keys.create({ body: { name: 'every space' } }),
      await keyFor('another space', [other]),
      await keyFor('both', [own, other, 'default']),
    ];
    const { data, pagination } = await limited.keys.list();
    expect(data.map(({ id }) => id)).toEqual([issued.id, narrow.id]);
    expect(pagination.total).toBe(2);
    for (const { id, key } of wider) {
      const params = { id };
      await expect(limited.keys.revoke({ params })).rejects.toMatchObject(denied);
      await expect(limited.keys.rotate({ params })).rejects.toMatchObject(denied);
      expect((await mailing.service.client(key).account.get()).name).toMatch(/^account/);
    }
    await limited.keys.revoke({ params: { id: narrow.id } });
    await expect(mailing.service.client(narrow.key).account.get()).rejects.toMatchObject({
      code: 'revoked_api_key',
    });
  });

  it('sees the jobs of keys within its spaces and those about its memories: else 404', async () => {
    const { whole, limited, own, other, keyFor } = await scene();
    const later = async (client: Client, space_id: string): Promise<string> => {
      const { id } = await whole.memories.create({
        body: { content: `A note ${randomUUID()}.`, space_id },
      });
      const answer = await client.request({
        method: 'POST',
        path: `/memories/${id}/enrich`,
        headers: { prefer: 'respond-async' },
        body: { operations: ['quality'] },
      });
      return (answer.body as { job_id: string }).job_id;
    };
    const erased = async (client: Client, space_id: string): Promise<string> => {
      const body = { content: `A note ${randomUUID()}.`, space_id };
      const { id } = await whole.memories.create({ body });
      return (await client.memories.bulkDelete({ body: { ids: [id] } })).job_id ?? '';
    };
    const narrow = mailing.service.client((await keyFor('narrow', [own])).key);
    const beside = mailing.service.client((await keyFor('beside', [other])).key);
    const jobs = {
      'its own': await erased(limited, own),
      'of a key within its spaces': await erased(narrow, own),
      'about its memory': await later(whole, own),
      'of a key of every space': await erased(whole, own),
      'of a key of another space': await erased(beside, other),
      'about a memory of another space': await later(whole, other),
      'a run of the whole account': (await whole.clusters.full({ body: {} })).job_id,
      'a run of its space': (await whole.clusters.full({ body: { space_id: own } })).job_id,
    };
    const statuses: Record<string, number> = {};
    for (const [name, id] of Object.entries(jobs)) {
      statuses[name] = (await limited.request({ method: 'GET', path: `/jobs/${id}` })).status;
      expect((await whole.jobs.get({ params: { id } })).id).toBe(id);
    }
    expect(statuses).toEqual({
      'its own': 200,
      'of a key within its spaces': 200,
      'about its memory': 200,
      'of a key of every space': 404,
      'of a key of another space': 404,
      'about a memory of another space': 404,
      'a run of the whole account': 404,
      'a run of its space': 200,
    });
  });

  it('causes jobs that reach no memory that has left its spaces since', async () => {
    const { whole, limited, own, other } = await scene();
    const body = { content: 'Deploy with npm run deploy.', space_id: own };
    const { id } = await whole.memories.create({ body });
    const answer = await limited.request({
      method: 'POST',
      path: `/memories/${id}/enrich`,
      headers: { prefer: 'respond-async' },
      body: { operations: ['summary'] },
    });
    const params = { id: (answer.body as { job_id: string }).job_id };
    await whole.memories.update({ params: { id }, body: { space_id: other } });
    await mailing.service.running.context.worker.drain();
    expect(await whole.jobs.get({ params })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('space'),
    });
  });
});
