import { createHash } from 'node:crypto';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  emptyDns,
  getOrCreateAddress,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { blobPath } from '../media/blobs.ts';
import { runVerification, summarizeInconsistencies } from '../verify/run-verification.ts';

const picture = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7) % 256));
const page = '<script>alert(1)</script><h1>Plan</h1>';

describe.each(engines)('attachments on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, {
      env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test' },
      overrides: { resolveName: emptyDns, clock },
    });
  });
  afterAll(() => service.stop());

  async function mailWith(names: readonly (readonly [string, string | Buffer])[]) {
    const { id: accountId, client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const id = await sendMail(service, {
      from: 'ana@example.com',
      to,
      subject: 'store: with files #files',
      text: 'See below.',
      attachments: names.map(([filename, content]) => ({ filename, content })),
    });
    await service.running.context.worker.drain();
    const mail = await waitForProcessedMail(client, id);
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    return { id: accountId, client, mail, data };
  }

  const download = async (url: string) => fetch(new URL(url, service.url));

  it('are listed in their order, each with size, type and hash', async () => {
    const { client, mail, data } = await mailWith([
      ['notes.txt', 'Remember the milk.'],
      ['p.png', picture],
    ]);
    expect(data).toEqual([
      {
        id: expect.any(String),
        mailId: mail.id,
        history_id: mail.id,
        filename: 'notes.txt',
        contentType: 'text/plain',
        mime_type: 'text/plain',
        size: 18,
        file_size: 18,
        sha256: createHash('sha256').update('Remember the milk.').digest('hex'),
        memoryId: expect.any(String),
        memory_id: data[0]?.memoryId,
        createdAt: expect.any(String),
        created_at: data[0]?.createdAt,
      },
      expect.objectContaining({
        filename: 'p.png',
        contentType: 'image/png',
        size: picture.length,
        memoryId: null,
      }),
    ]);
    const [first] = data;
    expect(await client.email.getAttachment({ params: { id: first?.id ?? '' } })).toEqual(first);
  });

  it('that are texts become memories, linked from that of the mail by references', async () => {
    const { client, mail, data } = await mailWith([['notes.txt', 'Remember the milk.']]);
    const memoryId = data[0]?.memoryId ?? '';
    const memory = await client.memories.get({ params: { id: memoryId } });
    expect(memory).toMatchObject({ content: 'Remember the milk.', tags: ['files'] });
    const { outgoing } = await client.relationships.list({
      params: { memoryId: mail.responseMemoryId ?? '' },
    });
    expect(outgoing).toMatchObject([{ target_id: memoryId, type: 'references' }]);
  });

  it('are downloaded by a signed link without a key, and never shown as a page', async () => {
    const { client, data } = await mailWith([
      ['p.png', picture],
      ['plan.html', page],
    ]);
    const [first, second] = data;
    const link = await client.email.downloadAttachment({ params: { id: first?.id ?? '' } });
    expect(link.expiresIn).toBe(900);
    const got = await download(link.url);
    expect(got.status).toBe(200);
    expect(got.headers.get('content-type')).toBe('image/png');
    expect(got.headers.get('content-length')).toBe(String(picture.length));
    expect(Buffer.from(await got.arrayBuffer())).toEqual(picture);
    const html = await client.email.downloadAttachment({ params: { id: second?.id ?? '' } });
    const shown = await download(html.url);
    expect(shown.headers.get('content-disposition')).toMatch(/^attachment; filename="plan\.html"/);
    expect(shown.headers.get('content-security-policy')).toContain('sandbox');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await shown.text()).toBe(page);
  });

  it('have links that end, and that nobody lengthens or moves to another', async () => {
    const { client, data } = await mailWith([
      ['a.bin', picture],
      ['b.bin', picture],
    ]);
    const [a, b] = data;
    const { url } = await client.email.downloadAttachment({
      params: { id: a?.id ?? '' },
      query: { expiresIn: 60 },
    });
    expect((await download(url)).status).toBe(200);
    const refused = { status: 403 };
    expect(await download(url.replace(/expires=\d/, 'expires=9'))).toMatchObject(refused);
    expect(await download(url.replace(a?.id ?? '', b?.id ?? ''))).toMatchObject(refused);
    expect(await download(`${url.slice(0, -1)}_`)).toMatchObject(refused);
    clock.advance(60_000);
    expect(await download(url)).toMatchObject(refused);
    const short = await client.request({
      method: 'GET',
      path: `/email/attachments/${a?.id}/download?expiresIn=59`,
    });
    expect(short).toMatchObject({ status: 400, body: { error: 'bad_request' } });
  });

  it('that are removed are gone with their link; the memory stays', async () => {
    const { client, data } = await mailWith([['notes.txt', 'Kept as a memory.']]);
    const [first] = data;
    const params = { id: first?.id ?? '' };
    const { url } = await client.email.downloadAttachment({ params });
    const path = `/email/attachments/${params.id}`;
    expect((await client.request({ method: 'DELETE', path })).status).toBe(204);
    expect((await client.request({ method: 'DELETE', path })).status).toBe(404);
    await service.running.context.worker.drain();
    expect((await download(url)).status).toBe(404);
    const memory = await client.memories.get({ params: { id: first?.memoryId ?? '' } });
    expect(memory.content).toBe('Kept as a memory.');
  });

  it('that are lost, short or changed are faults that a verification finds', async () => {
    const { id, mail, data } = await mailWith([
      ['lost.bin', picture],
      ['changed.bin', Buffer.from(page)],
    ]);
    const found = async (deep: boolean) =>
      summarizeInconsistencies(await runVerification(service, { account_id: id, deep })).toSorted();
    expect(await found(true)).toEqual([]);
    const { db } = service.running.context.app.engine;
    const raw = await db
      .selectFrom('inbound_mails')
      .select('raw_blob')
      .where('id', '=', mail.id)
      .executeTakeFirstOrThrow();
    const named = await db.selectFrom('email_attachments').select(['id', 'blob']).execute();
    const placeOf = new Map(named.map((row) => [row.id, blobPath(service, row.blob)]));
    const [lost = '', changed = ''] = data.map((row) => row.id);
    await truncate(blobPath(service, raw.raw_blob ?? ''), 5);
    await rm(placeOf.get(lost) ?? '');
    await writeFile(placeOf.get(changed) ?? '', page.toUpperCase());
    const plain = [`attachments: bytes_differ ${lost}`, `mails: bytes_differ ${mail.id}`];
    expect(await found(false)).toEqual(plain);
    const deep = [...plain, `attachments: bytes_differ ${changed}`];
    expect(await found(true)).toEqual(deep.toSorted());
  });

  it('that are lost are 404, by their link too', async () => {
    const { client, data } = await mailWith([['lost.bin', picture]]);
    const params = { id: data[0]?.id ?? '' };
    const { url } = await client.email.downloadAttachment({ params });
    const { db } = service.running.context.app.engine;
    const { blob } = await db
      .selectFrom('email_attachments')
      .select('blob')
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    await rm(blobPath(service, blob));
    expect((await download(url)).status).toBe(404);
  });

  it('are sent to nobody while their account is suspended', async () => {
    const { id, client, data } = await mailWith([['a.bin', picture]]);
    const params = { id: data[0]?.id ?? '' };
    const { url } = await client.email.downloadAttachment({ params });
    const { admin } = service.client();
    await admin.updateAccount({ params: { id }, body: { suspended: true } });
    expect((await download(url)).status).toBe(403);
    await admin.updateAccount({ params: { id }, body: { suspended: false } });
    expect((await download(url)).status).toBe(200);
  });

  it('of another account are 404, also for who knows the id', async () => {
    const { mail, data } = await mailWith([['a.bin', picture]]);
    const other = await service.createAccount();
    for (const path of [
      `/email/attachments/${data[0]?.id}`,
      `/email/attachments/${data[0]?.id}/download`,
      `/email/history/${mail.id}`,
      `/email/history/${mail.id}/attachments`,
      '/email/history/none',
    ]) {
      const answer = await other.client.request({ method: 'GET', path });
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
  });
});
