import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../../../packages/server/src/database/index.ts';
import { silentLog } from '../../../packages/server/src/database/testing.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { runCli } from '../cli/run-cli.ts';

const segmentBytes = 2n ** 24n;
/** Vectors are not the subject. */
const settings = { MNEME_EMBEDDING_PROVIDER: 'static' };

/** Where in the newest file of the log it was acknowledged up to; 0 before the first. */
async function acknowledgedTo({ dataDir }: DataLocation): Promise<number> {
  const text = await fs.readFile(path.join(dataDir, 'acknowledged-position'), 'latin1');
  const lsns = [...text.matchAll(/"lsn":"([0-9A-F]+)\/([0-9A-F]+)"/g)].map(
    ([, high, low]) => (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`),
  );
  const newest = lsns.toSorted((a, b) => Number(b - a))[0] ?? 0n;
  return Number(newest % segmentBytes);
}

async function flipBit(file: string, at: number): Promise<void> {
  const bytes = await fs.readFile(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  await fs.writeFile(file, bytes);
}

async function newestSegment({ dataDir }: DataLocation): Promise<string> {
  const folder = path.join(dataDir, 'pg', 'pg_wal');
  const names = (await fs.readdir(folder)).sort();
  return path.join(folder, names.findLast((name) => /^[0-9A-F]{24}$/.test(name)) ?? '');
}

const store = (server: ServerProcess, content: string) =>
  server.client().memories.create({ body: { content } });
const health = (server: ServerProcess) => server.client().operations.health();
const total = async (server: ServerProcess): Promise<number> =>
  (await server.client().memories.list({ query: { limit: 100 } })).data.length;

describe('a write-ahead log with a flipped bit', () => {
  it('is told from a whole one until an operator acknowledges what is lost', async () => {
    const place = await createDataLocation('embedded');
    await using first = await startServerProcess(place, { env: settings });
    for (let i = 0; i < 14; i += 1) await store(first, `Kept ${i}.`);
    await first.kill('SIGKILL');

    await using second = await startServerProcess(place, { env: settings });
    expect(await health(second)).toMatchObject({
      status: 'ok',
      checks: { integrity: { ok: true } },
    });
    expect(await total(second)).toBe(14);
    const before = await acknowledgedTo(place);
    const acknowledged = async () => (await acknowledgedTo(place)) > before;
    await store(second, 'At risk.');
    await eventually(acknowledged, Boolean);
    const at = await acknowledgedTo(place);
    for (let i = 0; i < 15; i += 1) await store(second, `Lost ${i}.`);
    await eventually(async () => (await acknowledgedTo(place)) > at + 1_000, Boolean);
    await second.kill('SIGKILL');
    await flipBit(await newestSegment(place), at + 30);

    await using third = await startServerProcess(place, { env: settings });
    expect(third.output()).toMatch(/Acknowledged writes are missing/);
    expect(await health(third)).toMatchObject({
      status: 'degraded',
      checks: { integrity: { ok: false, detail: expect.stringContaining('mneme doctor') } },
    });
    expect(await total(third)).toBeLessThan(30);
    const env = { MNEME_URL: third.url, MNEME_API_KEY: third.adminKey };
    const shown = await runCli(['doctor'], env);
    expect(shown).toMatchObject({
      code: 1,
      stderr: 'mneme: findings_open: 1 finding to acknowledge.\n',
    });
    expect(shown.stdout).toMatch(
      /missing_tail\n {2}Acknowledged writes are missing: .*\n {2}What to do: /,
    );
    expect(await runCli(['doctor', '--acknowledge'], env)).toMatchObject({ code: 0, stderr: '' });
    expect((await health(third)).status).toBe('ok');
    await third.kill('SIGTERM');
    await place.remove();
  });
});

describe('a damaged page of a table', () => {
  it('is named by verify, fails the reads that need it, and no others', async () => {
    const place = await createDataLocation('embedded');
    await using first = await startServerProcess(place, { env: settings });
    const accounts: { id: string; key: string }[] = [];
    for (const name of ['damaged', 'whole']) {
      const operator = first.client();
      const { id } = await operator.admin.createAccount({ body: { name, plan: 'enterprise' } });
      const { key } = await operator.admin.createKey({ params: { id }, body: { name: 'test' } });
      const memories = Array.from({ length: 40 }, (_, i) => ({
        content: `${name} ${i}: ${numbers(i)}`,
      }));
      await first.client(key).memories.bulkCreate({ body: { memories } });
      accounts.push({ id, key });
    }
    await first.kill('SIGTERM');
    const [damaged, whole] = accounts;
    if (!damaged || !whole) throw new TypeError('there are two accounts');
    const victim = await pageOf(place, damaged.id);
    await flipBit(path.join(place.dataDir, 'pg', victim.file), victim.page * 8_192 + 6_000);

    await using second = await startServerProcess(place, { env: settings });
    const failed = await second
      .client(damaged.key)
      .request({ method: 'GET', path: `/memories/${victim.memory}` });
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'storage_damaged' } } });
    expect(await health(second)).toMatchObject({
      status: 'degraded',
      checks: { database: { ok: true }, integrity: { ok: false } },
    });
    const other = second.client(whole.key);
    const { id } = await other.memories.create({ body: { content: 'Ana drinks tea.' } });
    const { results } = await other.search.get({ query: { q: 'what does Ana drink' } });
    expect(results[0]?.id).toBe(id);

    const env = { MNEME_URL: second.url, MNEME_API_KEY: second.adminKey };
    const { code, stdout } = await runCli(['verify'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^memories +${victim.page} +its checksum is`, 'm'));
    expect(stdout).toMatch(new RegExp(`unreadable +${damaged.id}`));
    expect(stdout).not.toMatch(new RegExp(`unreadable +${whole.id}`));
    await second.kill('SIGTERM');
    await place.remove();
  });
});

/** Text that does not compress well: a page then holds few memories. */
const numbers = (seed: number): string =>
  Array.from({ length: 250 }, (_, i) => (seed * 7_919 + i * 104_729) % 99_991).join(' ');

/** A page of the table of memories that holds none of another account. */
async function pageOf({ dataDir }: DataLocation, accountId: string) {
  await using engine = await openEngine({ kind: 'embedded', dataDir }, { log: silentLog });
  const { rows } = await sql<{ page: number; memory: string; file: string }>`
    select (ctid::text::point)[0]::int as page, min(id::text) as memory,
      pg_relation_filepath('memories') as file
    from memories group by 1 having bool_and(account_id = ${accountId}::uuid)
    order by 1 limit 1`.execute(engine.db);
  if (!rows[0]) throw new TypeError('there is no such page');
  return rows[0];
}

describe('a write-ahead log that cannot be replayed at all', () => {
  it('stops the start with what it is and what to do', async () => {
    const place = await createDataLocation('embedded');
    await fs.rm(await newestSegment(place));
    await using server = launchServer(place);
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(
      /^mneme: The database in .* does not open .*checkpoint record.* restore a backup/m,
    );
    expect(server.output()).not.toMatch(/^\s+at /m);
    await place.remove();
  });
});
