import { createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createDataLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { withoutTimers } from '../activation/session-requests.ts';
import { createSeededRandom } from '../durability/seeded-random.ts';
import { listMemberIds } from './cluster-requests.ts';
import {
  memoriesOfTopic,
  storeMemories,
  unrelatedMemories,
  waitForRun,
} from './clusterable-memories.ts';

const seed = 20_261_123;
/** The vectors of the memories have its dimensions. */
const model = { MNEME_EMBEDDING_PROVIDER: 'static' };

type Before = Readonly<Record<string, readonly string[]>>;

/** By name, who is in each cluster that a run has found. */
async function clustersOf(client: ReturnType<typeof createClient>): Promise<Before> {
  const { data } = await client.clusters.list({ query: { cluster_type: 'hdbscan' } });
  const sets: [string, string[]][] = [];
  for (const { id, name, memory_count } of data) {
    const members = await listMemberIds(client, id);
    if (members.length !== memory_count) throw new Error(`${name} counts ${memory_count}`);
    sets.push([`${id} ${name}`, members.toSorted()]);
  }
  return Object.fromEntries(sets);
}

/** Has clusters found, then more memories stored, and the process killed in the next run. */
async function runAndKill(place: DataLocation, round: number, share: number) {
  await using server = await startServerProcess(place, {
    env: { ...model, MNEME_LOG_LEVEL: 'warn' },
  });
  const operator = server.client();
  const account = { name: `round ${round}`, plan: 'enterprise' } as const;
  const { id: accountId } = await operator.admin.createAccount({ body: account });
  const params = { id: accountId };
  const { key } = await operator.admin.createKey({ params, body: { name: 'test' } });
  const client = server.client(key);
  await storeMemories(client, [...memoriesOfTopic(0, 30), ...memoriesOfTopic(1, 30)]);
  await waitForRun(client, (await client.clusters.full()).job_id);
  const before = await clustersOf(client);
  await storeMemories(client, [...memoriesOfTopic(2, 200), ...unrelatedMemories(40)]);
  const begun = performance.now();
  const { job_id: runId } = await client.clusters.full();
  const running = async () => (await client.clusters.status()).run?.status !== 'queued';
  await eventually(running, (isRunning) => isRunning);
  const runsFor = share * 1_500;
  setTimeout(() => void server.kill('SIGKILL', 'group'), runsFor);
  await server.ended;
  return { key, before, runId, killedAfterMs: Math.round(performance.now() - begun) };
}

describe.each(engines)('kill -9 in a clustering run on %s', (engine) => {
  it('leaves the former clusters whole, or the new ones; the run is taken up again', async () => {
    const chance = createSeededRandom(seed);
    const place = await createDataLocation(engine);
    const seen: string[] = [];
    // The first round kills in the first half of the run. The second engine has no other.
    const rounds = engine === engines[0] ? 2 : 1;
    try {
      for (let round = 0; round < rounds; round += 1) {
        const share = (round + chance.fraction()) / 2;
        const { key, before, runId, killedAfterMs } = await runAndKill(place, round, share);
        const { config } = readConfig({
          MNEME_PORT: '0',
          MNEME_SHUTDOWN_SECONDS: '1',
          ...model,
          MNEME_DATA_DIR: place.dataDir,
          ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
        });
        const clock = withoutTimers(createFakeClock());
        // The dead worker's lease is over.
        clock.advance(2 * 60_000);
        const started = await serve(config, '0.0.0-test', { clock, log: createLog('silent') });
        try {
          const client = createClient({ url: started.url, apiKey: key, retries: 0 });
          const status = (await client.clusters.status()).run?.status;
          const after = await clustersOf(client);
          const isOld = JSON.stringify(after) === JSON.stringify(before);
          seen.push(`${killedAfterMs} ms: ${status}, ${isOld ? 'former' : 'new'} clusters`);
          expect(isOld).toBe(status !== 'completed');
          await started.context.worker.drain();
          const run = (await client.clusters.status()).run;
          expect(run).toMatchObject({ id: runId, status: 'completed', memory_count: 300 });
          const counts = Object.values(await clustersOf(client)).map(({ length }) => length);
          const clustered = counts.reduce((total, count) => total + count, 0);
          expect(clustered).toBe(300 - (run?.noise_count ?? 0));
          expect(counts).toHaveLength(run?.cluster_count ?? 0);
        } finally {
          await started.stop();
        }
      }
    } finally {
      await place.remove();
    }
    process.stdout.write(`kill in a run on ${engine}, seed ${seed}: ${seen.join('; ')}\n`);
    expect(seen.some((line) => line.includes('former'))).toBe(true);
  }, 240_000);
});
