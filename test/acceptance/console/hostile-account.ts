import type { Client } from '@mneme/sdk';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import { eventually } from '../../support/eventually.ts';
import { createTranscriber } from '../../support/fake-transcribers.ts';
import { generateAudio } from '../../support/generated-media.ts';
import { allowSenders, emptyDns, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import type { Service } from '../../support/service.ts';
import { memoriesOfTopic, runFullClustering } from '../clusters/clusterable-memories.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

/** Markup that would run, an override of the direction, control characters, and a long word. */
const markup =
  `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>` +
  '\u202Edesrever\u0007\u001b[31m\u200F';

export const hostileText = (charactersMax: number): string =>
  markup.padEnd(charactersMax, 'w').slice(0, charactersMax);

const endpoint = 'https://hooks.example.com/hostile';
const refusedRecipient = 'refused@example.com';

/** Says it in every recording. */
const transcriber = createTranscriber([
  {
    start: 0,
    end: 5,
    text: `The battery ${hostileText(5_000)}`,
    speaker: hostileText(200),
    confidence: 0.9,
  },
]);

/** A console whose webhooks are answered with hostile texts, and whose mails `sendMail` sends. */
export function startHostileConsole(
  sendMail: NonNullable<ServiceOverrides['sendMail']>,
): Promise<ConsoleBrowser> {
  const endpoints = createFakeEndpoints();
  endpoints.setReply(endpoint, () => ({ status: 500, body: hostileText(5_000) }));
  return startConsoleBrowser({
    env: { MNEME_EMAIL_DOMAIN: 'mail.example.com' },
    overrides: {
      fetchOutside: endpoints.fetchOutside,
      resolveName: emptyDns,
      transcribers: [transcriber],
      sendMail,
    },
  });
}

export interface HostileAccount {
  readonly client: Client;
  readonly key: string;
  readonly memory: string;
  /** A memory with a link to another one. */
  readonly linked: string;
  readonly session: string;
  readonly entity: string;
  readonly recording: string;
  readonly webhook: string;
}

/** An account where every text that anybody can write is hostile. */
export async function createHostileAccount(service: Service): Promise<HostileAccount> {
  const { client, key, id: account_id } = await service.createAccount();
  const [name, tag, long] = [hostileText(200), hostileText(250), hostileText(10_000)];
  const space = await client.spaces.create({ body: { name, description: hostileText(900) } });
  await client.keys.create({ body: { name } });
  const { id: webhook } = await client.webhooks.create({
    body: { name, url: endpoint, events: ['memory.created'], max_retries: 0 },
  });
  await client.email.createReaction({
    body: {
      name,
      triggerType: 'memory_created',
      triggerConditions: { tags: [tag] },
      emailSubjectTemplate: '{{content}}',
      emailBodyTemplate: '{{content}}',
      recipients: [refusedRecipient],
    },
  });
  const { id: session } = await client.cliSessions.create({
    body: { name, type: 'project', description: hostileText(900), tags: [hostileText(50)] },
  });
  const owner = { user_id: 'u'.repeat(128), agent_id: 'a'.repeat(128) };
  const metadata = { [hostileText(200)]: hostileText(5_000) };
  const { id: memory } = await client.memories.create({
    body: { content: long, tags: [tag], metadata, session_id: session, ...owner },
  });
  await client.memories.update({ params: { id: memory }, body: { tags: [tag, 'second'] } });
  const linked = await addTopics(client, space.id);
  const entity = await addFacts(client);
  const recording = await addRecording(client);
  await addMail(client);
  await addFailedJob(service, account_id);
  await service.running.context.worker.drain();
  await service.running.context.mailer.drain();
  await service.running.context.webhookSender.drain();
  return { client, key, memory, linked, session, entity, recording, webhook };
}

/** Two clusters; returns one of their memories, which is linked with another one. */
async function addTopics(client: Client, space_id: string): Promise<string> {
  const prefix = hostileText(400);
  const bodies = [0, 1].flatMap((topic) =>
    memoriesOfTopic(topic, 12).map((body) => ({ ...body, content: `${body.content} ${prefix}` })),
  );
  const { memories } = await client.memories.bulkCreate({ body: { memories: bodies } });
  await client.memories.create({ body: { content: hostileText(5_000), space_id } });
  const [from = '', to = ''] = memories.map(({ id }) => id);
  await client.relationships.create({
    params: { memoryId: from },
    body: { target_id: to, relationship_type: 'similar_to' },
  });
  await runFullClustering(client);
  return from;
}

async function addFacts(client: Client): Promise<string> {
  const create = async (suffix: string) => {
    const body = { name: `${hostileText(200)}${suffix}`, type: 'person' as const };
    return (await client.knowledge.create({ body })).id;
  };
  const [subject_id, object_id] = [await create('1'), await create('2')];
  const body = { subject_id, predicate: 'knows', object_id, valid_from: '2024-01-01' } as const;
  await client.knowledge.createFact({ body });
  return subject_id;
}

async function addRecording(client: Client): Promise<string> {
  const file = new Blob([new Uint8Array(await generateAudio('hostile.wav', 6))]);
  const filename = `${hostileText(200)}.wav`;
  const { id } = await client.memories.upload({ file, filename, title: hostileText(500) });
  const read = () => client.request({ method: 'GET', path: `/memories/${id}/transcript` });
  await eventually(read, ({ status }) => status === 200, 60_000);
  return id;
}

async function addMail(client: Client): Promise<void> {
  const to = await getOrCreateAddress(client);
  await allowSenders(client);
  const raw = [
    `From: "${hostileText(200).replaceAll(/["\p{Cc}]/gu, '')}" <mallory@example.org>`,
    `To: ${to}`,
    `Subject: ${hostileText(900).replaceAll(/\p{Cc}/gu, '')}`,
    '',
    hostileText(10_000),
  ];
  await postInboundMail(client, raw.join('\r\n'));
}

async function addFailedJob({ running }: Service, account_id: string): Promise<void> {
  const { ids, clock, engine } = running.context.app;
  const at = { run_at: clock.now(), created_at: clock.now(), finished_at: clock.now() };
  const job = { id: ids.uuid(), account_id, kind: 'memories.erase', payload: '{"ids":[]}' };
  const failed = { status: 'failed' as const, error: hostileText(10_000) };
  await engine.db
    .insertInto('jobs')
    .values({ ...job, ...failed, ...at })
    .execute();
}
