import { mkdir, readdir, readFile, watch } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@mneme/sdk';
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

/** Kills a server while it writes a segment of an index, again and again. */

/** Enough for a segment at once, and then for the next one. */
const memories = { first: 2_100, ofRound: 600 };
const perBulk = 100;
/** From the first byte of a segment to the signal: some have their name by then. */
const killDelayMsMax = 300;
const checkedWords = 25;
const segmentTimeoutMs = 60_000;

/** What was answered: ids by the word that only one memory has. */
interface Answered {
  readonly live: Map<string, string>;
  readonly erased: Set<string>;
  words: number;
}

export interface SegmentKillReport {
  /** The files at the kill, without the account. */
  readonly files: readonly string[];
  readonly violations: readonly string[];
}

const folderOf = ({ dataDir }: DataLocation): string => path.join(dataDir, 'index-segments');
const namesOf = (place: DataLocation): Promise<string[]> =>
  readdir(folderOf(place)).catch((): string[] => []);

export async function segmentKillRounds(
  engine: (typeof engines)[number],
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<SegmentKillReport[]> {
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  const answered: Answered = { live: new Map(), erased: new Set(), words: 0 };
  const reports: SegmentKillReport[] = [];
  await mkdir(folderOf(place), { mode: 0o700 });
  // To read and to encode so many memories takes longer than all else here; the embedded engine
  // has no choice but to read them.
  const env = {
    MNEME_EMBEDDING_PROVIDER: 'static',
    ...(place.databaseUrl === null ? {} : { MNEME_JOBS: 'off' }),
  };
  let server = await startServerProcess(place, { env });
  try {
    await store(server.client(), answered, memories.first);
    for (let round = 1; round <= rounds; round += 1) {
      await change(server.client(), answered, chance);
      await Promise.all([beginOfWrite(place), searchAll(server.client())]);
      const files = await killDuringWrite(server, place, chance);
      server = await startServerProcess(place, { env });
      reports.push({ files, violations: await compare(server.client(), answered, chance) });
    }
    reports.push({ files: [], violations: await findErasedWords(place, answered) });
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
  return reports;
}

async function store(client: Client, answered: Answered, count: number): Promise<void> {
  for (let from = 0; from < count; from += perBulk) {
    const words = Array.from({ length: perBulk }, () => {
      answered.words += 1;
      return rareWord(answered.words);
    });
    const body = { memories: words.map((word) => ({ content: `The ${word} is in the journal.` })) };
    const stored = await client.memories.bulkCreate({ body });
    for (const [i, { id }] of stored.memories.entries()) answered.live.set(words[i] as string, id);
  }
}

async function change(client: Client, answered: Answered, chance: SeededRandom): Promise<void> {
  await store(client, answered, memories.ofRound);
  for (const soft of [true, false]) {
    const [word, id] = chance.pick([...answered.live]);
    await client.memories.remove({ params: { id }, query: { soft } });
    answered.live.delete(word);
    // A soft deletion keeps the words, but nothing finds them.
    if (!soft) answered.erased.add(word);
  }
}

/** The number of memories that are found; it loads the index. */
async function searchAll(client: Client): Promise<number> {
  const { facets } = await client.search.get({ query: { q: 'journal', limit: 1 } });
  return facets.memories;
}

/** Resolves when a segment begins to be written. A list of the files would miss a short write. */
async function beginOfWrite(place: DataLocation): Promise<void> {
  const signal = AbortSignal.timeout(segmentTimeoutMs);
  for await (const { filename } of watch(folderOf(place), { signal })) {
    if (filename?.endsWith('.new')) return;
  }
}

/** Returns the endings of the files that the kill left. */
async function killDuringWrite(
  server: ServerProcess,
  place: DataLocation,
  chance: SeededRandom,
): Promise<string[]> {
  await wait(chance.fraction() * killDelayMsMax);
  await server.kill('SIGKILL', 'group');
  return (await namesOf(place)).map((name) => name.slice(name.indexOf('.segment')));
}

async function compare(
  client: Client,
  { live, erased }: Answered,
  chance: SeededRandom,
): Promise<string[]> {
  const wrong: string[] = [];
  const total = await searchAll(client);
  if (total !== live.size) wrong.push(`${total} are found instead of ${live.size}`);
  const find = async (word: string) => {
    const { results } = await client.search.get({ query: { q: word, limit: 1 } });
    return onlyMemoryResults(results)[0]?.content.includes(word) ? (results[0]?.id ?? null) : null;
  };
  for (let i = 0; i < checkedWords; i += 1) {
    const [word, id] = chance.pick([...live]);
    if ((await find(word)) !== id) wrong.push(`${word} is not found`);
  }
  for (const word of erased) if ((await find(word)) !== null) wrong.push(`${word} is erased`);
  return wrong;
}

/** A minute after an erasure no file has its word. */
async function findErasedWords(place: DataLocation, { erased }: Answered): Promise<string[]> {
  const found = async (): Promise<string[]> => {
    const files = (await namesOf(place)).filter((name) => name.endsWith('.segment'));
    const texts = await Promise.all(
      files.map((name) => readFile(path.join(folderOf(place), name), 'latin1').catch(() => '')),
    );
    return [...erased].filter((word) => texts.some((text) => text.includes(word)));
  };
  return eventually(found, (words) => words.length === 0, segmentTimeoutMs).catch(found);
}
