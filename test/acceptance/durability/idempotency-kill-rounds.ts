import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { type Client, paginate } from '@mneme/sdk';
import { sql } from 'kysely';
import { openEngine } from '../../../packages/server/src/database/index.ts';
import { silentLog } from '../../../packages/server/src/database/testing.ts';
import {
  createDataLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** Kills a server among requests with an Idempotency-Key and sends those in flight once more. */

export const kinds = ['memory', 'bulk', 'space'] as const;
type Kind = (typeof kinds)[number];

const clientCount = 12;
const killAfterAnswers = { min: 6, max: 40 };
/** On PostgreSQL every commit is made to take this long per row, so that kills fall into it. */
const commitSeconds = 0.03;
/** From an answer to the kill. On PostgreSQL: until the commit after it, of three rows, ends. */
const killDelayMsMax = { embedded: 6, PostgreSQL: 200, Citus: 200 };

/** One request that nobody heard the answer of. */
interface UnansweredRequest {
  readonly kind: Kind;
  readonly key: string;
  readonly names: readonly string[];
}

/** How many lost requests of a kind had taken effect, and how many had not. */
type EffectCounts = Record<Kind, { effect: number; none: number }>;

export interface IdempotencyReport {
  readonly effectCounts: EffectCounts;
  readonly violations: readonly string[];
}

export interface IdempotencyOptions {
  readonly seed: number;
  readonly roundsMax: number;
  /** Goes on until then even when each kind was met on both sides of its commit: 0 unless told. */
  readonly roundsMin?: number;
}

/** Kills, starts again and repeats what was lost, round after round on one place. */
export async function idempotencyKillRounds(
  engine: (typeof engines)[number],
  { seed, roundsMax, roundsMin = 0 }: IdempotencyOptions,
): Promise<IdempotencyReport> {
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  const sides: EffectCounts = {
    memory: { effect: 0, none: 0 },
    bulk: { effect: 0, none: 0 },
    space: { effect: 0, none: 0 },
  };
  const wrong: string[] = [];
  let server = await startServerProcess(place);
  try {
    if (place.databaseUrl !== null) await slowCommits(place.databaseUrl);
    for (let round = 1; round <= roundsMax; round += 1) {
      if (round > roundsMin && missingKinds(sides).length === 0) break;
      const missing = missingKinds(sides);
      const lacksEffect = kinds.some((kind) => sides[kind].effect === 0);
      const isWatched = place.databaseUrl === null && (lacksEffect || round % 2 === 1);
      const load: RoundLoad = {
        engine,
        kinds: missing.length > 0 ? missing : kinds,
        name: `round ${round}`,
        watchedLocation: isWatched ? place : null,
      };
      const lost = await loadAndKill(server, chance, load);
      server = await startServerProcess(place);
      wrong.push(...(await repeatRequests(server.client(), lost, sides)));
    }
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
  return { effectCounts: sides, violations: wrong };
}

/** Those that were not yet met on both sides of their commit. */
const missingKinds = (sides: EffectCounts): Kind[] =>
  kinds.filter((kind) => sides[kind].effect === 0 || sides[kind].none === 0);

/** The backend goes on with a commit whose client has died: the effect is there, unanswered. */
async function slowCommits(url: string): Promise<void> {
  await using engine = await openEngine({ kind: 'server', url, poolMax: 1 }, { log: silentLog });
  await engine.transaction(async (tx) => {
    // Triggers that write to other tables are not safe: this one writes nothing.
    if (engine.isDistributed) await sql`set local citus.enable_unsafe_triggers = on`.execute(tx);
    await sql`create function slow_commit() returns trigger language plpgsql as
      ${sql.lit(`begin perform pg_sleep(${commitSeconds}); return null; end`)}`.execute(tx);
    for (const table of ['memories', 'spaces']) {
      await sql`create constraint trigger slow_commit after insert on ${sql.table(table)}
        deferrable initially deferred for each row execute function slow_commit()`.execute(tx);
    }
  });
}

interface RoundLoad {
  readonly engine: (typeof engines)[number];
  /** The clients send them in turn. */
  readonly kinds: readonly Kind[];
  readonly name: string;
  /** Kill when the log of this place is written next, between the effect and its answer. */
  readonly watchedLocation: DataLocation | null;
}

/** Sends until the server is dead; returns the requests without an answer. */
async function loadAndKill(
  server: ServerProcess,
  chance: SeededRandom,
  load: RoundLoad,
): Promise<UnansweredRequest[]> {
  const due = chance.integer(killAfterAnswers.min, killAfterAnswers.max);
  const delayMs = chance.fraction() * killDelayMsMax[load.engine];
  const lost: UnansweredRequest[] = [];
  let watcher: FSWatcher | undefined;
  let answers = 0;
  const kill = (): void => void server.kill('SIGKILL', 'group');
  const client = server.client();
  const { name, watchedLocation } = load;
  const work = Array.from({ length: clientCount }, async (_, place) => {
    const kind = load.kinds[place % load.kinds.length] ?? 'memory';
    for (let turn = 1; ; turn += 1) {
      const key = `${name} ${kind} ${place} ${turn}`;
      const request: UnansweredRequest = { kind, key, names: namesOf(kind, key) };
      try {
        await sendRequest(client, request);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        lost.push(request);
        return;
      }
      answers += 1;
      if (answers !== due) continue;
      if (watchedLocation === null) setTimeout(kill, delayMs);
      else watcher = watch(path.join(watchedLocation.dataDir, 'pg', 'pg_wal'), kill);
    }
  });
  await Promise.all(work);
  await server.ended;
  watcher?.close();
  return lost;
}

const namesOf = (kind: Kind, key: string): string[] =>
  kind === 'bulk' ? [`${key} first`, `${key} second`, `${key} third`] : [key];

/** Returns the ids of what the answer says was made. */
async function sendRequest(
  client: Client,
  { kind, key, names }: UnansweredRequest,
): Promise<string[]> {
  const options = { idempotencyKey: key };
  const [content = ''] = names;
  switch (kind) {
    case 'memory':
      return [(await client.memories.create({ body: { content } }, options)).id];
    case 'space':
      return [(await client.spaces.create({ body: { name: content } }, options)).id];
    case 'bulk': {
      const memories = names.map((name) => ({ content: name }));
      const answer = await client.memories.bulkCreate({ body: { memories } }, options);
      if (answer.failed.length > 0) throw new Error(JSON.stringify(answer.failed));
      return answer.memories.map(({ id }) => id);
    }
  }
}

/** Everything there is, by name; a name twice is two ids. */
async function listIdsByName(client: Client): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  const note = (name: string, id: string): void => {
    ids.set(name, [...(ids.get(name) ?? []), id]);
  };
  const memories = paginate((place) => client.memories.list({ query: { limit: 100, ...place } }));
  for await (const { content, id } of memories) note(content, id);
  const spaces = paginate((place) => client.spaces.list({ query: { limit: 100, ...place } }));
  for await (const { name, id } of spaces) note(name, id);
  return ids;
}

/** The same request again must be answered with 201 and leave exactly one of each. */
async function repeatRequests(
  client: Client,
  lost: readonly UnansweredRequest[],
  sides: EffectCounts,
): Promise<string[]> {
  const wrong: string[] = [];
  const before = await listIdsByName(client);
  const made = new Map<UnansweredRequest, string[]>();
  for (const request of lost) {
    const there = request.names.filter((name) => before.has(name)).length;
    if (there !== 0 && there !== request.names.length)
      wrong.push(`${request.key} is there by half`);
    sides[request.kind][there > 0 ? 'effect' : 'none'] += 1;
    try {
      made.set(request, await sendRequest(client, request));
    } catch (error) {
      wrong.push(`${request.key}, there before: ${there}, was answered ${String(error)}`);
    }
  }
  const after = await listIdsByName(client);
  for (const [{ key, names }, ids] of made) {
    const found = names.flatMap((name) => after.get(name) ?? []);
    if (JSON.stringify(found) !== JSON.stringify(ids)) {
      wrong.push(`${key}: answered ${ids.join()}, there is ${found.join()}`);
    }
  }
  return wrong;
}
