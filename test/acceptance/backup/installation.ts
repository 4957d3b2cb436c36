import type { Client } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import { postInboundMail, waitForProcessedMail } from '../../support/mail.ts';

/** Something of everything that an installation stores, and what it answers about it. */

/** Settings that it needs, beside those of a test. */
export const installationEnv = {
  MNEME_EMAIL_DOMAIN: 'mail.example.com',
  MNEME_WEBHOOK_ALLOW_HTTP: 'true',
  MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
} as const;

const drinks = ['green tea', 'espresso', 'oat milk', 'rye beer', 'cold water', 'apple juice'];
const people = ['Ana Ruiz', 'Björn Larsen', 'Chidi Okafor', 'Dana Levi', 'Emre Kaya'];

/** Searches, and the words of the memory that each must find first. */
export const expectedSearches: Readonly<Record<string, string>> = {
  'Does Björn Larsen drink rye beer?': 'Björn Larsen drinks rye beer in Malmö.',
  'where does Ana work': 'Ana Ruiz works at Acme since May 2025.',
  'why would the vehicle not run': 'The car would not start because its battery was dead.',
};

export async function fillInstallation(client: Client, webhookUrl: string): Promise<void> {
  const { id: space_id } = await client.spaces.create({ body: { name: 'kitchen' } });
  const session = await client.cliSessions.create({
    body: { name: 'Planning', origin_type: 'chat' },
  });
  const contents = people.flatMap((person) =>
    drinks.map((drink) => `${person} drinks ${drink} in Malmö.`),
  );
  const memories = contents.map((content, i) => ({
    content,
    priority: i % 10,
    tags: ['drinks', `row ${i % 3}`],
    ...(i % 2 === 0 ? { space_id } : {}),
    ...(i % 5 === 0 ? { session_id: session.id } : {}),
  }));
  const { memories: made } = await client.memories.bulkCreate({ body: { memories } });
  const ids = made.map(({ id }) => id);
  for (const content of Object.values(expectedSearches)) {
    if (!contents.includes(content)) await client.memories.create({ body: { content } });
  }
  for (const [i, memoryId] of ids.slice(0, 5).entries()) {
    const body = { target_id: ids[i + 10] ?? '', relationship_type: 'related_to' as const };
    await client.relationships.create({ params: { memoryId }, body });
  }
  await client.knowledge.create({ body: { name: 'Ana Ruiz', type: 'person', aliases: ['Ana'] } });
  const cluster = await client.clusters.create({ body: { name: 'Hot drinks' } });
  const params = { id: ids[0] ?? '' };
  await client.clusters.associate({ params, body: { cluster_ids: [cluster.id] } });
  await client.memories.remove({ params: { id: ids[20] ?? '' }, query: { soft: true } });
  await client.webhooks.create({ body: { url: webhookUrl, events: ['memory.created'] } });
  await receiveMail(client);
}

/** With an attachment, which is kept as a file. */
async function receiveMail(client: Client): Promise<void> {
  const { email } = await client.email.createAddress({ body: {} });
  const lines = [
    'From: ana@example.com',
    `To: ${email}`,
    'Subject: Notes of the meeting',
    'Message-ID: <notes@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'The harbour opens at nine.',
    '--b',
    'Content-Type: text/plain; name="notes.txt"',
    'Content-Disposition: attachment; filename="notes.txt"',
    '',
    'The crane is repaired on Monday.',
    '--b--',
    '',
  ];
  await postInboundMail(client, lines.join('\r\n'), `?recipient=${email}&verified=true`);
  await waitForProcessedMail(client, 'notes@example.com');
}

/** What must be the same after a move or a restore. */
export async function describeInstallation(client: Client) {
  const { data: sessions } = await client.cliSessions.list();
  const { data: spaces } = await client.spaces.list();
  const { data: webhooks } = await client.webhooks.list();
  const { data: mails } = await client.email.listHistory();
  const attachments = await client.email.listAttachments({ params: { id: mails[0]?.id ?? '' } });
  const files: string[] = [];
  for (const { id } of attachments.data) {
    const { url } = await client.email.downloadAttachment({ params: { id } });
    const { status, body } = await client.request({ method: 'GET', path: url.replace('/v1', '') });
    if (status !== 200) throw new Error(`the attachment ${id} answered ${status}`);
    files.push(String(body));
  }
  const found: Record<string, unknown> = {};
  for (const q of Object.keys(expectedSearches)) {
    const { results } = await client.search.get({ query: { q, limit: 100, threshold: 0 } });
    // Behind the first one many are alike, and each search changes their scores a little.
    found[q] = { first: results[0]?.id, all: results.map((one) => one.id).sort() };
  }
  const memories = await idsOf(client, '/memories?limit=100&include_deleted=true');
  const relationships: string[] = [];
  for (const memoryId of memories) {
    const { outgoing = [] } = await client.relationships.list({ params: { memoryId } });
    relationships.push(...outgoing.map(({ id }) => id));
  }
  return {
    memories,
    relationships: relationships.sort(),
    sessions: sessions.map(({ id, name }) => ({ id, name })),
    spaces: spaces.map(({ id, name }) => ({ id, name })),
    clusters: await idsOf(client, '/clusters'),
    webhooks: webhooks.map(({ id, url }) => ({ id, url })),
    mails: mails.map(({ id, subject }) => ({ id, subject })),
    files,
    found,
  };
}

async function idsOf(client: Client, path: string): Promise<string[]> {
  const { status, body } = await client.request({ method: 'GET', path });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return (body as { data: { id: string }[] }).data.map(({ id }) => id).sort();
}

/** Faults, with the pages of the database that are damaged. */
export async function verifyInstallation(client: Client): Promise<readonly unknown[]> {
  const { job_id: id } = await client.admin.startVerification({ body: { deep: true } });
  const done = await eventually(
    () => client.admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    60_000,
  );
  return [...(done.status === 'failed' ? ['failed'] : []), ...done.faults, ...done.damaged_pages];
}
