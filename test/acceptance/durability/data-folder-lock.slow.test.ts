import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../../../packages/server/src/database/index.ts';
import { silentLog } from '../../../packages/server/src/database/testing.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, serverEngine } from '../../support/service.ts';

describe('a data folder that a server holds', () => {
  it('is refused to a second server, and the first goes on unharmed', async () => {
    const place = await createDataLocation('embedded');
    await using first = await startServerProcess(place);
    const before = await first
      .client()
      .memories.create({ body: { content: 'The kettle is red.' } });

    await using second = launchServer(place);
    const { code } = await second.ended;
    expect(code).toBe(1);
    expect(second.output()).toMatch(/^mneme: .*in use.*$/m);
    expect(second.output()).toContain(place.dataDir);
    expect(second.output()).not.toMatch(/^\s+at /m);

    const client = first.client();
    const after = await client.memories.create({ body: { content: 'The lamp is green.' } });
    for (const { id, content } of [before, after]) {
      expect(await client.memories.get({ params: { id } })).toMatchObject({ content });
      const { results } = await client.search.get({ query: { q: content } });
      expect(results[0]?.id).toBe(id);
    }
    await first[Symbol.asyncDispose]();
    await place.remove();
  });

  it('is free again at once after the holder was killed', async () => {
    const place = await createDataLocation('embedded');
    await using first = await startServerProcess(place);
    await first.kill('SIGKILL');
    await using second = await startServerProcess(place);
    expect(await second.client().operations.ready()).toEqual({ ready: true });
    await second[Symbol.asyncDispose]();
    await place.remove();
  });
});

describe.each(engines)('a database newer than the code on %s', (engine) => {
  it('is refused with what to do about it, and stays as it is', async () => {
    const place = await createDataLocation(engine);
    await using first = await startServerProcess(place);
    await first.kill('SIGTERM');
    await newer(place);

    const places = [
      place,
      ...(engine === serverEngine ? [await createSiblingLocation(place)] : []),
    ];
    for (const refused of places) {
      const before = await marksOf(refused);
      await using second = launchServer(refused);
      const { code } = await second.ended;
      expect(code).toBe(1);
      expect(second.output()).toMatch(
        /^mneme: The database has schema version 9999 \(from-the-future\), but this version/m,
      );
      expect(second.output()).toMatch(
        /up to \d+: start the version of Mneme that upgraded .*, or restore a backup made before/,
      );
      expect(second.output()).not.toMatch(/^\s+at /m);
      expect(await marksOf(refused)).toEqual(before);
    }

    await withEngine(place, async (engine) => {
      const { rows } = await sql<{ version: number }>`
        select version from schema_migrations order by version desc limit 1`.execute(engine.db);
      expect(rows).toEqual([{ version: 9_999 }]);
    });
    await place.remove();
  });
});

/** The files of the data folder with their content; the database's own are left out. */
async function marksOf({ dataDir }: DataLocation): Promise<Record<string, string>> {
  const names = (await fs.readdir(dataDir)).filter((name) => !databaseFiles.includes(name));
  const texts = await Promise.all(
    names.map((name) => fs.readFile(path.join(dataDir, name), 'utf8')),
  );
  return Object.fromEntries(names.map((name, i) => [name, texts[i] ?? '']));
}
const databaseFiles = ['pg', 'lock.db', 'acknowledged-position'];

const newer = (place: DataLocation): Promise<void> =>
  withEngine(place, async (engine) => {
    await sql`insert into schema_migrations (version, name, checksum)
      values (9999, 'from-the-future', 'x')`.execute(engine.db);
  });

async function withEngine(
  { dataDir, databaseUrl: url }: DataLocation,
  use: (engine: Awaited<ReturnType<typeof openEngine>>) => Promise<void>,
): Promise<void> {
  const settings =
    url === null
      ? { kind: 'embedded' as const, dataDir }
      : { kind: 'server' as const, url, poolMax: 2 };
  await using engine = await openEngine(settings, { log: silentLog });
  await use(engine);
}
