import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { createTenants, type Tenant } from '../tenants.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';
import { type HeavyCallKind, HeavyCalls } from './heavy-calls.ts';

const memories = 2_000;
const bulkMax = 100;
/** The other account's search may take the larger of the two. */
const timesIdleMax = 3;
const p95MsMax = 60;
/** Between two searches of the other account. */
const pauseMs = 20;

/** What an account's heavy calls do to the searches of another one. */
export async function runNeighbour(
  options: BenchmarkOptions,
  say: Print,
): Promise<ProfileWindow[]> {
  say('\nNeighbour: searches of one account beside heavy calls of another');
  const names: ServerName[] = ['embedded', ...(options.databaseUrl ? ['PostgreSQL' as const] : [])];
  const windows: ProfileWindow[] = [];
  for (const name of names) {
    await using installation = await createInstallation(name, options);
    const server = await installation.start();
    try {
      windows.push(...(await measure(name, server, options.quick, say)));
    } finally {
      await server.stop();
    }
  }
  return windows;
}

async function measure(
  name: ServerName,
  server: RunningServer,
  quick: boolean,
  say: Print,
): Promise<ProfileWindow[]> {
  const texts = createTextGenerator(await readVocabulary(), 1);
  using operator = new ApiClient(server, 1);
  const [noisy, quiet] = await createTenants(operator, 'enterprise', { count: 2, keysEach: 1 });
  if (!noisy || !quiet) throw new Error('no accounts');
  for (const tenant of [noisy, quiet]) await fill(server, tenant, texts, quick ? 200 : memories);
  const noises: readonly (HeavyCallKind | 'idle')[] = [
    'idle',
    'search batches',
    'bulks of large texts',
  ];
  say(`\n| ${name} | calls beside | searches | p50, ms | p95, ms | longest, ms |`);
  say(`|${' --- |'.repeat(6)}`);
  const ms = quick ? 3_000 : 20_000;
  const [windows, p95s] = [[] as ProfileWindow[], new Map<string, number>()];
  for (const noise of noises) {
    const begun = process.hrtime.bigint();
    const [apiKey = null] = noisy.keys;
    const running =
      noise === 'idle' ? null : await HeavyCalls.start({ url: server.url, apiKey }, noise);
    // The first calls find nothing compiled, and no index loaded.
    await searches(server, quiet, texts, 2_000);
    const found = await searches(server, quiet, texts, ms);
    const made = (await running?.stop()) ?? 0;
    const us = (at: bigint): number => Number(at / 1_000n);
    windows.push({
      server: name,
      phase: noise,
      fromUs: us(begun),
      toUs: us(process.hrtime.bigint()),
    });
    p95s.set(noise, quantile(found, 0.95));
    const cells = [made, found.length, ...[0.5, 0.95, 1].map((q) => quantile(found, q).toFixed(1))];
    say(`| ${noise} | ${cells.join(' | ')} |`);
  }
  const most = Math.max(timesIdleMax * (p95s.get('idle') ?? 0), p95MsMax);
  for (const [noise, p95] of p95s) {
    if (noise === 'idle') continue;
    say(renderVerdict(p95 <= most, `${name}: p95 beside ${noise} ≤ ${most.toFixed(0)} ms`));
  }
  return windows;
}

async function fill(
  server: RunningServer,
  { keys: [apiKey] }: Tenant,
  texts: TextGenerator,
  count: number,
): Promise<void> {
  using connection = new ApiClient(server, 1);
  const bulks = Array.from({ length: count / bulkMax }, (): ApiRequest => {
    const body = { memories: Array.from({ length: bulkMax }, () => ({ content: texts.memory() })) };
    return { method: 'POST', path: '/memories/bulk', body, apiKey };
  });
  await connection.run(bulks);
}

async function searches(
  server: RunningServer,
  { keys: [apiKey] }: Tenant,
  texts: TextGenerator,
  ms: number,
): Promise<number[]> {
  using connection = new ApiClient(server, 1);
  const until = performance.now() + ms;
  const latenciesMs: number[] = [];
  while (performance.now() < until) {
    const body = { q: texts.query(texts.memory()) };
    const asked: ApiRequest = { method: 'POST', path: '/search', body, apiKey };
    latenciesMs.push(...(await connection.run([asked])).latenciesMs);
    await wait(pauseMs);
  }
  return latenciesMs;
}
