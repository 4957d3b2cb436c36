import type { Memory } from '@mneme/contract';
import { type Client, createClient, paginate } from '@mneme/sdk';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createDataLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { onlySessionOfKey, withoutTimers } from '../activation/session-requests.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { createSession, minuteMs } from './session-requests.ts';

/** Deletes a session again and again, kills the server meanwhile, and looks at what is left. */
export interface KillOptions {
  readonly rounds: number;
  readonly memories: number;
  readonly seed: number;
}

export interface RoundReport {
  /** From the request to the kill. */
  readonly killedAfterMs: number;
  readonly answeredMs: number | null;
  readonly outcome: 'gone' | 'there' | 'broken';
  /** Rows of its memories, erased or not: at the restart, and when the job is done. */
  readonly rows: readonly [before: number, after: number];
  /** Each finding is a broken promise. */
  readonly violations: readonly string[];
}

/** Within it a job is found, and erases ten thousand memories. */
const deletionJobMaxMs = 2_500;
const unrelatedCount = 20;
/** Vectors are not the subject. */
const env = { MNEME_LOG_LEVEL: 'warn', MNEME_EMBEDDING_PROVIDER: 'static' };
/** Looked at one by one; counts look at all. */
const sampleMax = 300;

export async function killRounds(
  engine: (typeof engines)[number],
  { rounds, memories, seed }: KillOptions,
): Promise<RoundReport[]> {
  const chance = createSeededRandom(seed);
  const reports: RoundReport[] = [];
  const place = await createDataLocation(engine);
  try {
    let expectedMs = 20 + memories / 20;
    for (let round = 0; round < rounds; round += 1) {
      const stage = await deleteAndKill(place, { memories, round, expectedMs, chance });
      if (stage.answeredMs !== null) expectedMs = stage.answeredMs;
      reports.push(await inspectAfterRestart(place, stage, chance));
    }
  } finally {
    await place.remove();
  }
  return reports;
}

interface KilledDeletion {
  readonly accountKey: string;
  readonly sessionId: string;
  readonly ids: readonly string[];
  readonly unrelatedIds: readonly string[];
  readonly killedAfterMs: number;
  readonly answeredMs: number | null;
}

interface Plan {
  readonly memories: number;
  readonly round: number;
  /** How long the call took when it was answered. */
  readonly expectedMs: number;
  readonly chance: SeededRandom;
}

/** An account of its own for each round, with a session to delete and some memories that stay. */
async function deleteAndKill(place: DataLocation, plan: Plan): Promise<KilledDeletion> {
  await using server = await startServerProcess(place, { env });
  const operator = server.client();
  const account = { name: `round ${plan.round}`, plan: 'enterprise' } as const;
  const { id } = await operator.admin.createAccount({ body: account });
  const body = { name: 'test' };
  const { key } = await operator.admin.createKey({ params: { id }, body });
  const client = server.client(key);
  const { id: sessionId } = await createSession(client);
  const ids = await fill(client, plan.memories, sessionId);
  const kept = await fill(client, unrelatedCount);
  await link(client, kept[0] ?? '', ids[0] ?? '');
  await client.search.get({ query: { q: 'needle', session: 'k', limit: 100 } });
  await client.sessions.active();

  const begun = performance.now();
  let answeredMs: number | null = null;
  const removal = client.cliSessions.remove({ params: { id: sessionId } }).then(
    () => {
      answeredMs = performance.now() - begun;
    },
    (error: unknown) => {
      // Only the loss of the connection is expected here.
      if (!(error instanceof TypeError)) throw error;
    },
  );
  // Every other kill falls into the call, the rest into the job behind it.
  const isLate = plan.round % 2 === 1;
  if (isLate) await removal;
  const delayMs = plan.chance.fraction() * (isLate ? deletionJobMaxMs : plan.expectedMs);
  setTimeout(() => void server.kill('SIGKILL', 'group'), delayMs);
  await server.ended;
  const killedAfterMs = Math.round(performance.now() - begun);
  await removal;
  return { accountKey: key, sessionId, ids, unrelatedIds: kept, killedAfterMs, answeredMs };
}

let filled = 0;

async function fill(client: Client, count: number, session_id?: string): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const bodies = Array.from({ length: Math.min(100, count - ids.length) }, () => {
      filled += 1;
      return { content: `needle ${filled}`, ...(session_id === undefined ? {} : { session_id }) };
    });
    const { memories, failed } = await client.memories.bulkCreate({ body: { memories: bodies } });
    if (failed.length > 0) throw new Error(JSON.stringify(failed[0]));
    ids.push(...memories.map(({ id }) => id));
  }
  return ids;
}

const link = (client: Client, memoryId: string, target_id: string) =>
  client.relationships.create({
    params: { memoryId },
    body: { target_id, relationship_type: 'related_to' },
  });

/**
 * Starts the service again, two minutes later so that the dead worker's lease is over; looks
 * before the job goes on, and when it is done.
 */
async function inspectAfterRestart(
  place: DataLocation,
  stage: KilledDeletion,
  chance: SeededRandom,
): Promise<RoundReport> {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_SHUTDOWN_SECONDS: '1',
    ...env,
    MNEME_DATA_DIR: place.dataDir,
    ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
  });
  const clock = withoutTimers(createFakeClock());
  clock.advance(2 * minuteMs);
  const running = await serve(config, '0.0.0-test', { clock, log: createLog('silent') });
  try {
    const client = createClient({ url: running.url, apiKey: stage.accountKey, retries: 0 });
    const { killedAfterMs, answeredMs } = stage;
    const before = await compare(client, stage, chance);
    const rowsBefore = await rowsOf(running, stage.sessionId);
    await running.context.worker.drain();
    const after = await compare(client, stage, chance);
    const rowsAfter = await rowsOf(running, stage.sessionId);
    const wrong = [...before.violations, ...after.violations];
    if (before.outcome !== after.outcome) wrong.push('the job changed what is seen');
    if (before.outcome === 'there' && answeredMs !== null) wrong.push('answered, and there');
    if (before.outcome === 'gone' && rowsAfter > 0) wrong.push('the job did not finish');
    const rows = [rowsBefore, rowsAfter] as const;
    return { killedAfterMs, answeredMs, outcome: before.outcome, rows, violations: wrong };
  } finally {
    await running.stop();
  }
}

async function rowsOf({ context }: ServerHandle, sessionId: string): Promise<number> {
  const rows = await context.app.engine.db
    .selectFrom('memories')
    .select('id')
    .where('session_id', '=', sessionId)
    .execute();
  return rows.length;
}

/** Every way to see the session and its memories must tell the same. */
async function compare(
  client: Client,
  stage: KilledDeletion,
  chance: SeededRandom,
): Promise<Pick<RoundReport, 'outcome' | 'violations'>> {
  const { sessionId, ids, unrelatedIds } = stage;
  const [all, rest] = [ids.length + unrelatedIds.length, unrelatedIds.length];
  // The best hundred of all, whichever of them are the session's.
  const held = await countInActivation(client, ids);
  const counts: Record<string, readonly [found: number, there: number, gone: number]> = {
    session: [await statusOf(client, `/cli-sessions/${sessionId}`), 200, 404],
    'sessions listed': [(await client.cliSessions.list()).data.length, 1, 0],
    'sessions counted': [(await client.cliSessions.stats()).total, 1, 0],
    listed: [(await listMemories(client)).length, all, rest],
    'listed in the session': [(await listMemories(client, sessionId)).length, ids.length, 0],
    found: [(await client.search.get({ query: { q: 'needle' } })).facets.memories, all, rest],
    'in the quota': [(await client.account.get()).usage.memories, all, rest],
    'told of': [(await listEvents(client, 'memory.deleted')).length, 0, ids.length],
    linked: [await degreeOf(client, unrelatedIds[0] ?? ''), 1, 0],
    'in the activation session': [held, held, 0],
  };
  const sample = Array.from({ length: Math.min(sampleMax, ids.length) }, () => chance.pick(ids));
  for (const id of new Set(sample)) {
    counts[id] = [await statusOf(client, `/memories/${id}`), 200, 404];
  }
  for (const id of unrelatedIds) counts[id] = [await statusOf(client, `/memories/${id}`), 200, 200];
  const isThere = counts.session?.[0] === 200;
  const wrong = Object.entries(counts).flatMap(([what, [found, there, gone]]) => {
    const expected = isThere ? there : gone;
    return found === expected ? [] : [`${what}: ${found} instead of ${expected}`];
  });
  return { outcome: wrong.length > 0 ? 'broken' : isThere ? 'there' : 'gone', violations: wrong };
}

const statusOf = async (client: Client, path: string): Promise<number> =>
  (await client.request({ method: 'GET', path })).status;

async function listMemories(client: Client, session_id?: string): Promise<Memory[]> {
  const found: Memory[] = [];
  const query = { limit: 100, include_deleted: true, ...(session_id ? { session_id } : {}) };
  const pages = paginate((place) => client.memories.list({ query: { ...query, ...place } }));
  for await (const memory of pages) found.push(memory);
  return found;
}

const degreeOf = async (client: Client, memoryId: string): Promise<number> =>
  (await client.relationships.list({ params: { memoryId } })).total;

/** How many of these the activation session shows. */
async function countInActivation(client: Client, ids: readonly string[]): Promise<number> {
  const own = new Set(ids);
  return (await onlySessionOfKey(client, 'k')).memory_ids.filter((id) => own.has(id)).length;
}
