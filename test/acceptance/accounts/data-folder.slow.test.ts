import fs from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@mneme/sdk';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';

/** A service in a place that outlives it. */
async function start({ dataDir, databaseUrl }: DataLocation, env: Record<string, string> = {}) {
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
    ...env,
  });
  const { url, context, stop } = await serve(config, '0.0.0-test', { log: createLog('silent') });
  return { url, context, [Symbol.asyncDispose]: stop };
}

const nameOf = (url: string, apiKey: string) =>
  createClient({ url, apiKey, retries: 0 })
    .account.get()
    .then(({ name }) => name);

/** Every file of the folder with its text, but those of the database itself. */
async function contentOf(dataDir: string): Promise<Record<string, string>> {
  const names = (await fs.readdir(dataDir)).filter((name) => !/^(?:pg|lock|blobs)/.test(name));
  const texts = names.map((name) => fs.readFile(path.join(dataDir, name), 'utf8'));
  return Object.fromEntries((await Promise.all(texts)).map((text, i) => [names[i] ?? '', text]));
}

const keyIn = async (file: string): Promise<string> => (await fs.readFile(file, 'utf8')).trim();

async function tablesOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as n from information_schema.tables where table_schema = 'public'",
  );
  await client.end();
  return rows[0].n;
}

const allowed = { MNEME_ALLOW_OTHER_ENGINE: 'true' };

describe('an embedded data folder', () => {
  let place: DataLocation;
  beforeEach(async () => {
    place = await createDataLocation('embedded');
  });
  afterEach(() => place.remove());

  it('says which database it belongs to, for its owner alone', async () => {
    await using first = await start(place);
    const file = path.join(place.dataDir, 'database.json');
    const owner = JSON.parse(await fs.readFile(file, 'utf8'));
    expect(owner).toEqual({ engine: 'embedded', database_id: expect.any(String) });
    expect(((await fs.stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(first.context.firstKey?.file).toBe(path.join(place.dataDir, 'admin-key'));
  });

  it('without its database refuses the start instead of beginning an empty one', async () => {
    {
      await using _first = await start(place);
    }
    const before = await contentOf(place.dataDir);
    await fs.rm(path.join(place.dataDir, 'pg'), { recursive: true });
    await using server = launchServer(place);
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(/^mneme: .* contains an admin key, but no embedded database/m);
    expect(server.output()).not.toMatch(/^\s+at /m);
    expect(await contentOf(place.dataDir)).toEqual(before);
    expect(await fs.readdir(place.dataDir)).not.toContain('pg');
  });

  it('with a stray folder where a key is staged starts, and leaves it', async () => {
    const stray = path.join(place.dataDir, 'admin-key.0123456789abcdef.next');
    {
      await using _first = await start(place);
    }
    await fs.mkdir(stray);
    await using _again = await start(place);
    expect((await fs.stat(stray)).isDirectory()).toBe(true);
  });

  it('with the key of a first start that did not commit takes that key', async () => {
    {
      await using first = await start(place);
      const { db } = first.context.app.engine;
      for (const table of [
        'api_keys',
        'audit_log',
        'usage_counters',
        'account_positions',
      ] as const) {
        await db.deleteFrom(table).execute();
      }
      await db.deleteFrom('accounts').execute();
    }
    const key = await keyIn(path.join(place.dataDir, 'admin-key'));
    await using again = await start(place);
    expect(again.context.firstKey?.key).toBe(key);
    expect(await nameOf(again.url, key)).toBe('default');
  });
});

describe.each(engines.filter((engine) => engine === 'PostgreSQL'))(
  'a data folder and %s',
  (engine) => {
    let embedded: DataLocation;
    let server: DataLocation;
    beforeEach(async () => {
      embedded = await createDataLocation('embedded');
      server = await createDataLocation(engine, { migrated: false });
    });
    afterEach(async () => {
      await embedded.remove();
      await server.remove();
    });
    const mixed = (): DataLocation => ({ ...embedded, databaseUrl: server.databaseUrl });

    it('that holds embedded data refuses the start, and nothing is written', async () => {
      {
        await using _first = await start(embedded);
      }
      const before = await contentOf(embedded.dataDir);
      await expect(start(mixed())).rejects.toThrow(/belongs to an embedded database.*unset/);
      expect(await contentOf(embedded.dataDir)).toEqual(before);
      expect(await tablesOf(server.databaseUrl ?? '')).toBe(0);
    });

    it('of earlier versions with embedded data refuses the start, too', async () => {
      {
        await using _first = await start(embedded);
      }
      await fs.rm(path.join(embedded.dataDir, 'database.json'));
      await expect(start(mixed())).rejects.toThrow(/belongs to an embedded database/);
    });

    it('allowed to share it, keep the embedded key and get a file of their own', async () => {
      {
        await using _first = await start(embedded);
      }
      const before = await contentOf(embedded.dataDir);
      let own: { file: string; key: string };
      {
        await using other = await start(mixed(), allowed);
        own = other.context.firstKey ?? { file: '', key: '' };
        expect(path.basename(own.file)).toMatch(/^admin-key\.[\w-]{36}$/);
        expect(await keyIn(own.file)).toBe(own.key);
        const operator = createClient({ url: other.url, apiKey: own.key, retries: 0 });
        const { data } = await operator.keys.list({ query: {} });
        const rotated = await operator.keys.rotate({ params: { id: data[0]?.id ?? '' } });
        expect(await keyIn(own.file)).toBe(rotated.key);
      }
      expect(await contentOf(embedded.dataDir)).toMatchObject(before);
      await using back = await start(embedded);
      expect(await nameOf(back.url, (before['admin-key'] ?? '').trim())).toBe('default');
    });

    it('of a server database refuses to begin an embedded one', async () => {
      {
        await using _first = await start(server);
      }
      const bare = { ...server, databaseUrl: null };
      await expect(start(bare)).rejects.toThrow(/belongs to a server database: set MNEME_DATABASE/);
      await fs.rm(path.join(server.dataDir, 'database.json'));
      await expect(start(bare)).rejects.toThrow(/contains an admin key, but no embedded database/);
      expect(await fs.readdir(server.dataDir)).not.toContain('pg');
    });

    it('of one server database refuses another, with or without a record of it', async () => {
      {
        await using _first = await start(server);
      }
      const before = await contentOf(server.dataDir);
      const other = await createDataLocation(engine, { migrated: false });
      const wrong = { ...server, databaseUrl: other.databaseUrl };
      await expect(start(wrong)).rejects.toThrow(/belongs to another database/);
      expect(await tablesOf(other.databaseUrl ?? '')).toBe(0);
      await fs.rm(path.join(server.dataDir, 'database.json'));
      await expect(start(wrong)).rejects.toThrow(/contains the admin key of another database/);
      const { 'database.json': record, ...others } = before;
      expect(await contentOf(server.dataDir)).toEqual(others);
      // Nor does the right database lose its folder by that. Where its log ends moves on.
      await using back = await start(server);
      const { 'acknowledged-position.server': _, ...kept } = others;
      expect(await contentOf(server.dataDir)).toMatchObject({ 'database.json': record, ...kept });
      expect(await nameOf(back.url, (before['admin-key'] ?? '').trim())).toBe('default');
      await other.remove();
    });
  },
);
