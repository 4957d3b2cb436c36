import { createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { EventStreamClient } from '../events/event-stream-client.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** A file of tests must hold one: without a server they are there and do not run. */
const onServer = engines.some((engine) => engine !== 'embedded');
/** Less than any interval at which a process polls. */
const wakeMs = 100;

/** The clock stands, except for the delays of wake-ups: no poll finds what a message must tell. */
describe.runIf(onServer)('processes of one server database', () => {
  const clock = createFakeClock(() => 0);
  const secret = { MNEME_SECRET_KEY: 'one secret key for both of the processes' };
  let worker: Service;
  let api: Service;
  beforeAll(async () => {
    const engine = engines.find((name) => name !== 'embedded') ?? 'PostgreSQL';
    const overrides = { clock };
    worker = await startService(engine, { overrides, env: secret });
    await untilRole(worker, 'leader');
    const database = { MNEME_DATABASE_URL: worker.config.databaseUrl ?? '' };
    const env = { ...secret, ...database, MNEME_JOBS: 'off' };
    api = await startService(engine, { overrides, env });
    await untilRole(api, 'follower');
  });
  afterAll(async () => {
    await api.stop();
    await worker.stop();
  });

  const untilRole = ({ running }: Service, role: string) =>
    eventually(
      async () => running.context.app.engine.processes.role,
      (found) => found === role,
    );

  it('stream the events of each other at once', async () => {
    const { client, key } = await worker.createAccount();
    using listener = await EventStreamClient.open(api, key);
    await listener.nextMessage();
    await createMemory(client, 'Ana prefers tea.');
    expect(await listener.nextEvents(1)).toMatchObject([{ type: 'memory.created' }]);
  });

  it('run a job that another one has queued within 100 ms', async () => {
    const { key } = await worker.createAccount();
    const client = createClient({ url: api.url, apiKey: key, retries: 0 });
    const { id } = await createMemory(client, 'Ana prefers tea.');
    const { job_id } = await client.memories.bulkDelete({ body: { ids: [id] } });
    const startedMs = clock.monotonicMs();
    // The message arrives in real time; the delay after it passes with the clock.
    await eventually(
      async () => {
        clock.advance(1);
        return client.jobs.get({ params: { id: job_id ?? '' } });
      },
      ({ status }) => status === 'completed' || clock.monotonicMs() - startedMs > wakeMs,
    );
    const { status } = await client.jobs.get({ params: { id: job_id ?? '' } });
    expect(status).toBe('completed');
  });
});
