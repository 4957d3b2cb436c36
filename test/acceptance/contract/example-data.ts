import { allRoutes, errorFormatOf, type Route } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import { MailSendFailed } from '../../../packages/server/src/providers/mail/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { writeInstalledModel } from '../../support/installed-model.ts';
import { emptyDns } from '../../support/mail.ts';
import { type engines, type Service, startService } from '../../support/service.ts';
import { absentId } from '../errors/error-case.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';
import { createMailExampleData, mailSampleIds, refusedRecipient } from './example-data-email.ts';
import { createMediaExampleData, mediaSampleIds } from './example-data-media.ts';
import { createGrantExampleData, oauthSampleIds } from './example-data-oauth.ts';

/** Every route of JSON that is answered as a whole, with its id first, for `it.each`. */
export const jsonRoutes = allRoutes
  .filter(
    ({ eventStream, requestType, bodyOptional, responseType }) =>
      !eventStream && (!requestType || bodyOptional) && !responseType,
  )
  .map((route) => [route.id, route] as const);

/** Those of media whose bodies or answers are bytes. */
export const byteRoutes = allRoutes
  .filter(
    ({ id, requestType, bodyOptional, responseType }) =>
      id.startsWith('media.') && ((requestType && !bodyOptional) || responseType),
  )
  .map((route) => [route.id, route] as const);

/** The ids that the contract's examples use, by what they name. */
const sampleIds = {
  memory: '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e',
  space: '019b8d1c-3a41-7a52-8c1d-2e3f4a5b6c7d',
  account: '019b8d1c-3a42-7b63-8d2e-3f4a5b6c7d8e',
  key: '019b8d1c-3a43-7c74-8e3f-4a5b6c7d8e9f',
  job: '019b8d1c-3a44-7d85-8f40-5b6c7d8e9fa0',
  cliSession: '019b8d1c-3a49-72da-8495-a0b1c2d3e4f5',
  session: '019b8d1c-3a4a-73eb-85a6-b1c2d3e4f506',
  other: '019b8d1c-3a4c-750d-87c8-d3e4f5061728',
  webhook: '019b8d1c-3a48-7c01-8d23-4e5f60718293',
  delivery: '019b8d1c-3a49-7d45-9e67-0f1a2b3c4d5e',
  person: '019b8d1c-3a50-7a10-8b1c-0d1e2f3a4b5c',
  organization: '019b8d1c-3a51-7b20-8c2d-1e2f3a4b5c6d',
  fact: '019b8d1c-3a52-7c30-8d3e-2f3a4b5c6d7e',
  cluster: '019b8d1c-3a53-7d40-8e4f-304152637485',
  otherCluster: '019b8d1c-3a54-7e50-8f5a-415162738495',
  run: '019b8d1c-3a55-7f60-906b-5262738495a6',
  token: '019b8d1c-3a56-7a70-8172-738495a6b7c8',
  renewableToken: 'eyJhbGciOiJIUzI1NiJ9.…',
  ...mailSampleIds,
  ...mediaSampleIds,
  ...oauthSampleIds,
} as const;

const endpoint = 'https://example.com/hooks/mneme';

/** A service whose webhooks reach an endpoint that refuses a first delivery where it is told to. */
export async function startContractService(engine: (typeof engines)[number]): Promise<Service> {
  const endpoints = createFakeEndpoints();
  const asked = new Set<string>();
  endpoints.setReply(endpoint, ({ headers, deliveryId }) => {
    const isFirst = !asked.has(deliveryId);
    asked.add(deliveryId);
    return { status: isFirst && 'x-refuse' in headers ? 500 : 200, body: 'ok' };
  });
  const env = { MNEME_EMAIL_DOMAIN: 'mail.example.com', MNEME_EMBEDDING_PROVIDER: 'encoder' };
  const { fetchOutside } = endpoints;
  const sendMail: ServiceOverrides['sendMail'] = async ({ recipient }) => {
    if (recipient !== refusedRecipient) return '250 OK';
    const kind = { isPermanent: true, isRecipientRejected: false };
    throw new MailSendFailed('554 relay access denied', kind);
  };
  const overrides = { fetchOutside, resolveName: emptyDns, sendMail, ...createFakeMedia() };
  return startService(engine, { env, overrides });
}

const isCreateRoute = ({ id }: Route): boolean =>
  /^(?:memories\.(?:create|bulkCreate)|spaces\.create)$/.test(id);

const suggestionRoute = /^memories\.(?:suggestions|acceptSuggestion|dismissSuggestion)$/;

/** A memory that the one of the example outdates, where the route needs it. */
const olderContentFor = ({ id }: Route): string =>
  suggestionRoute.test(id) ? 'I live in Munich.' : 'Mostly tea at home, hardly any coffee.';

/** What the example makes is not there before. */
function contentFor({ id }: Route, making: boolean): string {
  if (id === 'knowledge.create') return 'tea over coffee';
  if (suggestionRoute.test(id)) return 'I have moved to Berlin and no longer live in Munich.';
  return making ? 'Ana has a cat.' : 'Ana prefers tea over coffee.';
}

export type ExampleIds = Readonly<Record<keyof typeof sampleIds, string>>;

/** What an account has that the route's example speaks of, made as anybody would make it. */
export async function createExampleData(
  service: Service,
  client: Client,
  route: Route,
  /** Puts everything that can be in a space there. */
  inSpace = false,
): Promise<ExampleIds> {
  const needs = exampleNeeds(route);
  const space = needs.space || inSpace ? (await makeSpace(client, route)).id : '';
  const place = inSpace ? { space_id: space } : {};
  const cliSession = needs.cliSession ? await makeCliSession(client, place) : '';
  const webhook = await makeWebhook(client, route, place);
  const known = await createKnowledge(client, route, place);
  const made = needs.memories
    ? await makeMemories(client, route, place, cliSession)
    : { memory: '', other: '' };
  const session = needs.session ? await makeSession(client) : '';
  if (needs.preset) {
    const body = { limit: 5, threshold: 0.6 };
    await client.search.putPreset({ params: { name: 'support-desk' }, body });
  }
  const account = needs.account ? await makeAccount(service) : '';
  const key = needs.key ? await makeKey(client) : '';
  const grantOf = { key, space: inSpace ? space : undefined };
  const ids: ExampleIds = {
    ...made,
    ...(await createGrantExampleData(service, client, route, grantOf)),
    // The example of a batch shows what is told of a space that there is not.
    space: route.id === 'search.batch' ? absentId : space,
    account,
    key,
    token: /^auth\.(?:list|revoke)/.test(route.id) ? (await client.auth.createToken()).id : '',
    renewableToken:
      route.id === 'auth.renewToken'
        ? (await client.auth.createToken({ body: { renewable_for: 43_200 } })).token
        : '',
    job: await createJobFor(service, client, route, account),
    cliSession,
    session,
    webhook,
    delivery: await waitForDelivery(client, route, webhook),
    ...known,
    ...(await makeClusters(service, client, route, place, made.memory)),
    ...(await makeBulkChange(client, route)),
    ...(await createMailExampleData(client, route)),
    ...(await createMediaExampleData(client, route, place)),
  };
  await prepareForRoute(client, ids, route);
  if (route.id === 'admin.removeModel') {
    const model = { name: 'bge-small-en-v1.5', bytes: 34_714_000 };
    await writeInstalledModel(service.config.dataDir, model);
  }
  return ids;
}

/** What a route's own example names or shows: nothing else is made. */
function exampleNeeds({ id, example }: Route) {
  const text = JSON.stringify(example);
  const names = (one: keyof typeof sampleIds): boolean => text.includes(sampleIds[one]);
  const area = (pattern: RegExp): boolean => pattern.test(id);
  return {
    // The mail of the examples is stored in a space by its name.
    space:
      area(/^(?:spaces|search|account|operations|events)\./) ||
      area(/^email\..*(?:history|attachment|outbound)/i) ||
      names('space'),
    cliSession: area(/^(?:cliSessions|account)\./) || names('cliSession'),
    memories:
      id === 'admin.getErasure' ||
      !area(/^(?:spaces|keys|auth|grants|admin|transfers|media|email|cliSessions\.(?!memories))/),
    session: area(/^(?:sessions|search|events|relationships|coAccess)/) || names('session'),
    preset: area(/^search\./),
    account: area(/^(?:admin|jobs)\./),
    key: area(/^(?:keys|account|grants)\./) || names('key'),
  };
}

const makeSpace = (client: Client, route: Route) => {
  const name = isCreateRoute(route) ? 'another' : 'research';
  return client.spaces.create({ body: { name, description: 'Papers and notes' } });
};

async function makeCliSession(client: Client, place: object): Promise<string> {
  const name = 'Planning the move to Berlin';
  const body = { name, tags: ['berlin'], origin_type: 'chat', ...place };
  return (await client.cliSessions.create({ body })).id;
}

async function makeMemories(
  client: Client,
  route: Route,
  place: object,
  cliSession: string,
): Promise<Pick<ExampleIds, 'memory' | 'other'>> {
  const makeOther = () =>
    client.memories.create({
      body: { content: olderContentFor(route), ...place },
    });
  // Lists show the newest memory first, events the oldest.
  const early = route.id === 'events.list' ? null : await makeOther();
  const memory = await client.memories.create({
    body: {
      content: contentFor(route, isCreateRoute(route)),
      tags: ['preference'],
      metadata: { source: 'chat' },
      priority: 5,
      ...place,
      ...(route.id === 'cliSessions.memories' ? { session_id: cliSession } : {}),
    },
  });
  const other = early ?? (await makeOther());
  return { memory: memory.id, other: other.id };
}

/** An activation session: a search begins it. */
async function makeSession(client: Client): Promise<string> {
  await client.search.get({ query: { q: 'Ana prefers tea', session: 'chat-42', limit: 1 } });
  return (await client.sessions.list()).data[0]?.id ?? '';
}

async function makeAccount(service: Service): Promise<string> {
  const body = { name: 'acme', plan: 'pro' } as const;
  return (await service.client().admin.createAccount({ body })).id;
}

async function makeKey(client: Client): Promise<string> {
  const scopes = ['memories:read', 'memories:write', 'search:read'] as const;
  return (await client.keys.create({ body: { name: 'agent', scopes: [...scopes] } })).id;
}

/** What the examples of knowledge speak of, before any memory that names it is read. */
async function createKnowledge(
  client: Client,
  { id }: Route,
  place: object,
): Promise<Pick<ExampleIds, 'person' | 'organization' | 'fact'> & { memory?: string }> {
  if (!/^knowledge\.(?!create$)/.test(id)) return { person: '', organization: '', fact: '' };
  const make = (name: string, type: 'person' | 'organization', aliases: string[] = []) =>
    client.knowledge.create({ body: { name, type, aliases, ...place } });
  const person = await make('Ana Ruiz', 'person', ['Ana']);
  const organization = await make('Acme', 'organization');
  const { id: memory_id } = await client.memories.create({
    body: { content: 'Ana Ruiz works at Acme since May 2025.', ...place },
  });
  const { facts } = await client.knowledge.extract({ body: { memory_id } });
  const ids = { person: person.id, organization: organization.id, fact: facts[0]?.id ?? '' };
  // What a memory states is shown of the one that was read.
  return id === 'knowledge.ofMemory' ? { ...ids, memory: memory_id } : ids;
}

/** Of those that the examples speak of, one has the memory in it. */
async function makeClusters(
  service: Service,
  client: Client,
  { id }: Route,
  place: { space_id?: string },
  memoryId: string,
): Promise<Pick<ExampleIds, 'cluster' | 'otherCluster' | 'run'>> {
  if (!/^(?:clusters|jobs)\./.test(id)) return { cluster: '', otherCluster: '', run: '' };
  const make = (name: string, description: string | null, color: string | null) =>
    client.clusters.create({ body: { name, description, color, ...place } });
  const cluster = await make('Hot drinks', 'What people drink at home and at work', '#8b5a2b');
  const isMerge = id === 'clusters.merge';
  const otherCluster = isMerge ? (await make('Tea', null, null)).id : '';
  const params = { id: memoryId };
  const body = { cluster_ids: [isMerge ? otherCluster : cluster.id] };
  const isJoined = !/\.(?:associate|incremental|full|runs)$/.test(id);
  if (isJoined) await client.clusters.associate({ params, body });
  return { cluster: cluster.id, otherCluster, run: await createRunFor(service, client, id, place) };
}

/** One that has completed. */
async function makeBulkChange(client: Client, { id }: Route): Promise<{ run?: string }> {
  if (!/^memories\.(?:getChange|undoChange)$/.test(id)) return {};
  const action = { type: 'tag' as const, add: ['checked'] };
  const started = await client.memories.startChange({ body: { filter: {}, action } });
  const run = 'id' in started ? started.id : '';
  const read = () => client.memories.getChange({ params: { changeId: run } });
  await eventually(read, ({ status }) => status === 'completed');
  return { run };
}

/** One that is over to be listed, one that waits to be cancelled. */
async function createRunFor(
  service: Service,
  client: Client,
  id: string,
  place: { space_id?: string },
): Promise<string> {
  if (!/^(?:jobs\.cancel|clusters\.runs)$/.test(id)) return '';
  const { job_id: run } = await client.clusters.full({ body: place });
  if (id === 'clusters.runs') {
    await eventually(() => client.jobs.get({ params: { id: run } }), isDone, 30_000);
    return run;
  }
  await service.running.context.app.engine.db
    .updateTable('jobs')
    .set({ run_at: new Date(Date.now() + 3_600_000) })
    .where('id', '=', run)
    .execute();
  return run;
}

/** Only where the route is about webhooks: deliveries would be in everybody's way. */
async function makeWebhook(client: Client, { id }: Route, place: object): Promise<string> {
  if (!/^webhooks\.(?!create|bulkCreate|eventTypes)/.test(id)) return '';
  const headers = id === 'webhooks.retryDelivery' ? { 'x-refuse': 'once' } : {};
  // The search is told of when it likes, and would be the newest delivery now and then.
  const events = /deliver/i.test(id) ? ['memory.created'] : ['memory.*'];
  const body = { url: endpoint, events, headers, ...place };
  return (await client.webhooks.create({ body })).id;
}

/** The newest delivery, once it is over. */
async function waitForDelivery(client: Client, { id }: Route, webhookId: string): Promise<string> {
  if (webhookId === '' || id === 'webhooks.remove') return '';
  const list = () => client.webhooks.listDeliveries({ params: { webhookId } });
  const { data } = await eventually(
    list,
    (page) => page.data.length >= 2 && page.data.every(({ status }) => status !== 'pending'),
  );
  return data[0]?.id ?? '';
}

const isDone = ({ status }: { status: string }): boolean => status === 'completed';

async function createJobFor(
  service: Service,
  client: Client,
  route: Route,
  account_id: string,
): Promise<string> {
  const operator = service.operator();
  if (route.id === 'admin.getVerification') {
    const id = (await operator.admin.startVerification({ body: { account_id } })).job_id;
    await eventually(() => operator.admin.getVerification({ params: { id } }), isDone, 30_000);
    return id;
  }
  if (route.id === 'admin.getReembedding') {
    const id = (await operator.admin.startReembedding()).job_id;
    await eventually(() => operator.admin.getReembedding({ params: { id } }), isDone, 30_000);
    return id;
  }
  if (route.id === 'admin.getModelTest') {
    const body = { model: 'static' };
    const id = (await operator.admin.startModelTest({ body })).job_id;
    const hasFailed = ({ status }: { status: string }): boolean => status === 'failed';
    await eventually(() => operator.admin.getModelTest({ params: { id } }), hasFailed, 30_000);
    return id;
  }
  if (/^(?:admin|transfers)\.getImport$/.test(route.id)) return createImport(service, client);
  if (!jobRoutes.includes(route.id)) return '';
  const { id } = await client.memories.create({ body: { content: 'soon forgotten' } });
  const job = (await client.memories.bulkDelete({ body: { ids: [id] } })).job_id ?? '';
  await eventually(() => client.jobs.get({ params: { id: job } }), isDone);
  if (route.id !== 'jobs.get' && route.id !== 'jobs.list') {
    const { db } = service.running.context.app.engine;
    const failed = { status: 'failed' as const, error: 'The job failed.' };
    await db.updateTable('jobs').set(failed).where('id', '=', job).execute();
  }
  return job;
}

const jobRoutes = ['jobs.get', 'jobs.list', 'jobs.retry', 'admin.listJobs', 'admin.retryJob'];

/** Of two memories, one of which the account has. */
async function createImport(service: Service, client: Client): Promise<string> {
  const source = (await service.createAccount()).client;
  for (const content of ['known already', 'new here'])
    await source.memories.create({ body: { content } });
  await client.memories.create({ body: { content: 'known already' } });
  const archive = await source.transfers.export();
  const body = new Uint8Array(await archive.arrayBuffer());
  const { import_id: id } = await client.transfers.import({ body });
  await eventually(() => client.transfers.getImport({ params: { id } }), isDone, 30_000);
  return id;
}

/** What has to be done before the route's own example can fare well. */
async function prepareForRoute(
  client: Client,
  ids: ExampleIds,
  { id, path }: Route,
): Promise<void> {
  const params = { id: ids.memory };
  const session = { params: { id: ids.cliSession } };
  if (id === 'memories.restore') await client.memories.remove({ params, query: { soft: true } });
  if (id === 'admin.listErasures') await eraseTwoMemories(client);
  if (id === 'admin.getErasure') await client.memories.remove({ params });
  if (id === 'memories.unpin') await client.memories.pin({ params });
  if (id === 'cliSessions.resume') await client.cliSessions.pause(session);
  if (id === 'cliSessions.archive') await client.cliSessions.complete(session);
  if (path.startsWith('/relationships') && !/\.(?:create|batch)$/.test(id)) {
    await client.relationships.create({
      params: { memoryId: ids.memory },
      body: { target_id: ids.other, relationship_type: 'supports', weight: 0.8 },
    });
  }
}

async function eraseTwoMemories(client: Client): Promise<void> {
  for (const content of ['one to erase', 'another to erase']) {
    const { id } = await client.memories.create({ body: { content } });
    await client.memories.remove({ params: { id } });
  }
}

/** A route's own example, with the ids of the scene in place of its samples. */
export function exampleRequest(route: Route, ids: ExampleIds) {
  const { params = {}, query, headers, body } = route.example;
  const real = <T>(value: T): T => {
    if (value === undefined) return value;
    let text = JSON.stringify(value);
    for (const [name, sample] of Object.entries(sampleIds)) {
      text = text.replaceAll(sample, ids[name as keyof ExampleIds]);
    }
    return JSON.parse(text) as T;
  };
  const named = real(params);
  return {
    method: route.method,
    path: route.path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? ''),
    ...(query ? { query: real(query) } : {}),
    ...(headers ? { headers: { ...headers, ...contentTypeHeader(route) } } : {}),
    ...(body === undefined ? {} : { body: real(body) }),
    ...(route.requestType ? { body: fakeRecording('audio') } : {}),
  };
}

const contentTypeHeader = ({ requestType }: Route) =>
  requestType ? { 'content-type': requestType.type } : {};

/** The key that a route takes: the operator's for what only it may. */
export const clientFor = (service: Service, client: Client, { access }: Route): Client =>
  access === 'operator' ? service.client() : client;

/** An error of this code as the route shows it where no other form is asked for. */
export const expectedError = ({ path }: Route, code: string | undefined): object =>
  errorFormatOf(path) === 'flat' ? { error: code } : { error: { code } };
