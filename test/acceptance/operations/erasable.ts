import type { ErasureKind } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { fakeRecording } from '../../support/fake-media.ts';
import { allowSenders, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import type { Service } from '../../support/service.ts';
import { formBytes } from '../contract/example-data-media.ts';

/** A word that occurs only in the records of `createErasableAccount`. */
export const needle = 'zanzibar';

interface Erasable {
  readonly kind: ErasureKind;
  readonly id: string;
  /** By the route that erases it for good. */
  erase(): Promise<unknown>;
}

export interface ErasableAccount {
  readonly id: string;
  readonly client: Client;
  /** One of each kind, those first that others are in. */
  readonly erasable: readonly Erasable[];
  /** Memories that go with their session. */
  readonly sessionMemoryIds: readonly string[];
}

/** An account that has one of everything that can be erased for good. */
export async function createErasableAccount(service: Service): Promise<ErasableAccount> {
  const { id, client } = await service.createAccount();
  const session = await client.cliSessions.create({ body: { name: `about ${needle}` } });
  const messages = [1, 2].map((i) => ({ role: 'user' as const, content: `${needle} turn ${i}` }));
  const params = { id: session.id };
  const { memories } = await client.cliSessions.postMessages({ params, body: { messages } });
  return {
    id,
    client,
    sessionMemoryIds: memories.map((memory) => memory.id),
    erasable: [
      ...(await makeMemories(client)),
      ...(await makeMail(service, client)),
      ...(await makeOthers(client)),
      {
        kind: 'session',
        id: session.id,
        erase: () => client.cliSessions.remove({ params, query: { confirm: true } }),
      },
      await makeAccount(service),
    ],
  };
}

async function makeMemories(client: Client): Promise<Erasable[]> {
  const make = async (content: string) => (await client.memories.create({ body: { content } })).id;
  const removing = (id: string, erase: () => Promise<unknown>): Erasable => ({
    kind: 'memory',
    id,
    erase,
  });
  const one = await make('Zoe Miller works at Zanzibar Corp.');
  await client.knowledge.extract({ body: { memory_id: one } });
  const other = await make(`${needle} is warm in March.`);
  const stays = await make('The kettle boils.');
  const related = await client.relationships.create({
    params: { memoryId: one },
    body: { target_id: stays, relationship_type: 'supports', description: `by ${needle}` },
  });
  const sent = await formBytes({ title: needle }, fakeRecording('audio', needle), 'a.m4a');
  const { body } = await client.request({ method: 'POST', path: '/memories', ...sent });
  const recording = (body as { id: string }).id;
  const triple = { sourceId: one, targetId: stays, type: 'supports' };
  const remove = (id: string) => () => client.memories.remove({ params: { id } });
  return [
    {
      kind: 'relationship',
      id: related.id,
      erase: () => client.relationships.remove({ params: triple }),
    },
    removing(one, remove(one)),
    removing(other, () => client.memories.bulkDelete({ body: { ids: [other] } })),
    removing(recording, remove(recording)),
  ];
}

async function makeMail(service: Service, client: Client): Promise<Erasable[]> {
  const to = await getOrCreateAddress(client);
  const lines = [
    'From: bo@example.com',
    `To: ${to}`,
    'Subject: notes',
    'Message-ID: <1@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: application/octet-stream; name="notes.bin"',
    'Content-Disposition: attachment; filename="notes.bin"',
    '',
    'some bytes',
    '--b--',
    '',
  ];
  const { body } = await postInboundMail(
    client,
    lines.join('\r\n'),
    `?recipient=${to}&verified=true`,
  );
  await service.running.context.worker.drain();
  const params = { id: (body as { history_id: string }).history_id };
  const { data } = await client.email.listAttachments({ params });
  const attachment = data[0]?.id ?? '';
  const mailOfUser = `From: bo@example.com\r\nTo: ${to}\r\nSubject: search: ${needle}\r\n\r\n`;
  const asked = await postInboundMail(client, mailOfUser, `?recipient=${to}&user_id=guest`);
  await service.running.context.worker.drain();
  // From here on, other senders are refused.
  const pattern = `ana@${needle}.example.com`;
  const rule = await allowSenders(client, pattern);
  return [
    {
      kind: 'mail',
      id: (asked.body as { history_id: string }).history_id,
      erase: () => eraseUser(service, client, 'guest'),
    },
    {
      kind: 'sender_rule',
      id: rule.id,
      erase: () => client.email.removeSender({ params: { pattern } }),
    },
    {
      kind: 'attachment',
      id: attachment,
      erase: () => client.email.removeAttachment({ params: { id: attachment } }),
    },
  ];
}

/** Erases what a user has, in two steps. */
async function eraseUser(service: Service, { memories }: Client, user_id: string): Promise<void> {
  const filter = { user_id };
  const counted = await memories.erase({ body: { filter, dry_run: true } });
  const token = 'token' in counted ? counted.token : '';
  await memories.erase({ body: { filter, token } });
  await service.running.context.worker.drain();
}

async function makeOthers(client: Client): Promise<Erasable[]> {
  const name = `about ${needle}`;
  const recipients = [`${needle}@example.com`];
  const templates = { emailSubjectTemplate: 'x', emailBodyTemplate: needle };
  const reaction = await client.email.createReaction({
    body: { name, triggerType: 'memory_created', recipients, ...templates },
  });
  const digest = await client.email.createDigest({
    body: { name, scheduleType: 'daily', recipients },
  });
  // Not in the host, which the audit log keeps.
  const url = `https://hooks.example.com/${needle}`;
  const webhook = await client.webhooks.create({ body: { url, events: ['space.created'] } });
  const space = await client.spaces.create({ body: { name } });
  const cluster = await client.clusters.create({ body: { name } });
  const upload = await client.media.createUpload({
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from(`${needle}.mp3`).toString('base64')}`,
    },
  });
  const of = (kind: ErasureKind, { id }: { id: string }, erase: () => Promise<unknown>) => ({
    kind,
    id,
    erase,
  });
  return [
    of('reaction', reaction, () => client.email.removeReaction({ params: { id: reaction.id } })),
    of('digest', digest, () => client.email.removeDigest({ params: { id: digest.id } })),
    of('webhook', webhook, () => client.webhooks.remove({ params: { webhookId: webhook.id } })),
    of('cluster', cluster, () => client.clusters.remove({ params: { clusterId: cluster.id } })),
    of('upload', upload, () => client.media.removeUpload({ params: { id: upload.id } })),
    of('space', space, () => client.spaces.remove({ params: { id: space.id } })),
  ];
}

async function makeAccount(service: Service): Promise<Erasable> {
  const { id, client } = await service.createAccount();
  await client.memories.create({ body: { content: `${needle} of another account` } });
  const remove = { params: { id }, query: { confirm: true } };
  return { kind: 'account', id, erase: () => service.operator().admin.deleteAccount(remove) };
}
