import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { type Client, MnemeError } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { isAvailable } from '../../support/requirements.ts';
import { launchServer, startServerProcess } from '../../support/server-process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const mb = 2 ** 20;
const reopenMs = 10_000;
/** Vectors are not the subject. */
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };

/** The status of an answer, whatever it is. */
const statusOf = async (client: Client, method: string, path: string, body?: object) =>
  (await client.request({ method, path, ...(body ? { body } : {}) } as never)).status;

/** Of bytes that nothing compresses. */
async function store(client: Client, count: number, bytes = 10): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const content = `Some room for ${randomBytes(bytes).toString('hex')}`;
    ids.push((await client.memories.create({ body: { content } })).id);
  }
  return ids;
}

/** Every one of them can be read; gives those that cannot. */
async function missing(client: Client, ids: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  for (const id of ids) {
    if ((await statusOf(client, 'GET', `/memories/${id}`)) !== 200) lost.push(id);
  }
  return lost;
}

const health = async (client: Client) =>
  (await client.request({ method: 'GET', path: '/health' })) as {
    status: number;
    body: { status: string; checks: Record<string, { ok: boolean }> };
  };

describe.runIf(isAvailable('mount'))('a data folder on a disk that is nearly full', () => {
  it('is read and not written, and is written again as soon as there is room', async () => {
    using disk = await mountSmallDisk(400);
    await using server = await startServerProcess(disk.place, {
      env: { ...env, MNEME_DISK_FREE_MIN_MB: '64' },
    });
    const client = server.client();
    const ids = await store(client, 10);
    const [id = ''] = ids;
    const { id: accountId } = await client.admin.createAccount({
      body: { name: 'a', plan: 'pro' },
    });
    const made = await client.admin.createKey({ params: { id: accountId }, body: { name: 'b' } });
    const pro = server.client(made.key);
    await store(pro, 1);

    disk.fill(60 * mb);
    await eventually(
      () => health(client),
      ({ body }) => body.status === 'degraded',
    );
    expect(await health(client)).toMatchObject({
      status: 200,
      body: { checks: { disk: { ok: false }, database: { ok: true } } },
    });
    for (const [method, path, body] of [
      ['POST', '/memories', { content: 'One more.' }],
      ['POST', '/memories/bulk', { memories: [{ content: 'One.' }, { content: 'Two.' }] }],
      ['PATCH', `/memories/${id}`, { priority: 3 }],
      ['DELETE', `/memories/${id}`, undefined],
      ['POST', '/spaces', { name: 'garden' }],
      ['POST', '/cli-sessions', { name: 'work' }],
    ] as const) {
      const refused = await client.request({ method, path, ...(body ? { body } : {}) });
      expect(refused, path).toMatchObject({
        status: 500,
        body: { error: { code: 'storage_error' } },
      });
    }
    for (const path of [`/memories/${id}`, '/memories', '/search?q=room', '/spaces', '/events']) {
      expect(await statusOf(client, 'GET', path), path).toBe(200);
    }
    expect(await statusOf(pro, 'GET', '/search?q=room'), 'a plan that counts searches').toBe(200);
    expect(await statusOf(client, 'POST', '/recall', { query: 'room' })).toBe(200);

    disk.removeFill();
    await eventually(
      () => health(client),
      ({ body }) => body.status === 'ok',
    );
    ids.push(...(await store(client, 3)));
    expect(await statusOf(client, 'PATCH', `/memories/${id}`, { priority: 3 })).toBe(200);
    expect(await missing(client, ids)).toEqual([]);
  }, 120_000);

  it('is refused at the start, with what to do', async () => {
    using disk = await mountSmallDisk(400);
    disk.fill(60 * mb);
    await using server = launchServer(disk.place, { env: { MNEME_DISK_FREE_MIN_MB: '64' } });
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(
      /^mneme: The disk .* less than 64 MB free: free up space, or .*$/m,
    );
    expect(server.output()).not.toMatch(/^\s+at /m);
  });

  it('that is full at the first start is named, and keeps nothing half made', async () => {
    using disk = await mountSmallDisk(100);
    const dataDir = `${disk.place.dataDir}-first`;
    disk.fill(8 * mb);
    const first = { ...disk.place, dataDir };
    await using server = launchServer(first, { env: { MNEME_DISK_FREE_MIN_MB: '0' } });
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(
      /^mneme: The disk of the data folder .* is full: free up space\.$/m,
    );
    expect(fs.readdirSync(dataDir).sort()).toEqual(['acknowledged-position', 'lock.db']);
  }, 60_000);
});

describe.runIf(isAvailable('mount'))('a database that meets the end of its disk', () => {
  it('is open within 10 s of there being room, with all that it acknowledged', async () => {
    using disk = await mountSmallDisk(300);
    await using server = await startServerProcess(disk.place, {
      env: { ...env, MNEME_DISK_FREE_MIN_MB: '0' },
    });
    const client = server.client();
    const ids = await store(client, 20);
    // Less than one file of the log: tables still grow, and the log does not.
    disk.fill(12 * mb);
    const refusals = new Set<string>();
    for (let i = 0; i < 3_000 && !server.output().includes('database has stopped'); i += 1) {
      try {
        ids.push(...(await store(client, 1, i % 100 < 80 ? 20_000 : 1)));
      } catch (error) {
        if (!(error instanceof MnemeError)) throw error;
        refusals.add(error.code);
      }
    }
    expect(/the embedded database has stopped/.test(server.output())).toBe(true);
    expect([...refusals]).toEqual(['storage_error']);
    expect(await health(client)).toMatchObject({ status: 503 });
    disk.removeFill();
    await eventually(
      () => statusOf(client, 'POST', '/memories', { content: `after ${fs.statfsSync('/').bfree}` }),
      (status) => status === 201 || status === 409,
      reopenMs,
    );
    expect(await missing(client, ids)).toEqual([]);
    expect(await health(client)).toMatchObject({ status: 200, body: { status: 'ok' } });
  }, 180_000);
});
