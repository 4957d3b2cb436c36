import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { MailReceiver } from '../../support/mail-receiver.ts';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines, type Service } from '../../support/service.ts';

const plain = {
  name: 'told',
  triggerType: 'memory_created',
  emailSubjectTemplate: 'New: {{memory.content}}',
  emailBodyTemplate: '{{memory.content}} {{join memory.tags}}',
  recipients: ['ana@example.com'],
};
type Settings = Partial<typeof plain> &
  Pick<Reaction, 'triggerConditions' | 'cooldownMinutes' | 'maxPerDay' | 'isActive'>;
type Reaction = Parameters<Client['email']['createReaction']>[0]['body'];
const minuteMs = 60_000;
const dayMs = 86_400_000;

describe.each(engines)('reactions on %s', (engine) => {
  /** Part of addresses, which are stored in lower case. */
  const on = engine.toLowerCase();
  let service: Service;
  let receiver: MailReceiver;
  let clock: FakeClock;
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, { MNEME_EMAIL_DOMAIN: 'mail.test' });
    ({ service, receiver, clock } = mailing);
  });
  afterAll(() => mailing[Symbol.asyncDispose]());

  let accounts = 0;
  /** A new account whose reactions send to a unique recipient. */
  async function surroundings(settings: Settings = {}) {
    const { client } = await service.createAccount();
    accounts += 1;
    const recipient = `reader${accounts}.${on}@example.com`;
    const body = { ...plain, recipients: [recipient], ...settings };
    const reaction = await client.email.createReaction({ body });
    const store = (content: string, tags: string[] = []) =>
      client.memories.create({ body: { content, tags } });
    const told = async () => {
      await service.running.context.mailer.drain();
      return receiver.receivedBy(recipient);
    };
    return { client, recipient, reaction, store, told };
  }

  const post = (client: Client, settings: object) =>
    client.request({ method: 'POST', path: '/email/reactions', body: { ...plain, ...settings } });

  it('an event that it waits for becomes a mail, as text and as HTML, once', async () => {
    const { store, told, reaction, client } = await surroundings();
    expect(reaction).toMatchObject({ triggerType: 'memory_created', sentToday: 0 });
    await store('Ana prefers <b>tea</b> & cake', ['drinks', 'cake']);
    const [first, ...others] = await told();
    expect(others).toEqual([]);
    expect(first?.mail).toMatchObject({
      subject: 'New: Ana prefers <b>tea</b> & cake',
      text: 'Ana prefers <b>tea</b> & cake drinks, cake',
    });
    expect(first?.mail.html).toContain('Ana prefers &lt;b&gt;tea&lt;/b&gt; &amp; cake');
    expect(first?.mail.from?.value[0]?.address).toBe('no-reply@mail.test');
    expect(first?.from).toMatch(/^bounce-[a-z2-7]{45}@mail\.test$/);
    expect(await told()).toHaveLength(1);
    const { data } = await client.email.listReactions();
    expect(data[0]).toMatchObject({ sentToday: 1, lastTriggeredAt: expect.any(String) });
  });

  it('what was there before it, or while it was off, is not told', async () => {
    const { client, recipient, store, told, reaction } = await surroundings();
    const params = { id: reaction.id };
    await client.email.updateReaction({ params, body: { isActive: false } });
    await store('while it was off');
    await client.email.updateReaction({ params, body: { isActive: true } });
    await store('after it was on');
    expect((await told()).map(({ mail }) => mail.subject)).toEqual(['New: after it was on']);
    const body = { ...plain, name: 'another', recipients: [`another.${recipient}`] };
    await client.email.createReaction({ body });
    await service.running.context.mailer.drain();
    expect(receiver.receivedBy(`another.${recipient}`)).toEqual([]);
  });

  it('all conditions must hold', async () => {
    const triggerConditions = { tags: ['drinks', 'hot'], contentContains: 'TEA' };
    const { store, told } = await surroundings({ triggerConditions });
    await store('tea without a second tag', ['drinks']);
    await store('coffee with both', ['drinks', 'hot']);
    await store('green tea with both', ['hot', 'green', 'drinks']);
    expect((await told()).map(({ mail }) => mail.subject)).toEqual(['New: green tea with both']);
  });

  it('an event that it does not wait for is not told', async () => {
    const { client, store, told } = await surroundings({
      triggerType: 'memory.updated',
      emailSubjectTemplate: '{{event.type}} {{#each event.changes}}{{this}} {{/each}}',
    });
    const { id } = await store('before');
    await client.memories.update({ params: { id }, body: { content: 'after' } });
    const [first, ...others] = await told();
    expect(others).toEqual([]);
    expect(first?.mail.subject).toMatch(/^memory\.updated .*content/);
  });

  it('rests for its cooldown, and after its most of a day until the next', async () => {
    // Must not cross midnight.
    const leftMs = dayMs - (clock.now().getTime() % dayMs);
    if (leftMs < 120 * minuteMs) clock.advance(leftMs + minuteMs);
    const { store, told } = await surroundings({ cooldownMinutes: 10, maxPerDay: 2 });
    const subjects = async () => (await told()).map(({ mail }) => mail.subject?.slice(5));
    await store('one');
    await store('within the same look');
    expect(await subjects()).toEqual(['one']);
    clock.advance(9 * minuteMs);
    await store('within the cooldown');
    expect(await subjects()).toEqual(['one']);
    clock.advance(2 * minuteMs);
    await store('two');
    expect(await subjects()).toEqual(['one', 'two']);
    clock.advance(11 * minuteMs);
    await store('beyond the most');
    expect(await subjects()).toEqual(['one', 'two']);
    clock.advance(dayMs);
    await store('on another day');
    expect(await subjects()).toEqual(['one', 'two', 'on another day']);
  });

  it('writes once, however many processes look at once', async () => {
    const { store, told, recipient } = await surroundings({ maxPerDay: 3 });
    for (let i = 0; i < 8; i += 1) await store(`memory ${i}`);
    const { mailer } = service.running.context;
    await Promise.all(Array.from({ length: 4 }, () => mailer.drain()));
    await told();
    const subjects = receiver.receivedBy(recipient).map(({ mail }) => mail.subject);
    expect(subjects.toSorted()).toEqual(['New: memory 0', 'New: memory 1', 'New: memory 2']);
  });

  it('a text with line breaks makes no header of its own', async () => {
    const { store, told } = await surroundings();
    await store('Hello\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>');
    const [first] = await told();
    expect(first?.to).toHaveLength(1);
    expect(first?.mail.bcc).toBeUndefined();
    expect(first?.mail.headers.get('bcc')).toBeUndefined();
    expect(first?.mail.subject).toBe('New: Hello Bcc: eve@example.com <script>alert(1)</script>');
    expect(first?.mail.html).not.toContain('<script>');
  });

  it('says that it was made by a program, and can be stopped by one click', async () => {
    const { store, told, recipient } = await surroundings();
    await store('one');
    const [first] = await told();
    expect(first?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(first?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(first?.mail.headers.has('list')).toBe(true);
    expect(first?.to).toEqual([recipient]);
  });

  it('is told of the spaces alone that the key which made it may use', async () => {
    const { client: whole } = await service.createAccount();
    const red = await whole.spaces.create({ body: { name: 'red' } });
    const blue = await whole.spaces.create({ body: { name: 'blue' } });
    const limited = { name: 'limited', space_ids: [red.id, 'default'] };
    const client = service.client((await whole.keys.create({ body: limited })).key);
    const recipients = [`red.${on}@example.com`];
    const created = await client.email.createReaction({ body: { ...plain, recipients } });
    for (const space_id of [blue.id, red.id]) {
      await whole.memories.create({ body: { content: `in ${space_id}`, space_id } });
    }
    await service.running.context.mailer.drain();
    const subjects = receiver.receivedBy(recipients[0] ?? '').map(({ mail }) => mail.subject);
    expect(subjects).toEqual([`New: in ${red.id}`]);

    const all = await whole.email.createReaction({ body: { ...plain, name: 'all' } });
    const { data } = await client.email.listReactions();
    expect(data.map(({ id }) => id)).toEqual([created.id]);
    const path = `/email/reactions/${all.id}`;
    const changed = await client.request({ method: 'PATCH', path, body: { maxPerDay: 1 } });
    expect(changed).toMatchObject({ status: 403, body: { error: 'space_access_denied' } });
    const removed = await client.request({ method: 'DELETE', path });
    expect(removed).toMatchObject({ status: 403 });
  });

  it('with no recipient, the contact of the account is written to', async () => {
    const { client } = await service.createAccount();
    const contact_email = `contact.${on}@example.com`;
    await client.account.update({ body: { contact_email } });
    await client.email.createReaction({ body: { ...plain, recipients: [] } });
    await client.memories.create({ body: { content: 'for the contact' } });
    await service.running.context.mailer.drain();
    expect(receiver.receivedBy(contact_email)).toHaveLength(1);
  });

  it('is refused with a template that is none, or does what no mail may', async () => {
    const { client } = await service.createAccount();
    const bodies = [
      '{{{memory.content}}}',
      '{{&memory.content}}',
      '{{#if x}}',
      '{{> partial}}',
      '{{* decorator}}',
      '{{exec "rm"}}',
      '{{lookup memory "content"}}',
      '{{#memory}}{{content}}{{/memory}}',
      '{{#each}}{{/each}}',
      '{{'.repeat(50),
    ];
    for (const emailBodyTemplate of bodies) {
      const answer = await post(client, { emailBodyTemplate });
      expect(answer, emailBodyTemplate).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: expect.stringMatching(/^emailBodyTemplate /) },
      });
    }
  });

  it('is refused with an unknown event, a name that is taken, and our own address', async () => {
    const { client, reaction } = await surroundings();
    expect(await post(client, { triggerType: 'memory_dreamt' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_events' },
    });
    expect(await post(client, {})).toMatchObject({ status: 409, body: { error: 'conflict' } });
    const { email } = await client.email.createAddress({ body: {} });
    const ours = await post(client, { name: 'to us', recipients: ['a@b.example', email] });
    expect(ours).toMatchObject({
      status: 400,
      body: { error: 'bad_request', message: expect.stringMatching(/^recipients\.1 /) },
    });
    for (const recipients of [['a@b.example\r\nBcc: eve@b.example'], ['none']]) {
      expect(await post(client, { name: 'odd', recipients })).toMatchObject({ status: 400 });
    }
    await client.email.removeReaction({ params: { id: reaction.id } });
    expect(await post(client, {})).toMatchObject({ status: 201 });
    const gone = { method: 'DELETE', path: `/email/reactions/${reaction.id}` } as const;
    expect(await client.request(gone)).toMatchObject({ status: 404 });
  });

  it('an account has at most a hundred', async () => {
    const { client } = await service.createAccount();
    for (let i = 0; i < 100; i += 1) {
      await client.email.createReaction({ body: { ...plain, name: `reaction ${i}` } });
    }
    expect(await post(client, { name: 'one more' })).toMatchObject({
      status: 403,
      body: { error: 'quota_exceeded' },
    });
    expect((await client.email.listReactions()).pagination.total).toBe(100);
  });
});
