import type { Memory } from '@mneme/contract';
import { type Client, MnemeError, paginate } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import {
  createDataLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, rareWord, type SeededRandom } from './seeded-random.ts';

/** Kills a loaded server again and again and compares what it has with what it had answered. */

const clientCount = 16;
const killAfterAnswersMin = 30;
const killAfterAnswersMax = 250;
/** From the chosen answer to the signal: some kills fall between two answers. */
const killDelayMsMax = 8;

/** What a memory may be after the kill: the last answered state, or that of the lost request. */
interface State {
  readonly word: string;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly deleted: 'no' | 'softly' | 'for good';
}

interface ExpectedMemory {
  confirmed: State;
  /** Asked for when the server died: it may have happened or not. */
  pending: State | null;
}

type ExpectedMemories = Map<string, ExpectedMemory>;

export interface RoundReport {
  readonly responses: number;
  readonly readyMs: number;
  readonly violations: readonly string[];
}

/** How the end comes, and what there is after it. */
interface KillMethod {
  /** Strikes in the middle of the load. */
  kill(server: ServerProcess): void;
  /** The server to go on with, once everything is up again. */
  restart(server: ServerProcess, place: DataLocation): Promise<ServerProcess>;
  /** The server lives on without its database, and says so. */
  readonly returnsErrors: boolean;
}

const killServer: KillMethod = {
  kill: (server) => void server.kill('SIGKILL', 'group'),
  async restart(server, place) {
    const exit = await server.ended;
    if (exit.signal !== 'SIGKILL') throw new Error(`it ended by itself: ${server.output()}`);
    return startServerProcess(place);
  },
  returnsErrors: false,
};

export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly method?: KillMethod;
  readonly place?: DataLocation;
  /** The latest answer after which a kill may come; each makes memories that are compared. */
  readonly answersMax?: number;
}

/** Runs the rounds on one place; every finding of `wrong` is a broken promise. */
export async function killRounds(
  engine: (typeof engines)[number],
  { rounds, seed, method = killServer, answersMax = killAfterAnswersMax, ...options }: KillOptions,
): Promise<RoundReport[]> {
  const chance = createSeededRandom(seed);
  const place = options.place ?? (await createDataLocation(engine));
  const reports: RoundReport[] = [];
  const past: ExpectedMemories = new Map();
  const words = { next: 0 };
  let server = await startServerProcess(place);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const journal: ExpectedMemories = new Map();
      const due = chance.integer(killAfterAnswersMin, answersMax);
      const answers = await loadAndKill(server, method, chance, due, journal, words);
      server = await method.restart(server, place);
      const wrong = [
        ...(await compare(server.client(), journal)),
        ...(await compareListed(server.client(), new Map([...past, ...journal]))),
        ...(await compareEvents(server.client(), new Map([...past, ...journal]))),
      ];
      reports.push({ responses: answers, readyMs: Math.round(server.readyMs), violations: wrong });
      for (const [id, entry] of journal) past.set(id, entry);
      await acceptActualState(server.client(), journal);
    }
    const faults = await verify(server.client());
    if (faults.length > 0) reports.push({ responses: 0, readyMs: 0, violations: faults });
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
  return reports;
}

/** Counters, documents and vectors against what they are made from. */
async function verify({ admin }: Client): Promise<string[]> {
  const { job_id: id } = await admin.startVerification({ body: {} });
  const done = await eventually(
    () => admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    120_000,
  );
  if (done.status === 'failed') return ['the verification failed'];
  return done.faults.map((fault) => JSON.stringify(fault));
}

/** After the comparison what is there is what counts from now on. */
async function acceptActualState(client: Client, journal: ExpectedMemories): Promise<void> {
  for (const [id, entry] of journal) {
    if (entry.pending === null) continue;
    if (matchesState(entry.pending, await read(client, id))) entry.confirmed = entry.pending;
    entry.pending = null;
  }
}

/** Returns how many requests were answered before the end. */
async function loadAndKill(
  server: ServerProcess,
  strike: KillMethod,
  chance: SeededRandom,
  due: number,
  journal: ExpectedMemories,
  words: { next: number },
): Promise<number> {
  const delayMs = chance.fraction() < 0.5 ? 0 : chance.fraction() * killDelayMsMax;
  let answers = 0;
  const answered = (): void => {
    answers += 1;
    if (answers !== due) return;
    if (delayMs === 0) strike.kill(server);
    else setTimeout(() => strike.kill(server), delayMs);
  };
  const work = Array.from({ length: clientCount }, async () => {
    const writer = new Writer(server.client(), journal, words, chance, answered);
    await writer.runUntilKilled(strike);
  });
  await Promise.all(work);
  return answers;
}

/** One client: it writes to memories of its own, so that their order is known. */
class Writer {
  readonly #client: Client;
  readonly #journal: ExpectedMemories;
  readonly #words: { next: number };
  readonly #chance: SeededRandom;
  readonly #answered: () => void;
  readonly #own: string[] = [];

  constructor(
    client: Client,
    journal: ExpectedMemories,
    words: { next: number },
    chance: SeededRandom,
    answered: () => void,
  ) {
    this.#client = client;
    this.#journal = journal;
    this.#words = words;
    this.#chance = chance;
    this.#answered = answered;
  }

  async runUntilKilled({ returnsErrors }: KillMethod): Promise<void> {
    for (;;) {
      try {
        await this.#step();
      } catch (error) {
        // Only the loss of the connection is expected here; a refusal is a finding.
        if (error instanceof TypeError && !returnsErrors) return;
        if (returnsErrors && error instanceof MnemeError && error.code === 'storage_error') return;
        throw error;
      }
      this.#answered();
    }
  }

  #step(): Promise<void> {
    const dice = this.#chance.fraction();
    if (this.#own.length === 0 || dice < 0.4) return this.#create();
    if (dice < 0.55) return this.#createMany();
    if (dice < 0.8) return this.#update();
    if (dice < 0.93) return this.#remove();
    return this.#removeMany();
  }

  #fresh(): State {
    this.#words.next += 1;
    const { fraction, integer } = this.#chance;
    const tags = fraction() < 0.3 ? ['kept', `group ${integer(1, 3)}`] : [];
    return { word: rareWord(this.#words.next), priority: integer(0, 10), tags, deleted: 'no' };
  }

  #keep(id: string, state: State): void {
    this.#journal.set(id, { confirmed: state, pending: null });
    this.#own.push(id);
  }

  async #create(): Promise<void> {
    const state = this.#fresh();
    const { id } = await this.#client.memories.create({ body: bodyOf(state) });
    this.#keep(id, state);
  }

  async #createMany(): Promise<void> {
    const states = Array.from({ length: this.#chance.integer(2, 12) }, () => this.#fresh());
    const { memories, failed } = await this.#client.memories.bulkCreate({
      query: { atomic: this.#chance.fraction() < 0.5 },
      body: { memories: states.map(bodyOf) },
    });
    if (failed.length > 0) throw new Error(`bulk items failed: ${JSON.stringify(failed)}`);
    for (const [i, { id }] of memories.entries()) this.#keep(id, states[i] as State);
  }

  async #change(
    ids: readonly string[],
    next: (before: State) => State,
    send: () => Promise<unknown>,
  ): Promise<void> {
    const entries = ids.map((id) => this.#journal.get(id) as ExpectedMemory);
    for (const entry of entries) entry.pending = next(entry.confirmed);
    await send();
    for (const entry of entries) {
      entry.confirmed = entry.pending as State;
      entry.pending = null;
    }
  }

  async #update(): Promise<void> {
    const id = this.#chance.pick(this.#own);
    const fresh = this.#fresh();
    await this.#change(
      [id],
      () => fresh,
      () => this.#client.memories.update({ params: { id }, body: bodyOf(fresh) }),
    );
  }

  async #remove(): Promise<void> {
    const [id = ''] = this.#own.splice(this.#chance.integer(0, this.#own.length - 1), 1);
    const soft = this.#chance.fraction() < 0.5;
    await this.#change(
      [id],
      (before) => ({ ...before, deleted: soft ? 'softly' : 'for good' }),
      () => this.#client.memories.remove({ params: { id }, query: { soft } }),
    );
  }

  async #removeMany(): Promise<void> {
    const ids = this.#own.splice(0, this.#chance.integer(1, 5));
    const soft = this.#chance.fraction() < 0.5;
    await this.#change(
      ids,
      (before) => ({ ...before, deleted: soft ? 'softly' : 'for good' }),
      () => this.#client.memories.bulkDelete({ body: { ids, soft } }),
    );
  }
}

const bodyOf = ({ word, priority, tags }: State) => ({
  content: `The ${word} stands in the journal.`,
  priority,
  tags: [...tags],
});

interface ActualMemory {
  readonly deleted: State['deleted'];
  readonly memory: Memory | null;
}

async function read(client: Client, id: string): Promise<ActualMemory> {
  const { status, body } = await client.request({ method: 'GET', path: `/memories/${id}` });
  if (status === 404) return { deleted: 'for good', memory: null };
  if (status !== 200) throw new Error(`GET /memories/${id} answered ${status}`);
  const memory = body as Memory;
  return { deleted: memory.is_deleted ? 'softly' : 'no', memory };
}

/** By id and by search, each memory must be in its answered state or in the one asked last. */
async function compare(client: Client, journal: ExpectedMemories): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, { confirmed, pending }] of journal) {
    const found = await read(client, id);
    const allowed = [confirmed, ...(pending ? [pending] : [])];
    const is = allowed.find((state) => matchesState(state, found));
    if (!is) {
      wrong.push(`${id} is ${JSON.stringify(found)}, answered was ${JSON.stringify(confirmed)}`);
      continue;
    }
    const answer = await client.search.get({ query: { q: is.word, limit: 100 } });
    const results = onlyMemoryResults(answer.results);
    const hit = results.find((result) => result.id === id);
    if ((hit !== undefined) !== (is.deleted === 'no')) {
      wrong.push(`${id} (${is.word}, deleted: ${is.deleted}): found ${hit !== undefined}`);
    } else if (hit && (hit !== results[0] || hit.priority !== is.priority)) {
      wrong.push(`${id}: the search for ${is.word} shows another state`);
    }
  }
  return wrong;
}

function matchesState(state: State, { deleted, memory }: ActualMemory): boolean {
  if (state.deleted !== deleted) return false;
  if (memory === null) return true;
  const wanted = bodyOf(state);
  return (
    memory.content === wanted.content &&
    memory.priority === wanted.priority &&
    JSON.stringify(memory.tags) === JSON.stringify(wanted.tags)
  );
}

/** Every listed memory is found by its word, whoever learned of it; none is listed twice. */
async function compareListed(client: Client, journal: ExpectedMemories): Promise<string[]> {
  const wrong: string[] = [];
  const listed = new Map<string, Memory>();
  const pages = paginate((place) => client.memories.list({ query: { limit: 100, ...place } }));
  for await (const memory of pages) {
    if (listed.has(memory.id)) wrong.push(`${memory.id} is listed twice`);
    listed.set(memory.id, memory);
  }
  for (const [id, { confirmed, pending }] of journal) {
    const mayBe = [confirmed, ...(pending ? [pending] : [])].map(({ deleted }) => deleted === 'no');
    if (!mayBe.includes(listed.has(id))) wrong.push(`${id} listed: ${listed.has(id)}`);
  }
  for (const { id, content } of listed.values()) {
    if (journal.has(id)) continue;
    const word = content.split(' ')[1] ?? '';
    const { results } = await client.search.get({ query: { q: word, limit: 1 } });
    if (results[0]?.id !== id) wrong.push(`${id}, never answered, is listed but not found`);
  }
  return wrong;
}

/** The outbox is written with its change: one memory.created each, answered or not. */
async function compareEvents(client: Client, journal: ExpectedMemories): Promise<string[]> {
  const wrong: string[] = [];
  const created = new Set<string>();
  const pages = paginate((place) =>
    client.events.list({ query: { type: 'memory.created', limit: 100, ...place } }),
  );
  for await (const event of pages) {
    if (event.type !== 'memory.created') continue;
    const { id = '' } = event.data;
    if (created.has(id)) wrong.push(`${id} has two events`);
    created.add(id);
  }
  for (const id of journal.keys()) if (!created.has(id)) wrong.push(`${id} has no event`);
  return wrong;
}
