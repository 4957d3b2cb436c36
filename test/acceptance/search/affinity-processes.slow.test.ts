import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { findFreePort } from '../../support/free-port.ts';
import { parseMetrics } from '../../support/prometheus-text.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** Several processes need PostgreSQL; without it, the tests are defined and do not run. */
const onServer = engines.includes('PostgreSQL');

const secretKey = 'one secret key for all the processes';
const accountsPerRound = 6;

describe.runIf(onServer).each(['PostgreSQL'] as const)(
  'servers of one %s that divide the searches',
  (engine) => {
    const cleanup = new AsyncDisposableStack();
    let servers: ServerProcess[];
    let operator: Client;
    beforeAll(async () => {
      const location = await createDataLocation(engine);
      cleanup.defer(() => location.remove());
      const start = async (place: typeof location): Promise<ServerProcess> => {
        const port = String(await findFreePort());
        const env = {
          MNEME_SECRET_KEY: secretKey,
          // Who answers a search does not depend on the model.
          MNEME_EMBEDDING_PROVIDER: 'static',
          MNEME_PORT: port,
          MNEME_PEER_URL: `http://127.0.0.1:${port}`,
        };
        return cleanup.use(await startServerProcess(place, { env }));
      };
      servers = [await start(location)];
      operator = (servers[0] as ServerProcess).client();
      for (let i = 0; i < 2; i += 1) {
        const sibling = await createSiblingLocation(location);
        cleanup.defer(() => sibling.remove());
        servers.push(await start(sibling));
      }
      for (const server of servers) await waitForPeers(server, 3);
    });
    afterAll(() => cleanup.disposeAsync());

    async function readMetric(
      { url }: ServerProcess,
      name: string,
      outcome?: string,
    ): Promise<number> {
      const key = servers[0]?.adminKey ?? '';
      const headers = { authorization: `Bearer ${key}` };
      const text = await (await fetch(`${url}/v1/metrics`, { headers })).text();
      const samples = parseMetrics(text).get(name)?.samples ?? [];
      return samples.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
    }
    const waitForPeers = (server: ServerProcess, count: number) =>
      eventually(
        () => readMetric(server, 'mneme_live_processes'),
        (known) => known === count,
        40_000,
      );

    const createAccounts = (text: string) =>
      Promise.all(
        Array.from({ length: accountsPerRound }, async (_, i) => {
          const { id } = await operator.admin.createAccount({
            body: { name: `${text} ${i}`, plan: 'enterprise' },
          });
          const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'x' } });
          await createMemory((servers[0] as ServerProcess).client(key), `${text} of account ${i}.`);
          return key;
        }),
      );
    /** Every account finds its memory through every one of these servers. */
    async function expectFound(
      some: readonly ServerProcess[],
      keys: readonly string[],
      text: string,
    ): Promise<void> {
      for (const server of some) {
        for (const [i, key] of keys.entries()) {
          const { results } = await server.client(key).search.post({ body: { q: text } });
          expect(results).toMatchObject([{ content: `${text} of account ${i}.` }]);
        }
      }
    }

    it('forward those of accounts that prefer another one', async () => {
      const keys = await createAccounts('A heron');
      await expectFound(servers, keys, 'A heron');
      const answered = await Promise.all(
        servers.map((server) => readMetric(server, 'mneme_searches_for_peers_total', 'answered')),
      );
      expect(answered.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    });

    it('answer without one that hangs, and use it again later', async () => {
      const keys = await createAccounts('A quagga');
      const [caller, , hanging] = servers as [ServerProcess, ServerProcess, ServerProcess];
      process.kill(hanging.pid, 'SIGSTOP');
      try {
        await expectFound([caller], keys, 'A quagga');
      } finally {
        process.kill(hanging.pid, 'SIGCONT');
      }
      await waitForPeers(caller, 3);
      await expectFound(servers, keys, 'A quagga');
    });

    it('answer without one that was killed, which is no live process after 15 s', async () => {
      const keys = await createAccounts('A zebra');
      const [caller, other, killed] = servers as [ServerProcess, ServerProcess, ServerProcess];
      await killed.kill('SIGKILL');
      await expectFound([caller, other], keys, 'A zebra');
      await waitForPeers(caller, 2);
      await expectFound([caller, other], keys, 'A zebra');
    });

    it('answer without one that stopped', async () => {
      const keys = await createAccounts('A stork');
      const [caller, stopped] = servers as [ServerProcess, ServerProcess];
      expect(await stopped.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await expectFound([caller], keys, 'A stork');
      await waitForPeers(caller, 1);
    });
  },
);
