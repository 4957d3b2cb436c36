import type { Client } from '@mneme/sdk';
import { postInboundMail } from '../../support/mail.ts';
import type { Service } from '../../support/service.ts';

/** What the damage is done to. */
export interface Scene {
  readonly account: string;
  readonly client: Client;
  readonly session: string;
  readonly space: string;
  readonly other: string;
  readonly relationship: string;
  /** Of which something is said. */
  readonly entity: string;
  readonly cluster: string;
  /** In the session and pinned; alone; softly deleted; erased. */
  readonly turn: string;
  readonly note: string;
  readonly hidden: string;
  readonly gone: string;
  /** Superseded. */
  readonly stale: string;
  /** Of a user. */
  readonly owned: string;
  /** With `withMail`: a rule of a user, and a mail of its sender with a text attached. */
  readonly rule: string;
  readonly mail: string;
}

/** An account with one of everything that a verification looks at. */
export async function createScene(
  service: Service,
  { withMail = false }: { readonly withMail?: boolean } = {},
): Promise<Scene> {
  const { id: account, client } = await service.createAccount();
  const space = (await client.spaces.create({ body: { name: 'own' } })).id;
  const other = (await client.spaces.create({ body: { name: 'other' } })).id;
  const session = (await client.cliSessions.create({ body: { name: 'talk' } })).id;
  const make = async (content: string, fields: object = {}): Promise<string> =>
    (await client.memories.create({ body: { content, ...fields } })).id;
  const turn = await make('We met the day before.', {
    session_id: session,
    is_pinned: true,
    tags: ['a'],
    metadata: { speaker: 'Ana', role: 'user' },
    occurred_at: '2026-01-05T10:00:00Z',
  });
  const note = await make('A note on its own.', { space_id: space });
  const hidden = await make('Softly gone.');
  await client.memories.remove({ params: { id: hidden }, query: { soft: true } });
  const gone = await make('Gone for good.');
  await client.memories.remove({ params: { id: gone } });
  const stale = await make('The gate code is 1212.');
  await make('The gate code is 3434 now.', { supersedes: [stale] });
  const owned = await make('Ana of nowhere.', { user_id: 'ana' });
  const { id: relationship } = await client.relationships.create({
    params: { memoryId: turn },
    body: { target_id: note, relationship_type: 'supports' },
  });
  const { id: entity } = await client.knowledge.create({ body: { name: 'Ana', type: 'person' } });
  const said = { subject_id: entity, predicate: 'likes', object_value: 'tea' };
  await client.knowledge.createFact({ body: said });
  const told = { ...said, object_value: 'coffee', source_memory_id: turn };
  await client.knowledge.createFact({ body: told });
  const cluster = (await client.clusters.create({ body: { name: 'notes', space_id: space } })).id;
  await client.clusters.associate({ params: { id: note }, body: { cluster_ids: [cluster] } });
  const { rule, mail } = withMail ? await createMail(service, client) : { rule: '', mail: '' };
  const place = { account, client, session, space, other, rule, mail };
  return { ...place, relationship, entity, cluster, turn, note, hidden, gone, stale, owned };
}

/** A mail of a user with two texts, both of which became a memory. */
async function createMail({ running }: Service, client: Client) {
  const emailPattern = 'ana@example.com';
  const to = (await client.email.createAddress({ body: {} })).email;
  const rule = await client.email.addSender({
    body: { emailPattern, ruleType: 'allow', user_id: 'ana' },
  });
  const raw = [
    `From: ${emailPattern}`,
    `To: ${to}`,
    'Subject: store: Tea at five.',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x\r\nContent-Type: text/plain\r\n\r\nBring biscuits.',
    '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt',
    '\r\nThe biscuits are oat.',
    '--x--',
    '',
  ].join('\r\n');
  const { body } = await postInboundMail(client, raw, '?verified=true');
  await running.context.worker.drain();
  return { rule: rule.id, mail: (body as { history_id: string }).history_id };
}
