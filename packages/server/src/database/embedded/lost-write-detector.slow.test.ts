import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DamagedPage,
  findDamagedPages,
  readNextRelation,
} from '../durability/damaged-pages.ts';
import { WalPositionFile } from '../durability/position-file.ts';
import { isDamagedDataError } from '../errors.ts';
import {
  acknowledgedWalOffset,
  flipBit,
  newestWalSegment,
  writeAndKill,
} from '../fixtures/damage.ts';
import { makeTestDataDir, silentLog } from '../testing.ts';
import { openEmbedded } from './embedded.ts';

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await makeTestDataDir({ onDisk: true }));
});
afterEach(() => remove());

const open = () => openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });

async function reopen() {
  await using engine = await open();
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from journal`.execute(engine.db);
  return { rows: rows[0]?.count ?? 0, kinds: engine.integrity.findings.map(({ kind }) => kind) };
}

describe('the log of the embedded database', () => {
  it('is reported as truncated if a bit of it has flipped, and only then', async () => {
    await writeAndKill(dataDir, 120);
    const snapshot = `${dataDir}.kept`;
    fs.cpSync(dataDir, snapshot, { recursive: true });
    const end = acknowledgedWalOffset(dataDir);
    const whole = await reopen();
    expect(whole).toEqual({ rows: expect.any(Number), kinds: [] });
    for (const back of [9, 20_000]) {
      fs.rmSync(dataDir, { recursive: true });
      fs.cpSync(snapshot, dataDir, { recursive: true });
      flipBit(dataDir, newestWalSegment(dataDir), end - back);
      const { rows, kinds } = await reopen();
      expect(rows).toBeLessThan(whole.rows);
      expect(kinds).toEqual(['missing_tail']);
    }
    fs.rmSync(snapshot, { recursive: true });
  });

  it('of an older copy of its files is distinguished from a damaged one', async () => {
    const copy = `${dataDir}.copy`;
    await (await open())[Symbol.asyncDispose]();
    fs.cpSync(path.join(dataDir, 'pg'), copy, { recursive: true });
    await writeAndKill(dataDir, 10);
    fs.rmSync(path.join(dataDir, 'pg'), { recursive: true });
    fs.renameSync(copy, path.join(dataDir, 'pg'));
    await using engine = await open();
    expect(engine.integrity.findings).toMatchObject([{ kind: 'older_copy', isDegrading: false }]);
  });

  it('of another database in the same folder is distinguished', async () => {
    await writeAndKill(dataDir, 10);
    const control = path.join(dataDir, 'acknowledged-position');
    using positions = new WalPositionFile(control);
    if (positions.initial === null) throw new TypeError('nothing was recorded');
    await positions.write({ ...positions.initial, systemId: '1' });
    await using engine = await open();
    expect(engine.integrity.findings).toMatchObject([{ kind: 'other_cluster' }]);
  });

  it.each([
    [
      'its checkpoint',
      () => flipBit(dataDir, newestWalSegment(dataDir), 0),
      /valid checkpoint record/,
    ],
    [
      'its segment',
      () => fs.rmSync(path.join(dataDir, 'pg', newestWalSegment(dataDir))),
      /checkpoint record/,
    ],
    ['pg_control', () => flipBit(dataDir, 'global/pg_control', 48), /checksum/],
  ])('reports clearly that the database does not open without %s', async (_, damage, reason) => {
    damage();
    const opening = open();
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toThrow(/does not open .* restore a backup/);
  });
});

describe('pages of the embedded database', () => {
  async function allDamaged(engine: Awaited<ReturnType<typeof open>>) {
    const damaged: DamagedPage[] = [];
    let pages = 0;
    for (let oid = 0; ; ) {
      const relation = await readNextRelation(engine, oid);
      if (relation === null) return { pages, damaged };
      for (let from = 0; from < Math.max(relation.pages, 1); from += 64) {
        damaged.push(...(await findDamagedPages(engine, relation, from)));
      }
      pages += relation.pages;
      oid = relation.oid;
    }
  }

  it('are reported by relation and page if they are damaged', async () => {
    let heap = '';
    let index = '';
    {
      await using engine = await open();
      await sql`create table notes as select n as id, repeat('x', 500) as pad
        from generate_series(1, 1000) as n`.execute(engine.db);
      await sql`create index notes_id on notes (id)`.execute(engine.db);
      const paths = sql<{ heap: string; index: string }>`select
        pg_relation_filepath('notes') as heap, pg_relation_filepath('notes_id') as index`;
      ({ heap = '', index = '' } = (await paths.execute(engine.db)).rows[0] ?? {});
      const { pages, damaged } = await allDamaged(engine);
      expect(damaged).toEqual([]);
      expect(pages).toBeGreaterThan(700);
    }
    flipBit(dataDir, heap, 8_192 * 3 + 5_000);
    flipBit(dataDir, index, 8_192 + 7_000);
    await using engine = await open();
    const reading = sql`select max(pad) from notes`.execute(engine.db);
    await expect(reading).rejects.toSatisfy(isDamagedDataError);
    expect(engine.integrity.findings).toMatchObject(
      [
        { kind: 'damaged_page', isDegrading: true, message: /invalid page in block 3 of relation/ },
      ].map(({ message, ...rest }) => ({ ...rest, message: expect.stringMatching(message) })),
    );
    expect((await allDamaged(engine)).damaged).toMatchObject([
      { relation: 'notes', page: 3 },
      { relation: 'notes_id', page: 1 },
    ]);
  });

  it('are reported missing if the whole file of a relation is missing', async () => {
    {
      await using engine = await open();
      await sql`create table notes as select 1 as id`.execute(engine.db);
      const file = sql<{ file: string }>`select pg_relation_filepath('notes') as file`;
      const { rows } = await file.execute(engine.db);
      await engine[Symbol.asyncDispose]();
      fs.rmSync(path.join(dataDir, 'pg', rows[0]?.file ?? ''));
    }
    await using engine = await open();
    const reading = sql`select * from notes`.execute(engine.db);
    await expect(reading).rejects.toSatisfy(isDamagedDataError);
    expect((await allDamaged(engine)).damaged).toMatchObject([
      { relation: 'notes', page: 0, message: 'its file is missing' },
    ]);
  });
});
