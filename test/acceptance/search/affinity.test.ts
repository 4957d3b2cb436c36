import fs from 'node:fs/promises';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import {
  forwardedSearchPath,
  indexCache,
} from '../../../packages/server/src/domains/search-index/index.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serveWorker } from '../../../packages/server/src/serve.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { findFreePort } from '../../support/free-port.ts';
import { hasLoaded, readMetric, waitForPeers } from '../../support/peer-processes.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';

/** Several processes need PostgreSQL; without it, the tests are defined and do not run. */
const onServer = engines.includes('PostgreSQL');

describe.runIf(onServer).each(['PostgreSQL'] as const)(
  'three processes on one %s that know each other',
  (engine) => {
    const cleanup = new AsyncDisposableStack();
    const clock = createFakeClock();
    let first: Service;
    let services: readonly Service[];
    /** Searches for itself. */
    let alone: Service;

    beforeAll(async () => {
      const start = async (env: Record<string, string>): Promise<Service> => {
        const service = await startService(engine, { env, overrides: { clock } });
        cleanup.defer(() => service.stop());
        return service;
      };
      const startPeer = async (env: Record<string, string> = {}): Promise<Service> => {
        const port = String(await findFreePort());
        const peer = { MNEME_PORT: port, MNEME_PEER_URL: `http://127.0.0.1:${port}` };
        return start({ ...env, ...peer });
      };
      first = await startPeer();
      const env = {
        MNEME_DATABASE_URL: first.config.databaseUrl ?? '',
        MNEME_SECRET_KEY: first.running.context.app.secretKey,
      };
      services = [first, await startPeer(env), await startPeer(env)];
      alone = await start(env);
      await waitForPeers(clock, services, 3);
    });
    afterAll(() => cleanup.disposeAsync());

    const db = () => first.running.context.app.engine.db;
    const find = async (client: Client, q: string) => {
      const { results } = await client.search.post({ body: { q, limit: 5 } });
      return results.map((result) => ('content' in result ? result.content : ''));
    };
    const sumOf = async (name: string, labels: Record<string, string>) => {
      const counts = await Promise.all(services.map((one) => readMetric(one, name, labels)));
      return counts.reduce((sum, count) => sum + count);
    };
    const forwarded = () => sumOf('mneme_forwarded_searches_total', { outcome: 'answered' });
    const received = () => sumOf('mneme_searches_for_peers_total', { outcome: 'answered' });

    it('load each account in one of them, whichever gets its searches', async () => {
      const before = [await forwarded(), await received()];
      const accounts = await Promise.all(Array.from({ length: 9 }, () => first.createAccount()));
      for (const { key, client } of accounts) {
        await createMemory(client, 'The heron waits at the pond.');
        for (const service of services) {
          expect(await find(service.client(key), 'heron')).toEqual([
            'The heron waits at the pond.',
          ]);
        }
      }
      const places = accounts.map(({ id }) => services.map((service) => hasLoaded(service, id)));
      for (const place of places) expect(place.filter(Boolean)).toHaveLength(1);
      expect(new Set(places.map((place) => place.indexOf(true))).size).toBeGreaterThan(1);
      // Two of three searches arrive elsewhere, and the search of a create as well.
      const [forwardedBefore = 0, receivedBefore = 0] = before;
      expect(await forwarded()).toBeGreaterThanOrEqual(forwardedBefore + 18);
      expect((await received()) - receivedBefore).toBe((await forwarded()) - forwardedBefore);
      expect(await sumOf('mneme_forwarded_searches_total', { outcome: 'failed' })).toBe(0);
    });

    it('find at once what any of them has stored, changed or deleted', async () => {
      const { key } = await first.createAccount();
      const clients = services.map((service) => service.client(key));
      for (let i = 0; i < 12; i += 1) {
        const writer = clients[i % 3] as Client;
        const reader = clients[(i + 1 + Math.floor(i / 3)) % 3] as Client;
        const { id } = await createMemory(writer, `The drawer of zone${i} holds maps.`);
        expect(await find(reader, `zone${i}`)).toContain(`The drawer of zone${i} holds maps.`);
        await writer.memories.update({ params: { id }, body: { content: `Moved away ${i}.` } });
        expect(await find(reader, `zone${i}`)).not.toContain(`The drawer of zone${i} holds maps.`);
        await writer.memories.remove({ params: { id } });
        expect(await find(reader, `moved away ${i}`)).not.toContain(`Moved away ${i}.`);
      }
    });

    it('answer every request of the index as a process alone does', async () => {
      const { id, key, client } = await first.createAccount();
      const texts = ['Ana drinks tea', 'Ana drinks green tea', 'Ben drinks coffee', 'A note: tea'];
      const ids: string[] = [];
      for (const [i, text] of texts.entries()) {
        const created = await createMemory(client, `${text}.`, { tags: ['drink', `t${i}`] });
        ids.push(created.id);
      }
      await find(client, 'tea');
      const other = services.find((service) => !hasLoaded(service, id)) as Service;
      const here = indexCache.of(other.running.context.app);
      const query = vi.spyOn(here, 'query');
      const caller = other.client(key);
      await caller.search.post({ body: { q: 'green tea', explain: true } });
      await caller.search.post({ body: { q: '"green tea" -coffee', tags: ['drink'] } });
      await caller.search.aggregate({ query: { query: 'tea', threshold: 0, group_by: 'tags' } });
      await caller.search.similar({ params: { memoryId: ids[0] ?? '' }, query: {} });
      await caller.search.topic({ query: { topic: 'drink' } });
      await caller.search.global({ query: { q: 'tea' } });
      await caller.search.recall({ body: { query: 'What does Ana drink?' } });
      const requests = query.mock.calls.map(([request, model]) => [request, model] as const);
      query.mockRestore();
      const [page] = requests.flatMap(([one]) => (one.kind === 'page' ? [one] : []));
      const more = [
        { kind: 'frequencies', accountId: id, spaces: null, terms: ['tea', 'drink'] },
        { kind: 'all', accountId: id, query: page?.query },
        { kind: 'places', accountId: id, query: page?.query, ids },
        { kind: 'nearest', accountId: id, query: nearestTo(page?.query.vector) },
      ] as unknown as (typeof requests)[number][0][];
      const all = [...requests, ...more.map((request) => [request, undefined] as const)];
      const before = await forwarded();
      const kinds = new Set(all.map(([{ kind }]) => kind));
      expect([...kinds].toSorted()).toEqual(
        'all frequencies groups holding nearest page places tagged'.split(' '),
      );
      for (const [request, model] of all) {
        const answer = await here.query(request, model);
        const expected = await indexCache.of(alone.running.context.app).queryHere(request, model);
        expect(answer, request.kind).toEqual(expected);
      }
      expect(await forwarded()).toBe(before + all.length);
      expect(hasLoaded(other, id)).toBe(false);
    });

    it('show a key of one space, or a token of one user, nothing else', async () => {
      const { key, client } = await first.createAccount();
      const space = await client.spaces.create({ body: { name: 'work' } });
      await createMemory(client, 'A secret otter.', { user_id: 'ben' });
      await createMemory(client, 'An otter at work.', { space_id: space.id, user_id: 'ana' });
      await createMemory(client, 'An otter of Ana.', { user_id: 'ana' });
      const limited = await client.keys.create({
        body: { name: 'limited', space_ids: [space.id], scopes: ['search:read', 'memories:read'] },
      });
      const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
      for (const service of services) {
        expect(await find(service.client(limited.key), 'otter')).toEqual(['An otter at work.']);
        expect((await find(service.client(token), 'otter')).toSorted()).toEqual([
          'An otter at work.',
          'An otter of Ana.',
        ]);
        expect(await find(service.client(key), 'otter')).toHaveLength(3);
      }
    });

    it('do not have the path of forwarded searches for anybody else', async () => {
      const { key } = await first.createAccount();
      const read = async (path: string, init: RequestInit) => {
        const response = await fetch(`${first.url}${path}`, init);
        const text = (await response.text()).replace(/"request_id":"[^"]*"/, '');
        return [response.status, text];
      };
      const headers = { authorization: `Bearer ${key}` };
      const unknown = await read('/internal/other', { method: 'POST', headers, body: '{}' });
      expect(unknown[0]).toBe(404);
      const type = { 'content-type': 'application/vnd.mneme.search' };
      for (const init of [
        { method: 'POST' },
        { method: 'POST', headers, body: '{}' },
        { method: 'POST', headers: { ...headers, ...type }, body: 'x' },
        { method: 'POST', headers: { ...type, 'mneme-search-signature': 'x' }, body: 'x' },
        { method: 'GET', headers },
        { method: 'PUT', headers, body: '{}' },
      ]) {
        expect(await read(forwardedSearchPath, init)).toEqual(unknown);
      }
      expect(await read(forwardedSearchPath, { method: 'GET' })).toEqual(unknown);
    });

    it('answer the searches of a process that runs jobs only', async () => {
      const folder = await makeTestFolder();
      const { secretKey } = first.running.context.app;
      const config = { ...first.config, dataDir: folder, secretKey };
      const log = createLog('warn', { write: () => undefined });
      const worker = await serveWorker(config, '0.0.0-test', { clock, log });
      worker.context.extractionWorker.pause();
      try {
        const own = { running: worker };
        await waitForPeers(clock, [own], 3);
        const { id, client } = await first.createAccount();
        await createMemory(client, 'I live in Bonn.');
        await createMemory(client, 'I moved to Ulm and live there now.');
        await worker.context.extractionWorker.drain();
        // For what the second one may outdate.
        const answered = { outcome: 'answered' };
        expect(await readMetric(own, 'mneme_forwarded_searches_total', answered)).toBeGreaterThan(
          0,
        );
        expect(hasLoaded(own, id)).toBe(false);
      } finally {
        await worker.stop();
        await fs.rm(folder, { recursive: true, force: true });
      }
    });

    it('leave the others alone once they stop', async () => {
      const count = async () => {
        const { rows } = await sql`select id from live_processes`.execute(db());
        return rows.length;
      };
      expect(await count()).toBe(3);
      const port = String(await findFreePort());
      const env = {
        MNEME_DATABASE_URL: first.config.databaseUrl ?? '',
        MNEME_SECRET_KEY: first.running.context.app.secretKey,
        MNEME_PORT: port,
        MNEME_PEER_URL: `http://127.0.0.1:${port}`,
      };
      const fourth = await startService(engine, { env, overrides: { clock } });
      await waitForPeers(clock, [...services, fourth], 4);
      await fourth.stop();
      expect(await count()).toBe(3);
      // Others may still know it.
      const accounts = await Promise.all(Array.from({ length: 8 }, () => first.createAccount()));
      for (const { client } of accounts) {
        await createMemory(client, 'The heron waits at the pond.');
        expect(await find(client, 'heron')).toEqual(['The heron waits at the pond.']);
      }
      await waitForPeers(clock, services, 3);
    });
  },
);

const nearestTo = (vector: unknown) => ({
  source: { vector },
  spaces: null,
  threshold: 0,
  scale: 'encoder',
  limit: 3,
});
