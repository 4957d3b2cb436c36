import type { Route } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { createFakeMedia } from '../../support/fake-media.ts';
import { writeInstalledModel } from '../../support/installed-model.ts';
import { emptyDns } from '../../support/mail.ts';
import type { engines, Service } from '../../support/service.ts';
import { startService } from '../../support/service.ts';
import { storeGrant } from '../contract/example-data-oauth.ts';
import type { ActualResponse } from './contract-violations.ts';
import { document, operationOf } from './fuzzed-operations.ts';
import {
  type ArbitrarySources,
  arbitraryFields,
  arbitraryFor,
  field,
  withOneMutation,
} from './json-schema-arbitraries.ts';
import {
  createBulkChanges,
  createClusters,
  createFailedDeliveries,
  createFailedJobs,
  createKnowledge,
  createMap,
  createPresets,
  createQueuedRuns,
  createRelationships,
  createRenewableTokens,
  createSessions,
  createSuggestions,
  createWebhooks,
  type Delivery,
  fuzzOwner,
  searchInSessions,
} from './populate.ts';
import { type CompleteRequest, createMailData } from './populate-mail.ts';
import { createMediaData } from './populate-media.ts';
import { createTransferData } from './populate-transfers.ts';

export interface FuzzRequest {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** A cursor, a session, a vector, a pipeline or a header's name is not met by chance. */
const rare = new Set([
  ...['cursor', 'session_id', 'embedding', 'pipeline', 'headers', 'enabled'],
  ...['corrects', 'source_memory_id'],
]);

/** Fields of a bulk change that belong to one kind of action each. */
const ofOtherActions = ['add', 'remove', 'space', 'space_id', 'protection_level'];

const spaceNames = ['red', 'blue', 'green'];

const idsOf = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id);

/** Manifests of models, which can be listed and removed. */
async function writeModels({ config: { dataDir } }: Service): Promise<string[]> {
  const names = Array.from({ length: 20 }, (_, i) => `model-${i}`);
  for (const name of names) await writeInstalledModel(dataDir, { name, bytes: 1_000 });
  return names;
}

/** Queues for whose jobs no request waits. */
const unusedQueues = ['backups', 'model-tests'];

/** A service with something of everything in it, to shoot at. */
export class FuzzTarget {
  readonly service: Service;
  readonly key: string;
  readonly #client: Client;
  /** The key of an account whose settings may change. */
  readonly #limited: string;
  /** Ids by the first segment of the path that made or takes them, of mail by the first two. */
  readonly #ids: Map<string, string[]>;
  /** Ends of relationships of the type supports. */
  readonly #pairs: readonly (readonly [source: string, target: string])[];
  /** A memory and one that it probably outdates. */
  readonly #suggested: readonly (readonly [newer: string, older: string])[];
  readonly #deliveries: readonly Delivery[];
  readonly #whole: Readonly<Record<string, readonly CompleteRequest[]>>;

  private constructor(
    service: Service,
    account: { key: string; client: Client },
    limited: string,
    ids: Map<string, string[]>,
    { pairs, suggested }: Record<'pairs' | 'suggested', readonly (readonly [string, string])[]>,
    deliveries: readonly Delivery[],
    whole: Readonly<Record<string, readonly CompleteRequest[]>>,
  ) {
    this.service = service;
    this.key = account.key;
    this.#client = account.client;
    this.#limited = limited;
    this.#ids = ids;
    this.#pairs = pairs;
    this.#suggested = suggested;
    this.#deliveries = deliveries;
    this.#whole = whole;
  }

  static async start(engine: (typeof engines)[number]): Promise<FuzzTarget> {
    const overrides = { resolveName: emptyDns, ...createFakeMedia() };
    const service = await startService(engine, { overrides });
    const account = await service.createAccount();
    const victims = await Promise.all(Array.from({ length: 40 }, () => service.createAccount()));
    const { client } = account;
    const ids = new Map([['admin', idsOf(victims)]]);
    const spaces = await Promise.all(
      spaceNames.map((name) => client.spaces.create({ body: { name } })),
    );
    ids.set('spaces', idsOf(spaces));
    const keys = await Promise.all(
      Array.from({ length: 60 }, () => client.keys.create({ body: { name: 'victim' } })),
    );
    ids.set('api-keys', idsOf(keys));
    const tokens = await Promise.all(Array.from({ length: 20 }, () => client.auth.createToken()));
    ids.set('auth', idsOf(tokens));
    const levels = ['none', 'none', 'none', 'soft', 'hard'] as const;
    const { memories } = await client.memories.bulkCreate({
      body: {
        memories: Array.from({ length: 20 }, (_, i) => ({
          content: `Note ${i}: the coffee machine in zone${i} has a dead battery.`,
          ...(i % 2 === 0 && { tags: ['coffee'], ...fuzzOwner }),
          space_id: i % 4 === 0 ? spaces[0]?.id : null,
          protection_level: levels[i % levels.length],
        })),
      },
    });
    ids.set('memories', idsOf(memories));
    const erased = await client.memories.bulkDelete({ body: { ids: [memories[1]?.id ?? ''] } });
    ids.set('jobs', [erased.job_id ?? '']);
    ids.set('erasures', [memories[1]?.id ?? '']);
    await client.memories.remove({ params: { id: memories[2]?.id ?? '' }, query: { soft: true } });
    const linked = await createRelationships(client);
    ids.set('relationships', linked.ids);
    ids.set('cli-sessions', await createSessions(client));
    ids.set('sessions', await searchInSessions(client));
    ids.set('verifications', [(await service.operator().admin.startVerification()).job_id]);
    ids.set('reembeddings', [(await service.operator().admin.startReembedding()).job_id]);
    const granting = keys.slice(0, 20).map(({ id }) => storeGrant(service, client, { key: id }));
    ids.set('oauth', await Promise.all(granting));
    ids.set('models', await writeModels(service));
    const test = { body: { model: 'static' } };
    ids.set('model-tests', [(await service.operator().admin.startModelTest(test)).job_id]);
    ids.set('search', await createPresets(client, ids.get('memories') ?? []));
    ids.set('webhooks', await createWebhooks(client));
    ids.set('clusters', await createClusters(client, memories[0]?.id ?? ''));
    ids.set('bulk-changes', await createBulkChanges(service, client));
    ids.get('jobs')?.push(...(await createQueuedRuns(service, client)));
    ids.set('failed-jobs', await createFailedJobs(service, account.id));
    ids.set('queues', unusedQueues);
    ids.set('renewable-tokens', await createRenewableTokens(client));
    const known = await createKnowledge(client);
    for (const area of ['knowledge', 'entities']) ids.set(area, known.entities);
    ids.set('facts', known.facts);
    const told = await createFailedDeliveries(client);
    const mail = await createMailData(service, client);
    for (const [area, known] of Object.entries(mail.ids)) ids.set(area, [...known]);
    const media = await createMediaData(service, client, memories[3]?.id ?? '');
    ids.set('recordings', [...media.recordings]);
    ids.set('uploads', [...media.uploads]);
    const transfers = await createTransferData(service, client, ids);
    await createMap(service, client);
    const { key } = await service.createAccount();
    const whole = { ...mail.completeRequests, ...media.completeRequests, ...transfers };
    const pairs = { pairs: linked.pairs, suggested: await createSuggestions(client) };
    return new FuzzTarget(service, account, key, ids, pairs, told, whole);
  }

  #areaOf({ id, path }: Route): string {
    const [, first = '', second = ''] = path.split('/');
    if (id === 'jobs.retry' || id === 'admin.retryJob') return 'failed-jobs';
    if (id.startsWith('media.')) return first === 'memories' ? 'recordings' : second;
    if (first === 'email') return `${first}/${second}`;
    return first === 'admin' && second !== 'accounts' ? second : first;
  }

  /** Ids that the route may take: its own area's, spaces, another account's, and one of nobody. */
  sources(route: Route): ArbitrarySources {
    const nobody = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';
    const of = (area: string): string[] => this.#ids.get(area) ?? [];
    // Mostly of its own area, so that some requests fare well whatever the seed and however many
    // spaces were made meanwhile.
    const own = of(route.id === 'knowledge.removeFact' ? 'facts' : this.#areaOf(route));
    const others = of('spaces').slice(0, 3);
    const ids = (field: string): string[] => {
      if (field === 'space') return [...spaceNames, 'nowhere'];
      if (/^(?:team_)?space_id/.test(field)) return [...of('spaces'), nobody];
      if (field === 'session_id') return [...of('cli-sessions'), nobody];
      if (field === 'memory_ids') return of('memories');
      if (/^(?:source_)?memory_id$/.test(field)) return [...of('memories'), nobody];
      if (field === 'corrects') return [...of('facts'), nobody];
      if (field === 'cluster_ids') return of('clusters').slice(0, 5);
      return [...own, ...own, ...own, ...others, nobody];
    };
    const known = (field: string): string[] => {
      if (route.id === 'admin.startModelTest' && field === 'model') return ['static'];
      if (route.id === 'auth.renewToken' && field === 'token') return of('renewable-tokens');
      return Object.entries(fuzzOwner).flatMap(([name, value]) => (name === field ? [value] : []));
    };
    return {
      components: document.components.schemas,
      ids,
      known,
      rare: route.id === 'memories.startChange' ? new Set([...rare, ...ofOtherActions]) : rare,
    };
  }

  /** Requests by the schema; `odd` changes one place of the query or the body. */
  requests(route: Route, odd: boolean): fc.Arbitrary<FuzzRequest> {
    const whole = this.#whole[route.id];
    if (whole) return arbitraryCompleteRequest(whole, odd);
    const sources = this.sources(route);
    const { parameters = [], requestBody } = operationOf(route);
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const query = arbitraryFields(
      Object.fromEntries(
        inQuery.map(({ name, schema }) => [name, field(name, schema, sources)] as const),
      ),
      inQuery.filter(({ required }) => required).map(({ name }) => name),
    );
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema ? arbitraryFor(schema, sources) : fc.constant(undefined);
    const bend = fc.boolean();
    return fc
      .tuple(
        fc.nat(),
        query,
        body,
        odd ? withOneMutation(query) : query,
        odd && schema ? withOneMutation(body) : body,
        bend,
      )
      .map(([n, plainQuery, plainBody, oddQuery, oddBody, bendsQuery]) => ({
        path: this.pathOf(route, n),
        query: queryText(odd && (bendsQuery || !schema) ? oddQuery : plainQuery),
        headers: n % 5 === 0 && route.idempotent ? { 'idempotency-key': `fuzz ${n}` } : {},
        body: schema ? JSON.stringify(odd && !bendsQuery ? oddBody : plainBody) : undefined,
      }));
  }

  /** The nth known id in the path; the newest are taken most. */
  pathOf(route: Route, n: number): string {
    const ids = this.sources(route).ids('id');
    if (route.path.includes(':targetId')) {
      const [source = '', target = ''] = this.#pairs[n % this.#pairs.length] ?? [];
      const triple = { sourceId: source, targetId: target, type: 'supports' };
      return route.path.replaceAll(/:(\w+)/g, (_, name: keyof typeof triple) => triple[name]);
    }
    if (route.path.includes(':olderId')) {
      const [newer = '', older = ''] = this.#suggested[n % this.#suggested.length] ?? [];
      return route.path.replace(':id', newer).replace(':olderId', older);
    }
    if (route.path.includes(':deliveryId')) {
      const { webhook_id, id } = this.#deliveries[n % this.#deliveries.length] as Delivery;
      return route.path.replace(':webhookId', webhook_id).replace(':deliveryId', id);
    }
    const id = ids[n % ids.length] ?? '';
    // Of a memory, one of the clusters that one of them is in.
    const within = route.path.replace(':clusterId', (whole) =>
      route.path.startsWith('/memories')
        ? (this.sources(route).ids('cluster_ids')[0] ?? '')
        : whole,
    );
    return within.replaceAll(/:\w+/g, () => id);
  }

  /** Limits that an account sets itself would stop whoever shoots with its key. */
  #keyFor(route: Route): string {
    if (excludedRoutes.has(route.id)) return this.#limited;
    return route.access === 'operator' || route.id === 'email.inbound'
      ? this.service.adminKey
      : this.key;
  }

  async send(route: Route, { path, query, headers, body }: FuzzRequest): Promise<ActualResponse> {
    const response = await fetch(`${this.service.url}/v1${path}${query}`, {
      method: route.method,
      headers: {
        ...route.fixedHeaders,
        authorization: `Bearer ${this.#keyFor(route)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
    });
    // What a mail, a recording or an archive says is done later.
    if (/^(?:email\.inbound|media\.|transfers\.|admin\.import)/.test(route.id) && writes(route))
      await this.service.running.context.worker.drain();
    const came = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
    // A relationship is made below a memory, and named by both.
    if (came.status === 201 && route.id.endsWith('.create') && !route.params) {
      const { id } = JSON.parse(came.text) as { id: string };
      this.#ids.get(this.#areaOf(route))?.push(id);
    }
    return came;
  }

  /** What a write could have changed, as the API shows it; what time alone moves is left out. */
  async state(): Promise<string> {
    // What earlier requests have queued would seem to be the next one's doing.
    await this.service.running.context.worker.drain();
    const operator = this.service.operator();
    const all = { limit: 100 };
    const [found, ...lists] = await Promise.all([
      this.#client.search.get({ query: { q: 'coffee battery', ...all } }),
      this.#client.memories.list({ query: { ...all, include_deleted: true } }),
      this.#client.spaces.list({ query: all }),
      this.#client.search.listPresets({ query: all }),
      this.#client.keys.list({ query: all }),
      this.#client.relationships.list({ params: { memoryId: this.#pairs[0]?.[0] ?? '' } }),
      this.#client.cliSessions.list({ query: { ...all, include_archived: true } }),
      this.#client.webhooks.list({ query: all }),
      // What runs find comes and goes by itself.
      this.#client.clusters.list({ query: { ...all, cluster_type: 'manual' } }),
      operator.admin.listAccounts({ query: all }),
    ]);
    const { db } = this.service.running.context.app.engine;
    const columns = ['id', 'received', 'memory_id'] as const;
    const uploads = await db.selectFrom('media_uploads').select(columns).orderBy('id').execute();
    // Their order moves with the salience.
    const hits = found.results.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return JSON.stringify([...lists, uploads, hits, found.facets], (name, value) =>
      volatileFields.has(name) ? undefined : value,
    );
  }
}

/** As they are, or with one character changed. */
const arbitraryCompleteRequest = (
  all: readonly Omit<FuzzRequest, 'body' | 'headers'>[],
  odd: boolean,
): fc.Arbitrary<FuzzRequest> =>
  fc.tuple(fc.constantFrom(...all), fc.nat()).map(([sent, n]) => {
    const { path, query } = sent;
    const at = 1 + (n % Math.max(1, query.length - 1));
    const bent = `${query.slice(0, at)}${n % 10}${query.slice(at + 1)}`;
    return { headers: {}, body: undefined, ...sent, path, query: odd ? bent : query };
  });

const writes = ({ method }: Route): boolean => method !== 'GET';

/** What would stop whoever shoots with the account's key. */
const excludedRoutes = new Set([
  'account.update',
  // It may delete all memories that the other requests need.
  'memories.startChange',
  'email.createAddress',
  'email.rotateAddress',
  'email.deactivateAddress',
]);

/** Fields that go on without a write. */
const volatileFields = new Set([
  'salience',
  'last_used_at',
  'score',
  'weight',
  'strength',
  // Its signature ends at a time that is reckoned from each request.
  'clip_url',
  'total_deliveries',
  'failed_deliveries',
  'failure_count',
  'last_triggered_at',
  'centroid_available',
  'cohesion_score',
  'silhouette_score',
  'dbcv_score',
]);

/** As a client writes it; lists go comma-separated. */
function queryText(query: unknown): string {
  const pairs = Object.entries(query as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${escaped(name)}=${escaped(asText(value))}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = Array.isArray(value) ? value.map(asText).join(',') : JSON.stringify(value);
  // A query as long as a server's limit for headers is another test's matter.
  return text.slice(0, 4_000);
}
