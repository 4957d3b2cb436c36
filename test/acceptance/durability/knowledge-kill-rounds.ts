import { type Client, paginate } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** Kills a server while it reads memories and merges entities, and looks at what became of both. */

const given = ['Ana', 'Ben', 'Clara', 'David', 'Elena', 'Frank'];
const family = ['Ruiz', 'Keller', 'Marsh', 'Okafor', 'Lindgren'];
const companies = ['Acme Corp.', 'Bolt Inc.', 'Corex Ltd.', 'Danube GmbH'];
const killAfterAnswersMin = 10;
const killAfterAnswersMax = 40;
const killDelayMsMax = 400;
/** Vectors are not the subject. */
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };
/** A process that is gone holds an account for 15 s. */
const timeoutMs = 90_000;

/** Two entities of which one was to be merged into the other. */
interface MergePair {
  readonly source: string;
  readonly target: string;
  isConfirmed: boolean;
}

/** What one round was answered before the kill. */
interface ConfirmedWrites {
  readonly memories: string[];
  readonly pairs: MergePair[];
}

export interface RoundReport {
  /** Memories that were read when the server was killed, and that were not. */
  readonly extracted: number;
  readonly unextracted: number;
  readonly merges: number;
  readonly violations: readonly string[];
}

export interface KnowledgeKillOptions {
  readonly rounds: number;
  readonly seed: number;
  /** The latest answer after which a kill may come; each makes memories that are read again. */
  readonly answersMax?: number;
}

export async function knowledgeKillRounds(
  engine: (typeof engines)[number],
  { rounds, seed, answersMax = killAfterAnswersMax }: KnowledgeKillOptions,
): Promise<RoundReport[]> {
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  const all: ConfirmedWrites = { memories: [], pairs: [] };
  const reports: RoundReport[] = [];
  let server = await startServerProcess(place, { env });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const due = chance.integer(killAfterAnswersMin, answersMax);
      const answered = await loadAndKill(server, chance, due, `${round}`);
      all.memories.push(...answered.memories);
      all.pairs.push(...answered.pairs);
      server = await startServerProcess(place, { env });
      reports.push(await report(server.client(), all, answered));
    }
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
  return reports;
}

/** Stores and merges until the server is dead. */
async function loadAndKill(
  server: ServerProcess,
  chance: SeededRandom,
  due: number,
  name: string,
): Promise<ConfirmedWrites> {
  const client = server.client();
  const answered: ConfirmedWrites = { memories: [], pairs: [] };
  const delayMs = chance.fraction() * killDelayMsMax;
  let answers = 0;
  let written = 0;
  const text = (): string => {
    written += 1;
    const person = `${chance.pick(given)} ${chance.pick(family)}`;
    return `${person} works at ${chance.pick(companies)} That is note ${name}-${written}.`;
  };
  const untilDead = async (act: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await act();
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return;
      }
      answers += 1;
      if (answers === due) setTimeout(() => void server.kill('SIGKILL', 'group'), delayMs);
    }
  };
  const storeSome = async (): Promise<void> => {
    const memories = Array.from({ length: chance.integer(1, 10) }, () => ({ content: text() }));
    const { memories: made } = await client.memories.bulkCreate({ body: { memories } });
    answered.memories.push(...made.map(({ id }) => id));
  };
  const mergeTwo = async (): Promise<void> => {
    written += 1;
    const make = async (side: string): Promise<string> => {
      const body = { name: `${side} ${name}-${written}`, type: 'concept' } as const;
      const { id } = await client.knowledge.create({ body });
      const said = { subject_id: id, predicate: 'is_like', object_value: side };
      await client.knowledge.createFact({ body: said });
      return id;
    };
    const pair = { source: await make('source'), target: await make('target'), isConfirmed: false };
    answered.pairs.push(pair);
    const body = { source_id: pair.source, target_id: pair.target };
    await client.knowledge.merge({ body });
    pair.isConfirmed = true;
  };
  await Promise.all([untilDead(storeSome), untilDead(storeSome), untilDead(mergeTwo)]);
  await server.ended;
  return answered;
}

async function report(
  client: Client,
  all: ConfirmedWrites,
  last: ConfirmedWrites,
): Promise<RoundReport> {
  const before = await extractionCounts(client);
  const read = last.memories.filter((id) => before.has(id)).length;
  const ids = new Set([...(await listMemoryIds(client)), ...all.memories]);
  const told = await eventually(
    () => extractionCounts(client),
    (now) => [...ids].every((id) => now.has(id)),
    timeoutMs,
  );
  const wrong = [...ids]
    .filter((id) => told.get(id) !== 1)
    .map((id) => `${id} was told of ${told.get(id)} times`);
  for (const pair of all.pairs) wrong.push(...(await findMergeViolations(client, pair)));
  wrong.push(...(await findInconsistencies(client)));
  const { memories, pairs } = last;
  return {
    extracted: read,
    unextracted: memories.length - read,
    merges: pairs.length,
    violations: wrong,
  };
}

/** How often each memory was told to have been read. */
async function extractionCounts(client: Client): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const pages = paginate((place) =>
    client.events.list({ query: { type: 'entity.extracted', limit: 100, ...place } }),
  );
  for await (const event of pages) {
    if (event.type !== 'entity.extracted') continue;
    const { memory_id: id = '' } = event.data;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function listMemoryIds(client: Client): Promise<string[]> {
  const ids: string[] = [];
  const pages = paginate((place) => client.memories.list({ query: { limit: 100, ...place } }));
  for await (const { id } of pages) ids.push(id);
  return ids;
}

/** A merge is there as a whole or not at all, and what was answered is there. */
async function findMergeViolations(
  client: Client,
  { source, target, isConfirmed }: MergePair,
): Promise<string[]> {
  const { id, merged_from } = await client.knowledge.get({ params: { id: source } });
  const said = async (entity: string): Promise<string> => {
    const { facts } = await client.knowledge.facts({ params: { id: entity } });
    return facts
      .map(({ object_value }) => object_value)
      .toSorted()
      .join();
  };
  const found = [id, merged_from, await said(source), await said(target)].join(' ');
  const merged = [target, source, 'source,target', 'source,target'].join(' ');
  const apart = [source, undefined, 'source', 'target'].join(' ');
  const allowed = isConfirmed ? [merged] : [merged, apart];
  return allowed.includes(found) ? [] : [`${source}, merge answered: ${isConfirmed}: ${found}`];
}

/** What verification says: facts are compared with what their log gives anew. */
async function findInconsistencies(client: Client): Promise<string[]> {
  const { job_id: id } = await client.admin.startVerification({ body: {} });
  const done = await eventually(
    () => client.admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    timeoutMs,
  );
  const faults = done.faults.map(({ check, code, message }) => `${check}: ${code}: ${message}`);
  return done.status === 'completed' && (done.checked.facts ?? 0) > 0 ? faults : [done.status];
}
