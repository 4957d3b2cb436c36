import { type Route, routes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import { postInboundMail } from '../../support/mail.ts';

/** The ids that the examples of mail use, by what they name. */
export const mailSampleIds = {
  mail: '019b8d1c-3a61-7b22-8c33-2d3e4f5a6b7c',
  attachment: '019b8d1c-3a63-7d44-8e55-4f5a6b7c8d9e',
  reaction: '019b8d1c-3a64-7e55-8f66-5a6b7c8d9e0f',
  digest: '019b8d1c-3a65-7f66-8077-6b7c8d9e0f10',
  outbound: '019b8d1c-3a67-7b88-8c99-8d9e0f102132',
} as const;

type MailIds = Readonly<Record<keyof typeof mailSampleIds, string>>;

const examples = routes.email;
const none: MailIds = { mail: '', attachment: '', reaction: '', digest: '', outbound: '' };

/** What the examples of mail speak of; of no other route, since mail makes memories. */
export async function createMailExampleData(client: Client, { id }: Route): Promise<MailIds> {
  if (!id.startsWith('email.')) return none;
  if (id === 'email.createAddress') return none;
  await client.email.createAddress({ body: {} });
  const emailPattern = 'ana@example.com';
  // Of answers and commands: other mail needs no rule.
  const asks = /history|attachment|listOutbound|suppression/i.test(id);
  if (asks) await client.email.addSender({ body: { emailPattern, ruleType: 'allow' } });
  if (/sender/i.test(id) && id !== 'email.addSender') {
    await client.email.addSender({ body: examples.addSender.example.body });
  }
  if (/suppression/i.test(id)) await receiveMail(client, 'stop', 'stop@example.com');
  return {
    ...none,
    ...(/history|attachment|listOutbound/i.test(id) ? await createMail(client) : {}),
    ...(id === 'email.retryOutbound' ? { outbound: await createFailedMail(client) } : {}),
    ...(/reaction/i.test(id) ? { reaction: await createReaction(client, id) } : {}),
    ...(/digest/i.test(id) ? { digest: await createDigest(client, id) } : {}),
  };
}

async function createMail(client: Client): Promise<Pick<MailIds, 'mail' | 'attachment'>> {
  const { subject, messageId } = examples.getHistory.example.response;
  const mail = await receiveMail(client, subject, messageId);
  // Its answer leaves a moment later.
  await eventually(
    () => client.email.listOutbound({ query: { status: 'sent' } }),
    ({ data }) => data.length === 1,
  );
  const { data } = await client.email.listAttachments({ params: { id: mail } });
  return { mail, attachment: data[0]?.id ?? '' };
}

/** The mail server of the contract tests refuses this recipient. */
export const refusedRecipient = examples.retryOutbound.example.response.recipient;

async function createFailedMail(client: Client): Promise<string> {
  const { emailSubjectTemplate, emailBodyTemplate } = examples.createReaction.example.response;
  const texts = { emailSubjectTemplate, emailBodyTemplate };
  const body = { ...texts, name: 'Refused', recipients: [refusedRecipient] };
  await client.email.createReaction({ body: { ...body, triggerType: 'memory_created' } });
  await client.memories.create({ body: { content: 'Ana prefers tea.' } });
  const { data } = await eventually(
    () => client.email.listOutbound({ query: { status: 'failed' } }),
    (page) => page.data.length === 1,
  );
  return data[0]?.id ?? '';
}

async function createReaction(client: Client, id: string): Promise<string> {
  if (id === 'email.createReaction') return '';
  const { body } = examples.createReaction.example;
  const trigger_conditions = { tags: [...body.trigger_conditions.tags] };
  return (await client.email.createReaction({ body: { ...body, trigger_conditions } })).id;
}

async function createDigest(client: Client, id: string): Promise<string> {
  if (id === 'email.createDigest') return '';
  const { body } = examples.createDigest.example;
  const recipients = [...body.recipients];
  return (await client.email.createDigest({ body: { ...body, recipients } })).id;
}

/** The id of a mail with an attachment, once what it says is done. */
async function receiveMail(client: Client, subject: string, messageId: string): Promise<string> {
  const { email } = await client.email.getAddress();
  const lines = [
    'From: ana@example.com',
    `To: ${email}`,
    `Subject: ${subject}`,
    `Message-ID: <${messageId}>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    '--b',
    'Content-Type: text/plain; name="notes.txt"',
    'Content-Disposition: attachment; filename="notes.txt"',
    '',
    'Ana drinks it in the afternoon.',
    '--b--',
    '',
  ];
  const { body } = await postInboundMail(
    client,
    lines.join('\r\n'),
    `?recipient=${email}&verified=true`,
  );
  const { history_id: id } = body as { history_id: string };
  const params = { id };
  await eventually(
    () => client.email.getHistory({ params }),
    ({ status }) => status === 'completed',
    30_000,
  );
  return id;
}
