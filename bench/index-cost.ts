/**
 * What the indexes of the console cost a write: CPU of bulk creates with their extraction, with and
 * without the indexes, alternating. `node bench/index-cost.ts [rounds]`, 10 unless told; PostgreSQL
 * is measured if `MNEME_TEST_DATABASE_URL` is set.
 */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from '../packages/server/src/database/index.ts';
import { readConfig } from '../packages/server/src/kernel/config.ts';
import { serve } from '../packages/server/src/serve.ts';
import { ApiClient } from './api-client.ts';
import { createDataLocation, toServerEnv } from './data-location.ts';
import { bulkCreateRequests, createMemoryRequest } from './memory-requests.ts';
import { quantile, ratios } from './statistics.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';

const indexes = [
  'events_memory',
  'facts_surest_of_subject',
  'facts_surest_of_object',
  'mentions_surest',
  'jobs_account',
] as const;
const bulkMemories = 400;
const singleMemories = 40;
/** /proc counts CPU in hundredths of a second. */
const tickMs = 10;

/** Starts a service without the indexes, and returns what measures the CPU of a round, in ms. */
async function startArm(databaseUrl: string | null, dropped: readonly string[]) {
  await using opening = new AsyncDisposableStack();
  const place = opening.use(await createDataLocation(databaseUrl));
  const env = { MNEME_LOG_LEVEL: 'error', MNEME_EMBEDDING_PROVIDER: 'static' };
  const { config } = readConfig({ ...toServerEnv(place), ...env });
  const { url, context, stop } = await serve(config, '0.0.0-bench');
  opening.defer(stop);
  const client = opening.use(new ApiClient({ url, apiKey: context.firstKey?.key ?? null }, 1));
  const { db } = context.app.engine;
  for (const name of dropped) await sql`drop index ${sql.ref(name)}`.execute(db);
  context.extractionWorker.pause();
  const measure = async (contents: readonly string[]): Promise<number> => {
    const before = process.cpuUsage();
    const backendsBefore = databaseUrl === null ? 0 : await backendMs(db);
    await client.run(bulkCreateRequests(contents.slice(singleMemories)));
    await client.run(contents.slice(0, singleMemories).map(createMemoryRequest));
    await context.extractionWorker.drain();
    const { user, system } = process.cpuUsage(before);
    const backends = databaseUrl === null ? 0 : (await backendMs(db)) - backendsBefore;
    return (user + system) / 1_000 + backends;
  };
  const opened = opening.move();
  return { measure, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** CPU of the server processes of the database, which run on this machine. */
async function backendMs(db: Db): Promise<number> {
  const query = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`;
  const { rows } = await query.execute(db);
  const millis = rows.map(async ({ pid }) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
  });
  return (await Promise.all(millis)).reduce((sum, ms) => sum + ms, 0);
}

const rounds = Number(process.argv[2] ?? 10);
const texts = createTextGenerator(await readVocabulary(), 1);
const nextContents = () =>
  Array.from({ length: bulkMemories + singleMemories }, () => texts.memory());
const urls = [null, process.env.MNEME_TEST_DATABASE_URL ?? null];
for (const databaseUrl of urls[1] === null ? [null] : urls) {
  await using plain = await startArm(databaseUrl, indexes);
  await using indexed = await startArm(databaseUrl, []);
  const [without, within]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    const contents = nextContents();
    // The order alternates, so that what one side warms helps both.
    const isPlainFirst = round % 2 === 0;
    const first = await (isPlainFirst ? plain : indexed).measure(contents);
    const second = await (isPlainFirst ? indexed : plain).measure(contents);
    if (round < 0) continue;
    without.push(isPlainFirst ? first : second);
    within.push(isPlainFirst ? second : first);
  }
  const perMemory = (values: readonly number[]): string =>
    (quantile(values, 0.5) / (bulkMemories + singleMemories)).toFixed(3);
  const ratio = quantile(ratios(within, without), 0.5).toFixed(3);
  const engine = databaseUrl === null ? 'embedded' : 'PostgreSQL';
  process.stdout.write(
    `${engine}: ${perMemory(without)} ms of CPU a memory without, ${perMemory(within)} ms with; ` +
      `${ratio} x (median of ${rounds} rounds)\n`,
  );
}
