import type { Client } from '@mneme/sdk';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import type { engines } from '../../support/service.ts';
import { createSeededRandom, type SeededRandom } from '../durability/seeded-random.ts';
import { expireLeases, fill, search } from './kill-rounds.ts';
import { type ScriptedEndpoint, startScriptedEndpoint } from './scripted-endpoint.ts';
import { startServiceAt, vectorCounts } from './started-service.ts';

/** Kills a server at random moments while it changes its model, then lets the change end. */

const timeoutMs = 240_000;
const known = 'text-embedding-3-small';
const dimensions = 40;
/** A round changes to the endpoint's model, the next one back. */
const targets = [{ model: known, dimensions }, { model: 'static' }] as const;

export interface UseKillReport {
  readonly violations: readonly string[];
  readonly kills: number;
  /** Kills after which the change was still running. */
  readonly continued: number;
  /** By model, at the end. */
  readonly vectors: Readonly<Record<string, number>>;
}

export async function killWhileUsing(
  engine: (typeof engines)[number],
  options: { readonly memories: number; readonly kills: number; readonly seed: number },
): Promise<UseKillReport> {
  const { memories, kills, seed } = options;
  const chance = createSeededRandom(seed);
  const place = await createDataLocation(engine);
  await using endpoint = await startScriptedEndpoint();
  const env = { ...endpoint.env, MNEME_EMBEDDING_PROVIDER: 'static' };
  let server: ServerProcess = await startServerProcess(place, { env });
  const violations: string[] = [];
  let continued = 0;
  try {
    const ids = await fill(server.client(), memories);
    for (let round = 0; round < kills; round += 1) {
      const target = targets[round % targets.length] ?? targets[0];
      const { job_id: id } = await server.client().admin.startReembedding({ body: target });
      await killAtRandom(server, endpoint, chance, memories);
      await expireLeases(place);
      endpoint.follow('well');
      server = await startServerProcess(place, { env });
      const client = server.client();
      const before = await client.admin.getReembedding({ params: { id } });
      if (before.status === 'queued' || before.status === 'running') continued += 1;
      violations.push(...(await search(client, ids, chance)));
      // Whatever the kill interrupted, a new request completes it.
      const { job_id: last } = await client.admin.startReembedding({ body: target });
      const report = await waitForEnd(client, last);
      if (report.status !== 'completed') violations.push(`round ${round}: ${report.error}`);
      violations.push(...(await search(client, ids, chance)));
      violations.push(...(await checkRound(client, target.model)));
    }
    await server.kill('SIGTERM');
    await using stopped = await startServiceAt(place, {}, endpoint.env);
    return { violations, kills, continued, vectors: await vectorCounts(stopped) };
  } finally {
    await server[Symbol.asyncDispose]();
    await place.remove();
  }
}

/** Before, in the middle, or after the last text: wherever the seed says. */
async function killAtRandom(
  server: ServerProcess,
  endpoint: ScriptedEndpoint,
  chance: SeededRandom,
  memories: number,
): Promise<void> {
  const texts = chance.integer(0, memories);
  const start = endpoint.textCount;
  endpoint.follow('waits', texts);
  const waitMs = chance.integer(0, 1_500);
  await Promise.race([
    endpoint.reached,
    eventually(
      async () => endpoint.textCount - start,
      (count) => count >= texts,
      waitMs + 1,
    ).catch(() => undefined),
  ]);
  await server.kill('SIGKILL', 'group');
}

const waitForEnd = (client: Client, id: string) =>
  eventually(
    () => client.admin.getReembedding({ params: { id } }),
    ({ status }) => status !== 'queued' && status !== 'running',
    timeoutMs,
  );

/** The process uses the model of its account, no change is left, and `verify` finds nothing. */
async function checkRound(client: Client, model: string): Promise<string[]> {
  const wrong: string[] = [];
  const { embedding } = await client.account.get();
  const isTarget = embedding.model.includes(model === known ? known : 'static-en');
  if (!isTarget) wrong.push(`the model is ${embedding.model} instead of ${model}`);
  const { current, change } = await client.admin.listModels();
  if (current.model !== embedding.model) wrong.push(`the process uses ${current.model}`);
  if (change) wrong.push(`the change ${change.job_id} has not ended`);
  const { job_id: id } = await client.admin.startVerification();
  const verified = await eventually(
    () => client.admin.getVerification({ params: { id } }),
    ({ status }) => status === 'completed' || status === 'failed',
    timeoutMs,
  );
  for (const { message } of verified.faults) wrong.push(message);
  return wrong;
}
