import fs from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@mneme/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import {
  createDataLocation,
  type DataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, oneEngine } from '../../support/service.ts';

const warning = /"level":"warn".*secret key of the database replaced/;
const refusal =
  /the secrets in the database are encrypted with another key.*MNEME_ALLOW_OTHER_SECRET_KEY/;

/** A service in a place that outlives it. */
async function start({ dataDir, databaseUrl }: DataLocation, env: Record<string, string> = {}) {
  const logged: string[] = [];
  const { config } = readConfig({
    MNEME_PORT: '0',
    MNEME_DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
    ...env,
  });
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const { url, context, stop } = await serve(config, '0.0.0-test', { log });
  return {
    url,
    secretKey: context.app.secretKey,
    log: () => logged.join(''),
    [Symbol.asyncDispose]: stop,
  };
}

const file = ({ dataDir }: DataLocation, name: string): string => path.join(dataDir, name);
const read = (place: DataLocation, name: string) => fs.readFile(file(place, name), 'utf8');
const adminKeyOf = async (place: DataLocation): Promise<string> =>
  (await read(place, 'admin-key')).trim();

/** A new session token of the first admin key. */
async function tokenOf(place: DataLocation, url: string): Promise<string> {
  const client = createClient({ url, apiKey: await adminKeyOf(place), retries: 0 });
  return (await client.auth.createToken({ body: {} })).token;
}
const own = (url: string, apiKey: string) =>
  createClient({ url, apiKey, retries: 0 }).account.get();
const refused = { status: 401, code: 'invalid_api_key' };

describe.each(oneEngine)('the files of secrets on %s', (engine) => {
  let place: DataLocation;
  beforeEach(async () => {
    place = await createDataLocation(engine);
  });
  afterEach(() => place.remove());

  it('are made once, for their owner alone, and survive a restart', async () => {
    const names = ['secret-key', 'admin-key'];
    const states = () => Promise.all(names.map((name) => fs.stat(file(place, name))));
    const texts = () => Promise.all(names.map((name) => read(place, name)));
    let before: Awaited<ReturnType<typeof states>>;
    let written: string[];
    let token: string;
    {
      await using first = await start(place);
      before = await states();
      written = await texts();
      for (const { mode } of before) expect((mode & 0o777).toString(8)).toBe('600');
      expect(Buffer.from(written[0] ?? '', 'base64')).toHaveLength(32);
      expect(written[1]).toMatch(/^mnk_\w{12}_\w{43}_\w{6}\n$/);
      token = await tokenOf(place, first.url);
      expect(first.log()).not.toMatch(warning);
    }
    await using second = await start(place);
    expect(await texts()).toEqual(written);
    const marks = (state: (typeof before)[0]) => [state.ino, state.mtimeMs, state.mode];
    expect((await states()).map(marks)).toEqual(before.map(marks));
    expect((await fs.readdir(place.dataDir)).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect((await own(second.url, (written[1] ?? '').trim())).name).toBe('default');
    expect((await own(second.url, token)).name).toBe('default');
    expect(second.log()).not.toMatch(warning);
  });

  it('another secret key, or a lost one, refuses the start', async () => {
    let token: string;
    {
      await using first = await start(place);
      token = await tokenOf(place, first.url);
    }
    const kept = await read(place, 'secret-key');
    const MNEME_SECRET_KEY = 'another secret key, of many words';
    await expect(start(place, { MNEME_SECRET_KEY })).rejects.toThrow(refusal);
    // Lost: no other one is made in its place.
    await fs.rm(file(place, 'secret-key'));
    await expect(start(place)).rejects.toThrow(refusal);
    await expect(read(place, 'secret-key')).rejects.toMatchObject({ code: 'ENOENT' });
    await using back = await start(place, { MNEME_SECRET_KEY: kept.trim() });
    expect((await own(back.url, token)).name).toBe('default');
    await expect(read(place, 'secret-key')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('a lost secret key is given up by a setting, and once is enough', async () => {
    let token: string;
    {
      await using first = await start(place);
      token = await tokenOf(place, first.url);
    }
    await fs.rm(file(place, 'secret-key'));
    {
      await using changed = await start(place, { MNEME_ALLOW_OTHER_SECRET_KEY: 'true' });
      expect(changed.log()).toMatch(warning);
      await expect(own(changed.url, token)).rejects.toMatchObject(refused);
      const fresh = await tokenOf(place, changed.url);
      expect((await own(changed.url, fresh)).name).toBe('default');
    }
    await using again = await start(place);
    expect(again.log()).not.toMatch(warning);
  });

  it('MNEME_TOKEN_SECRET alone decides on tokens where it is set', async () => {
    const MNEME_TOKEN_SECRET = 'one secret for the tokens of all';
    let token: string;
    {
      await using first = await start(place, { MNEME_TOKEN_SECRET });
      token = await tokenOf(place, first.url);
    }
    await fs.rm(file(place, 'secret-key'));
    {
      const lost = { MNEME_ALLOW_OTHER_SECRET_KEY: 'true' };
      await using second = await start(place, { MNEME_TOKEN_SECRET, ...lost });
      expect(second.log()).toMatch(warning);
      expect((await own(second.url, token)).name).toBe('default');
    }
    await using third = await start(place, { MNEME_TOKEN_SECRET: `${MNEME_TOKEN_SECRET}.` });
    await expect(own(third.url, token)).rejects.toMatchObject(refused);
  });
});

describe('a file secret-key that holds no secret', () => {
  it('refuses the start with a plain line, and is left as it is', async () => {
    const place = await createDataLocation('embedded');
    await fs.writeFile(file(place, 'secret-key'), '\n');
    await expect(start(place)).rejects.toThrow('secret-key must have at least 32 characters');
    await fs.writeFile(file(place, 'secret-key'), 'too short');
    await using server = launchServer(place);
    expect((await server.ended).code).toBe(1);
    expect(server.output()).toMatch(/^mneme: .*not valid/m);
    expect(server.output()).toContain(`${file(place, 'secret-key')} must have at least 32`);
    expect(server.output()).not.toMatch(/^\s+at /m);
    expect(await read(place, 'secret-key')).toBe('too short');
    await place.remove();
  });
});

describe.each(engines.filter((engine) => engine === 'PostgreSQL'))(
  'two first starts at once on one data folder with %s',
  (engine) => {
    /** What both must agree on: the secret key, the admin key, and each other's tokens. */
    async function expectAgreement(place: DataLocation, urls: readonly string[]): Promise<void> {
      const key = await adminKeyOf(place);
      const tokens = await Promise.all(urls.map((url) => tokenOf(place, url)));
      for (const url of urls) {
        for (const credential of [key, ...tokens]) {
          expect((await own(url, credential)).name).toBe('default');
        }
      }
    }

    it.each([1, 2])('agree on its secrets, with one process id (turn %i)', async () => {
      const place = await createDataLocation(engine);
      {
        await using ending = new AsyncDisposableStack();
        const started = await Promise.all([start(place), start(place)]);
        for (const one of started) ending.use(one);
        expect(started[0].secretKey).toBe(started[1].secretKey);
        expect((await read(place, 'secret-key')).trim()).toBe(started[0].secretKey);
        for (const { log } of started) expect(log()).not.toMatch(warning);
        await expectAgreement(
          place,
          started.map(({ url }) => url),
        );
      }
      await place.remove();
    });

    it('agree on its secrets, as two processes', async () => {
      const place = await createDataLocation(engine);
      {
        await using ending = new AsyncDisposableStack();
        const started = await Promise.all([startServerProcess(place), startServerProcess(place)]);
        for (const one of started) ending.use(one);
        for (const { output } of started) expect(output()).not.toMatch(warning);
        await expectAgreement(
          place,
          started.map(({ url }) => url),
        );
      }
      await place.remove();
    });
  },
);
