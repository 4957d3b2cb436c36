import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  allowSenders,
  getOrCreateAddress,
  mailServiceOptions,
  postInboundMail,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { advanceToNextMinute } from '../limits/usage-and-windows.ts';

describe.each(engines)('sender rules on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, mailServiceOptions);
  });
  afterAll(() => service.stop());

  it('are made, listed by type, and removed by their pattern', async () => {
    const { client } = await service.createAccount();
    const block = { emailPattern: '*@spam.example', ruleType: 'block' as const, reason: 'ads' };
    const created = await client.request({ method: 'POST', path: '/email/senders', body: block });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...block,
      email_pattern: block.emailPattern,
      rule_type: block.ruleType,
      id: expect.any(String),
      user_id: null,
      agent_id: null,
      run_id: null,
      createdAt: expect.any(String),
      created_at: expect.any(String),
    });
    await client.email.addSender({ body: { emailPattern: 'ana@example.com', ruleType: 'allow' } });
    const blocked = await client.email.listSenders({ query: { ruleType: 'block' } });
    expect(blocked.data).toEqual([created.body]);
    expect((await client.email.listSenders()).pagination.total).toBe(2);
    const again = await client.request({ method: 'POST', path: '/email/senders', body: block });
    expect(again).toMatchObject({ status: 409, body: { error: 'conflict' } });
    const pattern = encodeURIComponent('*@SPAM.example');
    const deleted = await client.request({ method: 'DELETE', path: `/email/senders/${pattern}` });
    expect(deleted.status).toBe(204);
    const twice = await client.request({ method: 'DELETE', path: `/email/senders/${pattern}` });
    expect(twice.status).toBe(404);
  });

  it('refuse a wrong type or pattern with every field told', async () => {
    const { client } = await service.createAccount();
    const body = { emailPattern: 'a b', ruleType: 'maybe' };
    const answer = await client.request({ method: 'POST', path: '/email/senders', body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'bad_request' });
    const { message } = answer.body as { message: string };
    expect(message).toContain('emailPattern');
    expect(message).toContain('ruleType');
  });

  it('answer a check with the rule that holds', async () => {
    const { client } = await service.createAccount();
    const check = (email: string) => client.email.checkSender({ body: { email } });
    expect(await check('ana@example.com')).toEqual({
      allowed: true,
      reason: null,
      matchedRule: null,
      matched_rule: null,
    });
    const rule = await client.email.addSender({
      body: { emailPattern: '*@example.com', ruleType: 'block', reason: 'too loud' },
    });
    expect(await check('Ana@Example.com')).toEqual({
      allowed: false,
      reason: 'too loud',
      matchedRule: rule,
      matched_rule: rule,
    });
    await client.email.addSender({ body: { emailPattern: 'ana@example.com', ruleType: 'allow' } });
    expect((await check('ana@example.com')).allowed).toBe(true);
    expect((await check('bob@example.com')).allowed).toBe(false);
    // With an allow rule, senders without one are rejected.
    expect(await check('cy@other.example')).toMatchObject({ allowed: false, matchedRule: null });
  });

  it('refuse a blocked sender with 550, record it, and do nothing it asks for', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await client.email.addSender({ body: { emailPattern: '*@spam.example', ruleType: 'block' } });
    const mail = { from: 'x@spam.example', to, subject: 'buy', messageId: '<b1@spam.example>' };
    await expect(sendMail(service, mail)).rejects.toMatchObject({ responseCode: 550 });
    const { data } = await client.email.listHistory({ query: { status: 'rejected' } });
    expect(data).toMatchObject([{ sender: 'x@spam.example', responseMemoryId: null }]);
    expect((await client.memories.list()).data).toEqual([]);
    const raw = `From: y@spam.example\r\nTo: ${to}\r\nSubject: buy\r\n\r\nnow\r\n`;
    expect(await postInboundMail(client, raw)).toMatchObject({
      status: 202,
      body: { status: 'rejected' },
    });
  });

  it('look at who wrote a mail, whoever handed it in', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client, 'ana@example.com');
    const own = { envelope: { from: 'bounce@example.com', to }, from: 'ana@example.com', to };
    const id = await sendMail(service, { ...own, subject: 'ours' });
    expect((await waitForProcessedMail(client, id)).status).toBe('completed');
    const spoofed = { envelope: { from: 'ana@example.com', to }, from: 'eve@evil.example', to };
    await expect(sendMail(service, { ...spoofed, subject: 'x' })).rejects.toMatchObject({
      responseCode: 550,
    });
    const both = 'From: ana@example.com, eve@evil.example';
    const raw = `${both}\r\nTo: ${to}\r\nSubject: two\r\n\r\nx\r\n`;
    expect(await postInboundMail(client, raw)).toMatchObject({ body: { status: 'rejected' } });
  });

  it('refuse senders that none allows where the account accepts no unknown ones', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await client.account.update({ body: { settings: { email: { accept_unknown: 'reject' } } } });
    const mail = { from: 'ana@example.com', to, subject: 'store: tea' };
    await expect(sendMail(service, mail)).rejects.toMatchObject({ responseCode: 550 });
    const check = () => client.email.checkSender({ body: { email: 'ana@example.com' } });
    expect(await check()).toMatchObject({ allowed: false, matchedRule: null });
    await allowSenders(client, 'ana@example.com');
    expect((await check()).allowed).toBe(true);
    const id = await sendMail(service, { ...mail, messageId: '<known@example.com>' });
    expect(await waitForProcessedMail(client, id)).toMatchObject({
      status: 'completed',
      verified: true,
    });
  });
});

describe('inbound limits', () => {
  const clock = createFakeClock();
  let service: Service;
  beforeAll(async () => {
    const overrides = { ...mailServiceOptions.overrides, clock };
    service = await startService('embedded', { ...mailServiceOptions, overrides });
  });
  afterAll(() => service.stop());

  it('take 10 mails a minute to an address, tell more to come again, and record none', async () => {
    const { client } = await service.createAccount('max');
    const to = await getOrCreateAddress(client);
    const codes: number[] = [];
    advanceToNextMinute(clock);
    for (let i = 0; i < 12; i += 1) {
      await sendMail(service, { from: 'ana@example.com', to, subject: `n ${i}` }).then(
        () => codes.push(250),
        (error: { responseCode: number }) => codes.push(error.responseCode),
      );
    }
    expect(codes).toEqual([...Array(10).fill(250), 450, 450]);
    const { pagination } = await client.email.listHistory();
    expect(pagination.total).toBe(10);
    const raw = `From: a@example.com\r\nTo: ${to}\r\nMessage-ID: <l@x>\r\nSubject: s\r\n\r\nx\r\n`;
    const answer = await postInboundMail(client, raw);
    expect(answer).toMatchObject({ status: 202, body: { status: 'rate_limited' } });
    expect((await client.memories.list()).data.length).toBeLessThanOrEqual(10);
  });
});
