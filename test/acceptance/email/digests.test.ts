import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { MailReceiver } from '../../support/mail-receiver.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines, type Service } from '../../support/service.ts';

type Settings = Parameters<Client['email']['createDigest']>[0]['body'];

const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe.each(engines)('digests on %s', (engine) => {
  /** Part of addresses, which are stored in lower case. */
  const on = engine.toLowerCase();
  let service: Service;
  let receiver: MailReceiver;
  let clock: FakeClock;
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, {
      MNEME_PUBLIC_URL: 'https://mneme.example.com/',
    });
    ({ service, receiver, clock } = mailing);
  });
  afterAll(() => mailing[Symbol.asyncDispose]());

  let accounts = 0;
  /** A new account with a digest to a unique recipient. */
  async function surroundings(settings: Partial<Settings> = {}) {
    const { client, key } = await service.createAccount();
    accounts += 1;
    const recipient = `reader${accounts}.${on}@example.com`;
    const body = {
      name: 'The day',
      scheduleType: 'daily' as const,
      recipients: [recipient],
      ...settings,
    };
    const digest = await client.email.createDigest({ body });
    const store = (content: string, tags: string[] = []) =>
      client.memories.create({ body: { content, tags } });
    return { client, key, recipient, digest, store, params: { id: digest.id } };
  }

  /** Sends due digests and returns all mail to the recipient. */
  async function sent(recipient: string) {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
    return receiver.receivedBy(recipient);
  }

  const untilMs = (at: string | null): number =>
    new Date(at ?? '').getTime() - clock.now().getTime();

  it('tells of each period once, as text and as HTML, at the hour of its zone', async () => {
    const { client, recipient, digest, store } = await surroundings({
      timezone: 'Asia/Kathmandu',
      hour: 7,
    });
    expect(digest.nextRunAt).toMatch(/T01:15:00\.000Z$/);
    await store('Ana prefers <i>tea</i>', ['drinks']);
    await store('Bo prefers coffee');
    clock.advance(untilMs(digest.nextRunAt) - 60_000);
    expect(await sent(recipient)).toEqual([]);
    clock.advance(120_000);
    const [first, ...others] = await sent(recipient);
    expect(others).toEqual([]);
    expect(first?.mail.subject).toBe('The day: 2 new');
    expect(first?.mail.text).toContain('- Ana prefers <i>tea</i>\n');
    expect(first?.mail.text).toContain('#drinks');
    expect(first?.mail.html).toContain('Ana prefers &lt;i&gt;tea&lt;/i&gt;');
    expect(first?.mail.html).toContain('<table');

    await store('Cy prefers water');
    clock.advance(dayMs);
    const [, second, ...more] = await sent(recipient);
    expect(more).toEqual([]);
    expect(second?.mail.subject).toBe('The day: 1 new');
    expect(second?.mail.text).toContain('Cy prefers water');
    expect(second?.mail.text).not.toContain('Ana');
    const { data } = await client.email.listDigests();
    expect(data[0]).toMatchObject({ lastSentAt: expect.any(String) });
    expect(untilMs(data[0]?.nextRunAt ?? null)).toBeGreaterThan(0);
  });

  it('is sent once, however many workers look at once', async () => {
    const { recipient, digest, store } = await surroundings();
    await store('one');
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    const { app } = service.running.context;
    const { sendDueDigests } = await import('../../../packages/server/src/domains/email/index.ts');
    const job = {
      id: app.ids.uuid(),
      accountId: null,
      payload: {},
      spaces: null,
      saveProgress: async () => undefined,
      shouldYield: () => false,
      isLastAttempt: false,
      stopSignal: new AbortController().signal,
    };
    await Promise.all(Array.from({ length: 6 }, () => sendDueDigests(app, job)));
    expect(await sent(recipient)).toHaveLength(1);
  });

  it('does not wait for a clock that was ahead and has gone back', async () => {
    const { client, digest, recipient, store } = await surroundings();
    const { db } = service.running.context.app.engine;
    const ahead = new Date(clock.now().getTime() + 365 * dayMs);
    const wrong = { next_run_at: ahead, covered_until: ahead };
    await db.updateTable('email_digests').set(wrong).where('id', '=', digest.id).execute();
    clock.advance(61_000);
    expect(await sent(recipient)).toEqual([]);
    const { data } = await client.email.listDigests();
    const waitMs = untilMs(data[0]?.nextRunAt ?? null);
    expect(waitMs).toBeLessThanOrEqual(dayMs + hourMs);
    await store('after the clock was put right');
    clock.advance(waitMs + 1_000);
    expect((await sent(recipient)).map(({ mail }) => mail.subject)).toEqual(['The day: 1 new']);
  });

  it('after a standstill one mail tells of all that was missed', async () => {
    const { recipient, digest, store } = await surroundings();
    await store('on the first day');
    clock.advance(untilMs(digest.nextRunAt) + 5 * dayMs + hourMs);
    expect((await sent(recipient)).map(({ mail }) => mail.subject)).toEqual(['The day: 1 new']);
  });

  it('shows no more than its items, of its tags, and what is asked for', async () => {
    const { recipient, digest, store, client } = await surroundings({
      maxItems: 2,
      tags: ['work'],
      includeHighlights: false,
    });
    for (let i = 1; i <= 4; i += 1) await store(`work ${i}`, ['work', `t${i}`]);
    await store('at home', ['home']);
    const { id } = await store('taken back', ['work']);
    await client.memories.remove({ params: { id } });
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    const [first] = await sent(recipient);
    const text = first?.mail.text ?? '';
    expect(first?.mail.subject).toBe('The day: 4 new');
    expect(text.match(/^- .*$/gm)).toEqual(['- work 4', '- work 3']);
    expect(text).toContain('4 new memories, 2 of them not shown.');
    expect(text).not.toContain('Highlights');
  });

  it('has the most salient memories of the period as highlights', async () => {
    const { recipient, digest, store, client } = await surroundings({
      includeNewMemories: false,
      maxItems: 1,
    });
    const { id } = await store('the one that helped');
    await store('the newest one');
    await client.memories.feedback({ params: { id }, body: { helpful: true } });
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    const [first] = await sent(recipient);
    expect(first?.mail.text?.match(/^- .*$/gm)).toEqual(['- the one that helped']);
  });

  it('is sent at once when that is asked for, and its schedule stays', async () => {
    const { client, recipient, store, digest, params } = await surroundings();
    await store('one');
    const { job_id } = await client.email.sendDigest({ params });
    expect((await sent(recipient)).map(({ mail }) => mail.subject)).toEqual(['The day: 1 new']);
    const job = await client.request({ method: 'GET', path: `/jobs/${job_id}` });
    expect(job).toMatchObject({ status: 200, body: { status: 'completed' } });
    const { data } = await client.email.listDigests();
    expect(data[0]?.nextRunAt).toBe(digest.nextRunAt);
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    expect((await sent(recipient))[1]?.mail.subject).toBe('The day: 1 new');
  });

  it('sends nothing while it is off, and then tells of what comes', async () => {
    const { client, recipient, store, digest, params } = await surroundings();
    const off = await client.email.updateDigest({ params, body: { isActive: false } });
    expect(off).toMatchObject({ isActive: false, nextRunAt: null });
    await store('while it was off');
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    expect(await sent(recipient)).toEqual([]);
    const on = await client.email.updateDigest({ params, body: { isActive: true } });
    await store('after it was on');
    clock.advance(untilMs(on.nextRunAt) + 1_000);
    const [first] = await sent(recipient);
    expect(first?.mail.subject).toBe('The day: 1 new');
    expect(first?.mail.text).toContain('after it was on');
  });

  it('a new schedule counts from when it was set', async () => {
    const { client, params, digest } = await surroundings({ timezone: 'Europe/Vienna' });
    const later = (new Date(digest.nextRunAt ?? '').getUTCHours() + 5) % 24;
    const changed = await client.email.updateDigest({
      params,
      body: { timezone: 'UTC', hour: later },
    });
    expect(new Date(changed.nextRunAt ?? '').getUTCHours()).toBe(later);
    expect(untilMs(changed.nextRunAt)).toBeLessThanOrEqual(dayMs);
    const renamed = await client.email.updateDigest({ params, body: { name: 'Another' } });
    expect(renamed).toMatchObject({ name: 'Another', nextRunAt: changed.nextRunAt });
  });

  describe('one click', () => {
    /** The unsubscribe link of a sent digest, as a path of this service. */
    async function linked() {
      const around = await surroundings();
      await around.client.email.sendDigest({ params: around.params });
      const [first] = await sent(around.recipient);
      const header = first?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
      const [, url = ''] = /^List-Unsubscribe: <(https:[^>]+)>/m.exec(header) ?? [];
      expect(header).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      expect(first?.mail.text).toContain(url);
      expect(url).toMatch(/^https:\/\/mneme\.example\.com\/v1\/email\/unsubscribe\?/);
      const { pathname, search } = new URL(url);
      return { ...around, link: new URL(`${pathname}${search}`, service.url) };
    }
    const click = (link: URL) =>
      fetch(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });

    it('ends all of these to a recipient, without a key', async () => {
      const { client, recipient, digest, link } = await linked();
      const answer = await click(link);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect((await click(link)).status).toBe(200);
      const { data } = await client.email.listSuppressions();
      expect(data).toEqual([
        {
          email: recipient,
          reason: 'unsubscribe',
          detail: null,
          createdAt: expect.any(String),
          created_at: expect.any(String),
        },
      ]);
      clock.advance(untilMs(digest.nextRunAt) + 1_000);
      expect(await sent(recipient)).toHaveLength(1);

      await client.email.removeSuppression({ params: { email: recipient } });
      clock.advance(dayMs);
      expect(await sent(recipient)).toHaveLength(2);
      const again = client.email.removeSuppression({ params: { email: recipient } });
      await expect(again).rejects.toMatchObject({ status: 404 });
    });

    it('is asked for by a page that changes nothing', async () => {
      const { client, recipient, link } = await linked();
      const answer = await fetch(link);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const html = await answer.text();
      expect(html).toContain('<form method="post">');
      expect(html).toContain(recipient);
      expect((await client.email.listSuppressions()).data).toEqual([]);
    });

    it('is refused where the link is not ours', async () => {
      const { client, link } = await linked();
      for (const [name, value] of [
        ['email', 'bo@example.com'],
        ['account', (await service.createAccount()).id],
        ['signature', 'x'.repeat(43)],
      ] as const) {
        const other = new URL(link);
        other.searchParams.set(name, value);
        expect((await click(other)).status).toBe(403);
        expect((await fetch(other)).status).toBe(403);
      }
      expect((await client.email.listSuppressions()).data).toEqual([]);
    });
  });

  it('is refused with no zone, a name that is taken, and our own address', async () => {
    const { client } = await surroundings();
    const { email } = await client.email.createAddress({ body: {} });
    const post = (body: object) =>
      client.request({
        method: 'POST',
        path: '/email/digests',
        body: { name: 'odd', scheduleType: 'daily', ...body },
      });
    for (const body of [
      { timezone: 'Europe/Atlantis' },
      { timezone: '+02:00' },
      { scheduleType: 'hourly' },
      { hour: 24 },
      { weekday: 0 },
      { day: 32 },
      { recipients: [email] },
    ]) {
      expect(await post(body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: 'bad_request' },
      });
    }
    expect(await post({ name: 'The day' })).toMatchObject({ status: 409 });
  });

  it('tells of the spaces alone that the key which made it may use', async () => {
    const { client: whole } = await service.createAccount();
    const red = await whole.spaces.create({ body: { name: 'red' } });
    const blue = await whole.spaces.create({ body: { name: 'blue' } });
    const limited = { name: 'limited', space_ids: [red.id, 'default'] };
    const client = service.client((await whole.keys.create({ body: limited })).key);
    const recipient = `red.${on}@example.com`;
    const body = { name: 'red', scheduleType: 'daily' as const, recipients: [recipient] };
    const { id } = await client.email.createDigest({ body });
    for (const space_id of [blue.id, red.id]) {
      await whole.memories.create({ body: { content: `in ${space_id}`, space_id } });
    }
    await client.email.sendDigest({ params: { id } });
    const [first] = await sent(recipient);
    expect(first?.mail.text).toContain(`in ${red.id}`);
    expect(first?.mail.text).not.toContain(blue.id);
    const all = await whole.email.createDigest({ body: { ...body, name: 'all' } });
    const path = `/email/digests/${all.id}/send`;
    expect(await client.request({ method: 'POST', path })).toMatchObject({ status: 403 });
    expect((await client.email.listDigests()).data.map((one) => one.id)).toEqual([id]);
  });

  it('is gone once it was removed', async () => {
    const { client, recipient, digest, params } = await surroundings();
    await client.email.removeDigest({ params });
    clock.advance(untilMs(digest.nextRunAt) + 1_000);
    expect(await sent(recipient)).toEqual([]);
    const again = client.email.removeDigest({ params });
    await expect(again).rejects.toMatchObject({ status: 404 });
    expect((await client.email.listDigests()).data).toEqual([]);
  });
});
