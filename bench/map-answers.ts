/**
 * How long a map of 50,000 points takes: `GET /clusters/map` in both formats, and the console until
 * it shows the map. `node bench/map-answers.ts [points]`; PostgreSQL is measured if
 * `MNEME_TEST_DATABASE_URL` is set. Places and clusters are written by SQL: their computation is
 * measured by `--only clusters`.
 */
import { createClient } from '@mneme/sdk';
import { sql } from 'kysely';
import { chromium } from 'playwright-core';
import { readConfig } from '../packages/server/src/kernel/config.ts';
import { serve } from '../packages/server/src/serve.ts';
import { ApiClient } from './api-client.ts';
import { createDataLocation, toServerEnv } from './data-location.ts';
import { bulkCreateRequests } from './memory-requests.ts';
import { quantile } from './statistics.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';
import { renderVerdict } from './verdict.ts';

type Service = Awaited<ReturnType<typeof serve>>;

const points = Number(process.argv[2] ?? 50_000);
const clusters = 100;
const requests = 20;
const loads = 5;
const answerMsMax = 1_000;
const formats = ['application/json', 'application/octet-stream'] as const;

/** A service with a map of all of its memories, a disc of clusters. */
async function startService(databaseUrl: string | null) {
  await using opening = new AsyncDisposableStack();
  const place = opening.use(await createDataLocation(databaseUrl));
  const env = { MNEME_LOG_LEVEL: 'error', MNEME_EMBEDDING_PROVIDER: 'static' };
  const { config } = readConfig({ ...toServerEnv(place), ...env });
  const service = await serve(config, '0.0.0-bench');
  opening.defer(service.stop);
  const apiKey = service.context.firstKey?.key ?? '';
  const caller = opening.use(new ApiClient({ url: service.url, apiKey }, 1));
  service.context.extractionWorker.pause();
  const texts = createTextGenerator(await readVocabulary(), 1);
  await caller.run(bulkCreateRequests(Array.from({ length: points }, () => texts.memory())));
  const client = createClient({ url: service.url, apiKey });
  for (let i = 0; i < clusters; i += 1) {
    await client.clusters.create({ body: { name: `Cluster ${i}` } });
  }
  await writeMap(service);
  const opened = opening.move();
  return { service, apiKey, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function writeMap({ context }: Service): Promise<void> {
  const { db } = context.app.engine;
  await sql`
    with map as (
      insert into cluster_maps (account_id, id, space_id, run_id, is_current, created_at)
      select account_id, gen_random_uuid(), null, gen_random_uuid(), true, now()
      from (select distinct account_id from clusters) as one returning account_id, id)
    insert into cluster_map_points (account_id, memory_id, map_id, x, y)
    select account_id, memory_id, map_id, sqrt(n / ${points}::float) * cos(n * 2.399963),
      sqrt(n / ${points}::float) * sin(n * 2.399963)
    from (
      select account_id, m.id as memory_id, map.id as map_id, row_number() over (order by m.id) as n
      from memories m join map using (account_id)) as numbered`.execute(db);
  await sql`
    insert into cluster_memories (account_id, member_set_id, memory_id, confidence, added_at)
    select account_id, s.member_set_id, m.id, 1, now()
    from (select *, row_number() over (order by id) as n from memories) as m
    join (select *, row_number() over (order by id) as n from clusters) as s using (account_id)
    where m.n % ${clusters} = s.n - 1`.execute(db);
  await sql`analyze`.execute(db);
}

async function measureAnswers({ url }: Service, apiKey: string, name: string): Promise<void> {
  for (const accept of formats) {
    const [times, cpu]: [number[], number[]] = [[], []];
    let bytes = 0;
    for (let i = 0; i < requests; i += 1) {
      const [from, cpuBefore] = [performance.now(), process.cpuUsage()];
      const headers = { accept, authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${url}/v1/clusters/map`, { headers });
      bytes = (await response.arrayBuffer()).byteLength;
      times.push(performance.now() - from);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpu.push((user + system) / 1_000);
    }
    const isHeld = quantile(times, 0.95) <= answerMsMax;
    const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
    const text = `${name}, ${accept}, ${size}: ${medianAndP95(times)} (${answerMsMax} ms)`;
    console.log(renderVerdict(isHeld, `${text}; CPU time ${medianAndP95(cpu)}`));
  }
}

/** Until the names of the clusters are shown, which is after the points are drawn. */
async function measureConsole({ url }: Service, apiKey: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const [times, cpu]: [number[], number[]] = [[], []];
  try {
    for (let i = 0; i < loads; i += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${url}/console`);
      await page.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
      await page.locator('.row[role="option"]').first().waitFor();
      const tab = await context.newCDPSession(page);
      await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
      await page.goto(`${url}/console/map`);
      await page.locator('.map-label').first().waitFor();
      times.push(await page.evaluate<number>('performance.now()'));
      const { metrics } = await tab.send('Performance.getMetrics');
      cpu.push((metrics.find((one) => one.name === 'TaskDuration')?.value ?? 0) * 1_000);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  console.log(`console: ${medianAndP95(times)}; CPU time of the main thread ${medianAndP95(cpu)}`);
}

const medianAndP95 = (values: readonly number[]): string =>
  `${quantile(values, 0.5).toFixed(0)} ms, p95 ${quantile(values, 0.95).toFixed(0)} ms`;

const databaseUrl = process.env.MNEME_TEST_DATABASE_URL;
for (const [name, url] of Object.entries({ embedded: null, PostgreSQL: databaseUrl ?? '' })) {
  if (url === '') continue;
  await using started = await startService(url);
  console.log(`\nMap of ${points} points, ${name}`);
  await measureAnswers(started.service, started.apiKey, name);
  if (url === null) await measureConsole(started.service, started.apiKey);
}
