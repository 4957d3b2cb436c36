import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { emptyDns, SmtpConversation, sendMail, smtpPortOf } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const uuid = /^[0-9a-f-]{36}$/;
const dayMs = 86_400_000;

describe.each(engines)('an address on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, {
      env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test' },
      overrides: { clock, resolveName: emptyDns },
    });
  });
  afterAll(() => service.stop());

  it('is 404 until it is made, and then 201 with an unguessable local part', async () => {
    const { client } = await service.createAccount();
    const none = await client.request({ method: 'GET', path: '/email/address' });
    expect(none).toMatchObject({ status: 404, body: { error: 'not_found' } });
    const created = await client.request({ method: 'POST', path: '/email/address' });
    expect(created.status).toBe(201);
    const localPart = expect.stringMatching(/^[a-z2-9]{16}$/);
    expect(created.body).toEqual({
      id: expect.stringMatching(uuid),
      email: expect.stringMatching(/^[a-z2-9]{16}@mail\.test$/),
      localPart,
      local_part: localPart,
      domain: 'mail.test',
      isActive: true,
      is_active: true,
      createdAt: expect.any(String),
      created_at: expect.any(String),
      acceptsUntil: null,
      accepts_until: null,
    });
    expect(await client.email.getAddress()).toEqual(created.body);
  });

  it('is one at a time: a second is 409, unless it is made anew', async () => {
    const { client } = await service.createAccount();
    const first = await client.email.createAddress({ body: {} });
    const again = await client.request({ method: 'POST', path: '/email/address', body: {} });
    expect(again).toMatchObject({ status: 409, body: { error: 'conflict' } });
    const second = await client.email.createAddress({ body: { regenerate: true } });
    expect(second.email).not.toBe(first.email);
    const to = { from: 'ana@example.com', subject: 'x' };
    await expect(sendMail(service, { ...to, to: first.email })).rejects.toMatchObject({
      responseCode: 550,
    });
    await sendMail(service, { ...to, to: second.email });
  });

  it('that was rotated takes mail for its days of grace, and no longer', async () => {
    const { client } = await service.createAccount();
    const first = await client.email.createAddress({ body: {} });
    const rotated = await client.request({
      method: 'POST',
      path: '/email/address/rotate',
      body: { gracePeriodDays: 3 },
    });
    expect(rotated).toMatchObject({
      status: 201,
      body: { previousEmail: first.email, gracePeriodDays: 3 },
    });
    const mail = { from: 'ana@example.com', to: first.email, subject: 'late' };
    clock.advance(3 * dayMs - 60_000);
    await sendMail(service, mail);
    clock.advance(60_000);
    await expect(sendMail(service, mail)).rejects.toMatchObject({ responseCode: 550 });
    const { data } = await client.email.listAddresses();
    expect(data.map(({ isActive }) => isActive)).toEqual([true, false]);
    const { email } = rotated.body as { email: string };
    await sendMail(service, { ...mail, to: email });
  });

  it('takes the mail that is on its way while leftovers of days before are swept', async () => {
    const { client } = await service.createAccount();
    const { email } = await client.email.createAddress({ body: {} });
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.startData('ana@example.com', email);
    // Fast enough for the next check of the transfer rate.
    const half = 'the first half\r\n'.repeat(20_000);
    conversation.write(`Subject: slow\r\n\r\n${half}`);
    const drafts = path.join(service.config.dataDir, 'blobs', 'new');
    const written = async (): Promise<number> => {
      const [draft] = await readdir(drafts).catch(() => []);
      return draft === undefined ? 0 : (await stat(path.join(drafts, draft))).size;
    };
    await eventually(written, (bytes) => bytes > half.length / 2);
    clock.advance(2 * dayMs);
    await service.running.context.worker.drain();
    expect(await conversation.sendLine(' and the second\r\n.')).toMatch(/^250/);
  });

  it('without days told keeps the former one for 7', async () => {
    const { client } = await service.createAccount();
    await client.email.createAddress({ body: {} });
    const { gracePeriodDays } = await client.email.rotateAddress({ body: {} });
    expect(gracePeriodDays).toBe(7);
    const tooLong = await client.request({
      method: 'POST',
      path: '/email/address/rotate',
      body: { gracePeriodDays: 91 },
    });
    expect(tooLong).toMatchObject({ status: 400, body: { error: 'bad_request' } });
  });

  it('that is deactivated takes nothing, nor do those before it', async () => {
    const { client } = await service.createAccount();
    const first = await client.email.createAddress({ body: {} });
    const { email: second } = await client.email.rotateAddress({ body: {} });
    const deleted = await client.request({ method: 'DELETE', path: '/email/address' });
    expect(deleted.status).toBe(204);
    for (const to of [first.email, second]) {
      const mail = { from: 'ana@example.com', to, subject: 'x' };
      await expect(sendMail(service, mail)).rejects.toMatchObject({ responseCode: 550 });
    }
    const again = await client.request({ method: 'DELETE', path: '/email/address' });
    expect(again.status).toBe(404);
    const rotate = await client.request({ method: 'POST', path: '/email/address/rotate' });
    expect(rotate.status).toBe(404);
    expect((await client.email.createAddress({ body: {} })).isActive).toBe(true);
  });

  it('takes what stands behind a plus, and any case of letters', async () => {
    const { client } = await service.createAccount();
    const { localPart } = await client.email.createAddress({ body: {} });
    const to = `${localPart.toUpperCase()}+work@MAIL.test`;
    await sendMail(service, { from: 'ana@example.com', to, subject: 'x' });
    expect((await client.email.listHistory()).pagination.total).toBe(1);
  });

  it("is the account's own, and a key that is limited to spaces needs default", async () => {
    const { client } = await service.createAccount();
    await client.email.createAddress({ body: {} });
    const other = await service.createAccount();
    expect((await other.client.email.listAddresses()).data).toEqual([]);
    const space = await client.spaces.create({ body: { name: 'one' } });
    const { key } = await client.keys.create({ body: { name: 'k', space_ids: [space.id] } });
    const refused = await service.client(key).request({ method: 'GET', path: '/email/address' });
    expect(refused).toMatchObject({ status: 403, body: { error: 'space_access_denied' } });
    const reader = await client.keys.create({ body: { name: 'r', scopes: ['email:read'] } });
    const write = await service
      .client(reader.key)
      .request({ method: 'POST', path: '/email/address', body: { regenerate: true } });
    expect(write).toMatchObject({ status: 403, body: { error: 'insufficient_permissions' } });
    const nobody = await fetch(`${service.url}/v1/email/address`);
    expect(nobody.status).toBe(401);
    expect(await nobody.json()).toMatchObject({ error: 'unauthorized' });
  });
});
