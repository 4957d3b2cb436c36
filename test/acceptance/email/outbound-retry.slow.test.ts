import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import {
  MailSendFailed,
  type OutgoingMail,
} from '../../../packages/server/src/providers/mail/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { emptyDns } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('retrying an outbound mail on %s', (engine) => {
  const clock = createFakeClock();
  let service: Service;
  let sent: OutgoingMail[] = [];
  /** What the mail server does with the next mail; null: it accepts it. */
  let failure: { isPermanent: boolean; isRecipientRejected: boolean } | null = null;
  const sendMail: ServiceOverrides['sendMail'] = async (mail) => {
    if (failure !== null) throw new MailSendFailed('554 relay access denied', failure);
    sent.push(mail);
    return '250 OK';
  };
  beforeAll(async () => {
    const env = { MNEME_EMAIL_DOMAIN: 'mail.test' };
    const overrides = { clock, resolveName: emptyDns, sendMail };
    service = await startService(engine, { env, overrides, removesErasedContent: true });
  });
  afterAll(() => service.stop());

  const relayDenied = { isPermanent: true, isRecipientRejected: false };
  const content = 'Ana prefers tea.';
  const drain = async (): Promise<void> => {
    await service.running.context.worker.drain();
    await service.running.context.mailer.drain();
  };
  const onlyMail = async (client: Client) => {
    const [mail] = (await client.email.listOutbound()).data;
    if (mail === undefined) throw new Error('There is no mail.');
    return mail;
  };
  const retry = (client: Client, id: string) => client.email.retryOutbound({ params: { id } });

  /** An account with one mail about a memory that could not be sent. */
  async function failedMail(reason = relayDenied) {
    sent = [];
    failure = reason;
    const { client } = await service.createAccount();
    await client.email.createReaction({
      body: {
        name: 'told',
        triggerType: 'memory_created',
        emailSubjectTemplate: 'A memory',
        emailBodyTemplate: '{{content}}',
        recipients: ['ana@example.com'],
      },
    });
    const { id: memoryId } = await client.memories.create({ body: { content } });
    await drain();
    failure = null;
    return { client, mail: await onlyMail(client), memoryId };
  }

  it('sends the same mail again after it failed for good', async () => {
    const { client, mail } = await failedMail();
    expect(mail).toMatchObject({ status: 'failed', is_retryable: true });
    const queued = await retry(client, mail.id);
    expect(queued).toMatchObject({ id: mail.id, status: 'queued', is_retryable: false });
    await drain();
    expect(sent).toMatchObject([{ id: mail.id, recipient: 'ana@example.com' }]);
    expect(sent[0]?.text).toContain(content);
    expect(await onlyMail(client)).toMatchObject({ status: 'sent', last_error: null });
    // Its content is not stored any more, also in the database.
    const { db } = service.running.context.app.engine;
    const stored = db.selectFrom('outbound_mails').select('text').where('id', '=', mail.id);
    expect(await stored.executeTakeFirst()).toEqual({ text: '' });
  });

  it('can be repeated, and makes the attempts of a new mail', async () => {
    const { client, mail } = await failedMail();
    failure = { isPermanent: false, isRecipientRejected: false };
    await retry(client, mail.id);
    await drain();
    const waiting = await onlyMail(client);
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1 });
    expect(waiting.next_attempt_at).not.toBeNull();
    await expect(retry(client, mail.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'The email is queued: only failed emails can be retried.',
    });
  });

  it('is refused for a bounced mail, and to an address on the suppression list', async () => {
    const bounced = await failedMail({ isPermanent: true, isRecipientRejected: true });
    expect(bounced.mail).toMatchObject({ status: 'bounced', is_retryable: false });
    await expect(retry(bounced.client, bounced.mail.id)).rejects.toMatchObject({
      message: 'The email is bounced: only failed emails can be retried.',
    });
    const { client, mail } = await failedMail();
    failure = { isPermanent: true, isRecipientRejected: true };
    await client.memories.create({ body: { content: 'Ben too.' } });
    await drain();
    failure = null;
    await expect(retry(client, mail.id)).rejects.toMatchObject({
      code: 'conflict',
      message:
        'The recipient is on the suppression list: remove the suppression, then retry the email.',
    });
    await client.email.removeSuppression({ params: { email: 'ana@example.com' } });
    expect(await retry(client, mail.id)).toMatchObject({ status: 'queued' });
  });

  it('is refused after the erasure of a memory that the mail quotes', async () => {
    const { client, mail, memoryId } = await failedMail();
    const filter = { ids: [memoryId] };
    const dryRun = await client.memories.erase({ body: { filter, dry_run: true } });
    const token = 'token' in dryRun ? dryRun.token : '';
    await client.memories.erase({ body: { filter, token } });
    await drain();
    // Erased content is removed within a minute.
    clock.advance(60_000);
    await drain();
    await expect(retry(client, mail.id)).rejects.toMatchObject({
      message: 'The content of this email is no longer stored, so that it cannot be sent again.',
    });
  });

  it('is only for keys that may read its memories', async () => {
    const { client, mail } = await failedMail();
    const space = await client.spaces.create({ body: { name: 'Other' } });
    const keyOf = async (body: Parameters<Client['keys']['create']>[0]['body']) =>
      service.client((await client.keys.create({ body })).key);
    const elsewhere = await keyOf({ name: 'elsewhere', space_ids: [space.id] });
    await expect(retry(elsewhere, mail.id)).rejects.toMatchObject({ code: 'space_access_denied' });
    // The reaction is about every space.
    const limited = await keyOf({ name: 'limited', space_ids: ['default'] });
    await expect(retry(limited, mail.id)).rejects.toMatchObject({ code: 'not_found' });
    const writer = await keyOf({ name: 'writer', scopes: ['email:read', 'email:write'] });
    await expect(retry(writer, mail.id)).rejects.toMatchObject({
      code: 'insufficient_permissions',
    });
    const other = await service.createAccount();
    await expect(retry(other.client, mail.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await onlyMail(client)).toMatchObject({ status: 'failed' });
  });
});
