import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@mneme/sdk';
import pg from 'pg';
import { referenceTexts } from '../../../packages/server/src/domains/search-index/testing.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type DataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, rareWord, type SeededRandom } from '../durability/seeded-random.ts';
import { wordCountVector } from './tiny-embedder.ts';

/** Kills a server again and again while it changes its embedding model. */

const dimensions = 40;
/** Of texts that may be embedded twice for a kill: those whose step was not yet written. */
const stepTexts = 100;
const timeoutMs = 240_000;
/** The scale of a model is measured by them; they are not stored. */
const measuringTexts = new Set([
  ...referenceTexts().answers.flat(),
  ...referenceTexts().restatements.flat(),
]);

const contentOf = (n: number): string => `${rareWord(n)} ${rareWord(n + 5_000)} meets ${n} friends`;

/** An endpoint as other services have it, that stops where the test wants. */
interface PausableEndpoint extends AsyncDisposable {
  readonly url: string;
  /** Stored texts, so far; queries come one by one. */
  texts(): number;
  /**
   * Resolves when so many texts have been asked for; the last of them, and what follows, wait for
   * their answers until it is let go on. Queries are answered all the while.
   */
  stopAt(count: number): Promise<{ resume(): void }>;
}

async function startPausableEndpoint(): Promise<PausableEndpoint> {
  let asked = 0;
  let stop = { count: Number.POSITIVE_INFINITY, reached: () => {}, over: Promise.resolve() };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    const stored = input.filter((text) => !measuringTexts.has(text)).length;
    if (input.length > 1 && stored > 0) {
      asked += stored;
      if (asked >= stop.count) {
        stop.reached();
        await stop.over;
      }
    }
    const data = input.map((text, index) => {
      return { index, embedding: [...wordCountVector(text, dimensions)] };
    });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts: () => asked,
    async stopAt(count) {
      const reached = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      stop = { count, reached: reached.resolve, over: over.promise };
      await reached.promise;
      return {
        resume() {
          stop.count = Number.POSITIVE_INFINITY;
          over.resolve();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function fill(client: Client, memories: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < memories; from += 100) {
    const count = Math.min(100, memories - from);
    const bodies = Array.from({ length: count }, (_, i) => ({ content: contentOf(from + i) }));
    const answer = await client.memories.bulkCreate({ body: { memories: bodies } });
    ids.push(...answer.memories.map(({ id }) => id));
  }
  return ids;
}

/** What is wrong with a few searches by the very words of memories. */
export async function search(
  client: Client,
  ids: readonly string[],
  chance: SeededRandom,
): Promise<string[]> {
  const wrong: string[] = [];
  for (let i = 0; i < 10; i += 1) {
    const n = chance.integer(0, ids.length - 1);
    const body = { q: contentOf(n), limit: 1, explain: true };
    const [hit] = (await client.search.post({ body })).results;
    const score = hit?.why_matched?.semantic_score ?? 0;
    if (hit?.id !== ids[n] || score < 0.95) wrong.push(`memory ${n}: ${hit?.id}, ${score}`);
  }
  return wrong;
}

/** On a server the lease of a dead worker ends after a minute: that minute is over. */
export async function expireLeases({ databaseUrl }: DataLocation): Promise<void> {
  if (databaseUrl === null) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`update jobs set lease_until = now() where status = 'running'`);
  await client.end();
}

export interface ReembedKillReport {
  readonly violations: readonly string[];
  /** Texts that were embedded more often than once, and how many may be. */
  readonly embeddedTwice: number;
  readonly embeddedTwiceMax: number;
  readonly faults: number;
  readonly embedded: number;
}

export async function killWhileReembedding(
  engine: (typeof engines)[number],
  options: { readonly memories: number; readonly kills: number; readonly seed: number },
): Promise<ReembedKillReport> {
  const { memories, kills, seed } = options;
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  await using endpoint = await startPausableEndpoint();
  const env = {
    MNEME_EMBEDDING_PROVIDER: 'openai',
    MNEME_EMBEDDING_URL: endpoint.url,
    MNEME_EMBEDDING_MODEL: 'tiny',
    MNEME_EMBEDDING_BATCH: '20',
  };
  // A model whose vectors are final at once, so that similarities can be compared throughout.
  const former = { MNEME_EMBEDDING_PROVIDER: 'static' };
  let server: ServerProcess = await startServerProcess(place, { env: former });
  try {
    const ids = await fill(server.client(), memories);
    await server.kill('SIGTERM');
    server = await startServerProcess(place, { env });
    const wrong = await search(server.client(), ids, chance);
    let stopped = endpoint.stopAt(Math.floor(memories / (kills + 1)));
    const { job_id: id } = await server.client().admin.startReembedding();
    for (let kill = 1; kill <= kills; kill += 1) {
      const { resume } = await stopped;
      wrong.push(...(await search(server.client(), ids, chance)));
      await server.kill('SIGKILL', 'group');
      resume();
      if (kill < kills) stopped = endpoint.stopAt(endpoint.texts() + memories / (kills + 1));
      await expireLeases(place);
      server = await startServerProcess(place, { env });
    }
    const report = await eventually(
      () => server.client().admin.getReembedding({ params: { id } }),
      ({ status }) => status === 'completed' || status === 'failed',
      timeoutMs,
    );
    wrong.push(...(await search(server.client(), ids, chance)));
    return {
      violations: wrong,
      embeddedTwice: endpoint.texts() - memories,
      embeddedTwiceMax: kills * stepTexts,
      faults: await countInconsistencies(server.client()),
      embedded: report.embedded,
    };
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
}

async function countInconsistencies(client: Client): Promise<number> {
  const { job_id: id } = await client.admin.startVerification();
  const report = await eventually(
    () => client.admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    timeoutMs,
  );
  return report.faults_total;
}
