import type { Client } from '@mneme/sdk';
import { getOrCreateAddress, postInboundMail, waitForProcessedMail } from '../../support/mail.ts';
import type { Service } from '../../support/service.ts';
import { fuzzOwner } from './populate.ts';

/** A request as it goes out, but for what chance changes of it. */
export interface CompleteRequest {
  readonly path: string;
  readonly query: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface MailTarget {
  /** By the path up to what they are named by. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** By route: what no schema tells, such as signed links and mails. */
  readonly completeRequests: Readonly<Record<string, readonly CompleteRequest[]>>;
}

const many = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

/** A mail of several attachments, none of which becomes a memory. */
function mailWith(attachments: number, recipient: string): string {
  const parts = Array.from({ length: attachments }, (_, i) => [
    '--b',
    `Content-Type: application/octet-stream; name="${i}.bin"`,
    `Content-Disposition: attachment; filename="${i}.bin"`,
    '',
    `bytes ${i}`,
  ]);
  return [
    'From: ana@example.com',
    `To: ${recipient}`,
    'Subject: coffee',
    'Message-ID: <first@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    ...parts.flat(),
    '--b--',
    '',
  ].join('\r\n');
}

/** Mails, attachments, rules, reactions, digests and who gets no more of them. */
export async function createMailData(service: Service, client: Client): Promise<MailTarget> {
  const operator = service.operator();
  const recipient = await getOrCreateAddress(client);
  const owner = new URLSearchParams(fuzzOwner).toString();
  await postInboundMail(operator, mailWith(70, recipient), `?recipient=${recipient}&${owner}`);
  const { id } = await waitForProcessedMail(client, 'first@example.com');
  const { data } = await client.email.listAttachments({ params: { id }, query: { limit: 100 } });
  const attachments = data.map((one) => one.id);
  const links = await many(5, async (i) => {
    const params = { id: attachments[i] ?? '' };
    return (await client.email.downloadAttachment({ params, query: { expiresIn: 86_400 } })).url;
  });
  const patterns = await many(60, async (i) => {
    const emailPattern = `*@${i}.spam.example`;
    await client.email.addSender({ body: { emailPattern, ruleType: 'block' } });
    return emailPattern;
  });
  const emailPattern = 'ana@example.com';
  await client.email.addSender({ body: { emailPattern, ruleType: 'allow', ...fuzzOwner } });
  const asked = `From: ${emailPattern}\r\nSubject: help\r\nMessage-ID: <help@example.com>\r\n\r\n`;
  await postInboundMail(operator, asked, `?recipient=${recipient}&verified=true`);
  await waitForProcessedMail(client, 'help@example.com');
  const unsubscribe = await createUnsubscribeLink(service, client);
  return {
    ids: {
      'email/outbound': await failMany(service),
      'email/history': [id],
      'email/attachments': attachments.slice(5),
      'email/senders': patterns,
      'email/reactions': await many(40, (i) => makeReaction(client, i)),
      'email/digests': await many(40, (i) => makeDigest(client, i)),
      'email/suppressions': await suppressMany(service),
    },
    completeRequests: {
      'email.inbound': Array.from({ length: 10 }, (_, i) => ({
        path: '/email/inbound',
        query: `?recipient=${recipient}`,
        headers: { 'content-type': 'message/rfc822' },
        body: `From: ana@example.com\r\nSubject: tea ${i}\r\n\r\nThe tea of zone${i} is cold.\r\n`,
      })),
      'email.attachmentContent': links.map(toCompleteRequest),
      ...unsubscribe,
    },
  };
}

export const toCompleteRequest = (url: string): CompleteRequest => {
  const { pathname, search } = new URL(url, 'http://127.0.0.1');
  return { path: pathname.replace(/^\/v1/, ''), query: search };
};

/** Of what hardly ever happens. */
const makeReaction = async (client: Client, i: number): Promise<string> => {
  const body = {
    name: `reaction ${i}`,
    triggerType: 'space.deleted',
    emailSubjectTemplate: 'gone',
    emailBodyTemplate: '{{space.name}}',
    recipients: ['reader@example.com'],
  };
  return (await client.email.createReaction({ body })).id;
};

const makeDigest = async (client: Client, i: number): Promise<string> => {
  const recipients = ['reader@example.com'];
  const body = { name: `digest ${i}`, scheduleType: 'monthly' as const, recipients };
  return (await client.email.createDigest({ body })).id;
};

async function suppressMany({ running }: Service): Promise<string[]> {
  const { engine, clock } = running.context.app;
  const [known] = await engine.db.selectFrom('email_addresses').select('account_id').execute();
  const emails = Array.from({ length: 60 }, (_, i) => `stopped${i}@example.com`);
  const one = { account_id: known?.account_id ?? '', reason: 'stop' as const, detail: null };
  const rows = emails.map((email) => ({ ...one, email, created_at: clock.now() }));
  await engine.db.insertInto('email_suppressions').values(rows).execute();
  return emails;
}

/** Mails like one that was sent, which were refused for good. */
async function failMany({ running }: Service): Promise<string[]> {
  const { engine, ids } = running.context.app;
  const sent = await engine.db
    .selectFrom('outbound_mails')
    .selectAll()
    .where('status', '=', 'sent')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 40 }, (_, i) => ({
    ...sent,
    id: ids.uuid(),
    message_id: `<refused${i}@example.com>`,
    dedupe_key: null,
    recipient: `refused${i}@example.com`,
    status: 'failed' as const,
    text: 'coffee',
    headers: JSON.stringify(sent.headers),
    sent_at: null,
  }));
  await engine.db.insertInto('outbound_mails').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** The link of a mail that was written because of a memory. */
async function createUnsubscribeLink(
  { running }: Service,
  client: Client,
): Promise<Record<string, readonly CompleteRequest[]>> {
  const body = {
    name: 'told of coffee',
    triggerType: 'memory.created',
    emailSubjectTemplate: 'coffee',
    emailBodyTemplate: 'coffee',
    recipients: ['reader@example.com'],
  };
  const { id } = await client.email.createReaction({ body });
  await client.memories.create({ body: { content: 'The reader is told of coffee.' } });
  await running.context.mailer.drain();
  await client.email.removeReaction({ params: { id } });
  const { db } = running.context.app.engine;
  const mails = await db.selectFrom('outbound_mails').select('headers').execute();
  const header = mails.flatMap(({ headers }) => headers['List-Unsubscribe'] ?? []).join(' ');
  const [, link = ''] = /<(http[^>]*)>/.exec(header) ?? [];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    'email.unsubscribePage': [toCompleteRequest(link)],
    'email.unsubscribe': [
      { ...toCompleteRequest(link), headers, body: 'List-Unsubscribe=One-Click' },
    ],
  };
}
