import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { DataFolderInUse, EngineFailed } from '../errors.ts';
import { makeTestDataDir, silentLog } from '../testing.ts';
import { openEmbedded } from './embedded.ts';

const WRITER = fileURLToPath(new URL('../fixtures/write-rows.ts', import.meta.url));
const FAULT = new URL('../fixtures/inject-failure.ts', import.meta.url);

let dataDir: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ dataDir, remove } = await makeTestDataDir({ onDisk: true }));
});

afterEach(() => remove());

/** Runs the writer; `lines` are its output. */
function startWriter(first: number, count: number) {
  const child = fork(WRITER, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child.send({ dataDir, first, count });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new TypeError('the writer has no pipes');
  const lines = createInterface({ input: stdout });
  let errors = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, stdout, lines, closed, errors: () => errors };
}

/**
 * Kills a writer with SIGKILL once it has acknowledged the requested number of rows; returns the
 * ids that it printed.
 */
async function writeAndKill(first: number, rows: number): Promise<number[]> {
  const { child, lines, closed } = startWriter(first, 100_000);
  const acknowledged: number[] = [];
  for await (const line of lines) {
    if (line !== 'open') acknowledged.push(Number(line));
    if (acknowledged.length === rows) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

describe('embedded engine, killed', () => {
  it('has every acknowledged row after each of three kills', async () => {
    const acknowledged: number[] = [];
    for (const [round, rows] of [150, 40, 333].entries()) {
      acknowledged.push(...(await writeAndKill(round * 100_000, rows)));
      const engine = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
      const query = sql<{ id: number }>`select id from journal order by id`;
      const found = new Set((await query.execute(engine.db)).rows.map((row) => row.id));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      // At most the one row whose acknowledgement was lost in the kill can exist unreported.
      expect(found.size).toBeLessThanOrEqual(acknowledged.length + round + 1);
      await engine[Symbol.asyncDispose]();
    }
  });

  it('lets the process end once it is closed', async () => {
    const { closed, lines } = startWriter(0, 3);
    const output: string[] = [];
    for await (const line of lines) output.push(line);
    expect(output).toEqual(['open', '0', '1', '2']);
    expect(await closed).toEqual([0, null]);
  });
});

describe('embedded engine, two processes on one folder', () => {
  it('rejects the second with a clear message, and the first loses nothing', async () => {
    const engine = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
    await sql`create table journal (id int primary key, pad text)`.execute(engine.db);
    const { closed, errors } = startWriter(0, 10);
    const [status] = await closed;
    expect(status).not.toBe(0);
    expect(errors()).toContain(`The data folder ${dataDir} is in use by another Mneme process`);
    await sql`insert into journal values (1, 'mine')`.execute(engine.db);
    await engine[Symbol.asyncDispose]();
    const again = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
    const { rows } = await sql`select * from journal`.execute(again.db);
    expect(rows).toEqual([{ id: 1, pad: 'mine' }]);
    await again[Symbol.asyncDispose]();
  });

  it('is rejected while another process holds it, and free once that is killed', async () => {
    const { child, stdout, lines, closed } = startWriter(0, 100_000);
    for await (const line of lines) {
      if (line !== '5') continue;
      const second = openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
      await expect(second).rejects.toThrow(DataFolderInUse);
      child.kill('SIGKILL');
      break;
    }
    stdout.resume();
    await closed;
    const engine = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
    await engine.ping();
    await engine[Symbol.asyncDispose]();
  });
});

describe('embedded engine, broken', () => {
  it.each([
    ['fail', /fsync failed: .*EIO/],
    ['exit', /exited without an error message/],
    ['trap', /out of memory/],
  ])(
    'acknowledges nothing after its disk or its thread has failed (%s)',
    async (failure, reason) => {
      const trigger = path.join(dataDir, 'trigger');
      const preload = new URL(FAULT);
      preload.searchParams.set('trigger', trigger);
      preload.searchParams.set('failure', failure);
      const failures: EngineFailed[] = [];
      const engine = await openEmbedded(
        { kind: 'embedded', dataDir },
        { log: silentLog, onFailure: (error) => failures.push(error) },
        ['--import', preload.href],
      );
      await sql`create table notes (id int primary key)`.execute(engine.db);
      await sql`insert into notes values (1)`.execute(engine.db);
      fs.writeFileSync(trigger, '');
      const insert = (id: number) => sql`insert into notes values (${id})`.execute(engine.db);
      const results = await Promise.allSettled([insert(2), insert(3), engine.ping()]);
      for (const result of results) {
        expect(result).toMatchObject({ status: 'rejected', reason: expect.any(EngineFailed) });
      }
      await expect(engine.ping()).rejects.toThrow(reason);
      expect(failures).toHaveLength(1);
      await engine[Symbol.asyncDispose]();
      const again = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
      const { rows } = await sql`select id from notes where id = 1`.execute(again.db);
      expect(rows).toEqual([{ id: 1 }]);
      await again[Symbol.asyncDispose]();
    },
  );

  it('reopens automatically if its disk was unavailable during a restart', async () => {
    const failures: EngineFailed[] = [];
    const engine = await openEmbedded(
      { kind: 'embedded', dataDir, statementTimeoutMs: 500 },
      { log: silentLog, onFailure: (error) => failures.push(error) },
    );
    await sql`create table notes as select 1 as id`.execute(engine.db);
    await sql`create function spin(times int) returns void language plpgsql as
      $$ begin for i in 1 .. times loop null; end loop; end $$`.execute(engine.db);
    const spin = (times: number) => sql`select spin(${times}::int)`.execute(engine.db);
    // The module is already loaded, so no file is opened.
    await spin(1);
    fs.renameSync(dataDir, `${dataDir}.gone`);
    await expect(spin(2_000_000_000)).rejects.toThrow('statement timeout');
    await expect(engine.ping()).rejects.toThrow(EngineFailed);
    fs.renameSync(`${dataDir}.gone`, dataDir);
    const answers = () =>
      engine.ping().then(
        () => true,
        () => false,
      );
    await eventually(answers, Boolean, 30_000);
    const { rows } = await sql`select id from notes`.execute(engine.db);
    expect(rows).toEqual([{ id: 1 }]);
    expect(failures).toEqual([]);
    await engine[Symbol.asyncDispose]();
  });

  it('reports a folder without a database', async () => {
    fs.rmSync(path.join(dataDir, 'pg', 'global'), { recursive: true });
    const opening = openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
    await expect(opening).rejects.toThrow(EngineFailed);
    // The lock is released, so that a repaired folder can be opened.
    await expect(openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog })).rejects.toThrow(
      EngineFailed,
    );
  });
});
