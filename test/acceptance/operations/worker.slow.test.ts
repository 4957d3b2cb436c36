import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines, serverEngine } from '../../support/service.ts';
import { launchCommand, runCommand } from '../backup/backup-commands.ts';

const hasPostgres = engines.includes(serverEngine);

describe('mneme worker', () => {
  it.runIf(hasPostgres)(
    'runs the jobs of a server that runs none, and ends on SIGTERM',
    async () => {
      const place = await createDataLocation(serverEngine);
      const received: string[] = [];
      const receiver = createServer((request, response) => {
        received.push(request.url ?? '');
        response.end();
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      const { port } = receiver.address() as AddressInfo;
      const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };
      try {
        await using server = await startServerProcess(place, {
          env: { ...env, MNEME_JOBS: 'off' },
        });
        const client = server.client();
        await client.webhooks.create({
          body: { url: `http://127.0.0.1:${port}/hook`, events: ['memory.created'] },
        });
        const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
        const { job_id } = await client.memories.bulkDelete({ body: { ids: [id] } });
        const read = () => client.jobs.get({ params: { id: job_id ?? '' } });
        expect(await read()).toMatchObject({
          status: 'queued',
          attempts: 0,
          waiting_reason: 'no_worker',
        });
        const settings = { ...env, MNEME_METRICS_PORT: '0' };
        await using worker = launchCommand(place, ['worker'], settings);
        const [, metricsPort] = await worker.waitForOutput(/without a key on port (\d+)/);
        await eventually(read, ({ status }) => status === 'completed', 30_000);
        await eventually(
          async () => received,
          (urls) => urls.includes('/hook'),
          30_000,
        );
        const ready = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
        expect(ready.status).toBe(200);
        // The service goes on without the API's process, and stops as a server does.
        expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
        expect(worker.output()).not.toContain('Server listening');
      } finally {
        receiver.close();
        await place.remove();
      }
    },
  );

  it('is refused on the embedded database, as is a server without jobs', async () => {
    const place = await createDataLocation('embedded');
    try {
      const worker = await runCommand(place, ['worker']);
      expect(worker).toMatchObject({ code: 1 });
      expect(worker.output).toContain('MNEME_DATABASE_URL is required for a worker');
      const server = await runCommand(place, [], { MNEME_JOBS: 'off' });
      expect(server).toMatchObject({ code: 1 });
      expect(server.output).toContain('MNEME_JOBS=off requires MNEME_DATABASE_URL');
    } finally {
      await place.remove();
    }
  });

  it.each(engines)(
    'has a database that mneme-server migrate has prepared on %s',
    async (engine) => {
      const place = await createDataLocation(engine, { migrated: false });
      try {
        const migrated = await runCommand(place, ['migrate']);
        expect(migrated).toMatchObject({ code: 0 });
        expect(migrated.output).toContain('The database has the schema of this version.');
        await using server = await startServerProcess(place);
        expect(server.output()).not.toContain('migration applied');
        expect(await server.client().memories.list()).toMatchObject({ data: [] });
      } finally {
        await place.remove();
      }
    },
  );
});
