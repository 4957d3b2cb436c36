import fs from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@mneme/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../../packages/server/src/kernel/api-key-format.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { readConfig } from '../../../packages/server/src/kernel/config.ts';
import { createIds } from '../../../packages/server/src/kernel/ids.ts';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { serve } from '../../../packages/server/src/serve.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type DataLocation,
} from '../../support/server-process.ts';
import { engines } from '../../support/service.ts';
import { runCli } from '../cli/run-cli.ts';

const settingsOf = ({ dataDir, databaseUrl }: DataLocation): Record<string, string> => ({
  MNEME_DATA_DIR: dataDir,
  ...(databaseUrl === null ? {} : { MNEME_DATABASE_URL: databaseUrl }),
});

/** A service in a place that outlives it. */
async function start(place: DataLocation, env: Record<string, string> = {}) {
  const logged: string[] = [];
  const { config } = readConfig({ MNEME_PORT: '0', ...settingsOf(place), ...env });
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const { url, context, stop } = await serve(config, '0.0.0-test', { log });
  return { url, context, logged, [Symbol.asyncDispose]: stop };
}

const client = (url: string, apiKey: string) => createClient({ url, apiKey, retries: 0 });
const nameOf = async (url: string, key: string) => (await client(url, key).account.get()).name;
const refused = { status: 401, code: 'invalid_api_key' };
const fileOf = ({ dataDir }: DataLocation): string => path.join(dataDir, 'admin-key');
const keyOf = async (place: DataLocation): Promise<string> =>
  (await fs.readFile(fileOf(place), 'utf8')).trim();
const keyFilesOf = async ({ dataDir }: DataLocation): Promise<string[]> =>
  (await fs.readdir(dataDir)).filter((name) => /^admin-key|^reset-admin/.test(name));

async function operatorId(url: string, key: string): Promise<string> {
  const { data } = await client(url, key).keys.list({ query: {} });
  return data.find(({ scopes }) => scopes.includes('operator'))?.id ?? '';
}

describe.each(engines)('the admin key on %s', (engine) => {
  let place: DataLocation;
  beforeEach(async () => {
    place = await createDataLocation(engine);
  });
  afterEach(() => place.remove());

  it('is in its file after a rotation, for its owner alone, and after a restart', async () => {
    let former: string;
    let rotated: string;
    {
      await using service = await start(place);
      former = await keyOf(place);
      const id = await operatorId(service.url, former);
      rotated = (await client(service.url, former).keys.rotate({ params: { id } })).key;
      expect(await keyOf(place)).toBe(rotated);
      expect(((await fs.stat(fileOf(place))).mode & 0o777).toString(8)).toBe('600');
      expect(await keyFilesOf(place)).toEqual(['admin-key']);
    }
    await using again = await start(place);
    expect(again.context.firstKey).toBeNull();
    expect(await nameOf(again.url, await keyOf(place))).toBe('default');
    await expect(nameOf(again.url, former)).rejects.toMatchObject(refused);
    expect(again.logged.join('')).not.toContain('admin key file outdated');
  });

  it('is found by the next start wherever a crash interrupted its rotation', async () => {
    let former: string;
    let rotated: string;
    {
      await using service = await start(place);
      former = await keyOf(place);
      const id = await operatorId(service.url, former);
      rotated = (await client(service.url, former).keys.rotate({ params: { id } })).key;
    }
    // After the commit: the file is the former one, the staged key is the valid one.
    await fs.writeFile(`${fileOf(place)}.0123456789abcdef.next`, `${rotated}\n`, { mode: 0o600 });
    await fs.writeFile(fileOf(place), `${former}\n`);
    {
      await using _second = await start(place);
      expect(await keyOf(place)).toBe(rotated);
    }
    // Before the commit: the staged key never became valid.
    const never = generateKey(createIds(systemClock));
    await fs.writeFile(`${fileOf(place)}.fedcba9876543210.next`, `${never}\n`, { mode: 0o600 });
    await using third = await start(place);
    expect(await keyOf(place)).toBe(rotated);
    expect(await keyFilesOf(place)).toEqual(['admin-key']);
    expect(await nameOf(third.url, rotated)).toBe('default');
  });

  it('of MNEME_ADMIN_KEY is written nowhere, and neither rotated nor reset', async () => {
    const MNEME_ADMIN_KEY = generateKey(createIds(systemClock));
    await using service = await start(place, { MNEME_ADMIN_KEY });
    expect(await keyFilesOf(place)).toEqual([]);
    const id = await operatorId(service.url, MNEME_ADMIN_KEY);
    const rotation = client(service.url, MNEME_ADMIN_KEY).keys.rotate({ params: { id } });
    await expect(rotation).rejects.toMatchObject({ status: 409, code: 'conflict' });
    if (engine === 'embedded') {
      const ran = await runCli(['keys', 'reset-admin'], settingsOf(place));
      expect(ran).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toMatch(/MNEME_ADMIN_KEY sets the admin key/);
    }
    expect(await nameOf(service.url, MNEME_ADMIN_KEY)).toBe('default');
    expect(await keyFilesOf(place)).toEqual([]);
  });

  it('is reset without a key while the server runs, and while it is stopped', async () => {
    let former: string;
    let second: string;
    {
      await using service = await start(place);
      former = await keyOf(place);
      const ran = await runCli(['keys', 'reset-admin', '--json'], settingsOf(place));
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      second = JSON.parse(ran.stdout).key;
      expect(JSON.parse(ran.stdout).file).toBe(fileOf(place));
      expect(await keyOf(place)).toBe(second);
      expect(await nameOf(service.url, second)).toBe('default');
      if (engine === 'embedded') {
        await expect(nameOf(service.url, former)).rejects.toMatchObject(refused);
      }
    }
    const ran = await runCli(['keys', 'reset-admin'], settingsOf(place));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const third = await keyOf(place);
    expect(ran.stdout).toContain(third);
    expect(ran.stdout).toContain(fileOf(place));
    expect(((await fs.stat(fileOf(place))).mode & 0o777).toString(8)).toBe('600');
    expect(await keyFilesOf(place)).toEqual(['admin-key']);
    await using again = await start(place);
    for (const ended of [former, second]) {
      await expect(nameOf(again.url, ended)).rejects.toMatchObject(refused);
    }
    const { data } = await client(again.url, third).account.audit({ query: {} });
    const resets = data.filter(({ details }) => details.reset === true);
    expect(resets).toHaveLength(2);
    expect(resets[0]).toMatchObject({ action: 'key.rotated', actor: null });
  });
});

describe('mneme keys generate', () => {
  it('prints a key that a server takes for its admin key', async () => {
    const place = await createDataLocation('embedded');
    await using ending = new AsyncDisposableStack();
    ending.defer(() => place.remove());
    const ran = await runCli(['keys', 'generate', '--json'], {});
    const { key } = JSON.parse(ran.stdout) as { key: string };
    const service = ending.use(await start(place, { MNEME_ADMIN_KEY: key }));
    expect(await nameOf(service.url, key)).toBe('default');
    expect(await keyFilesOf(place)).toEqual([]);
  });
});

describe('mneme keys reset-admin', () => {
  let place: DataLocation;
  beforeEach(async () => {
    place = await createDataLocation('embedded');
  });
  afterEach(() => place.remove());

  it('makes no database where there is none', async () => {
    const empty = await createDataLocation('embedded', { migrated: false });
    const ran = await runCli(['keys', 'reset-admin'], settingsOf(empty));
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/contains no database: set MNEME_DATA_DIR/);
    expect(await fs.readdir(empty.dataDir)).toEqual([]);
    await empty.remove();
  });

  it('lifts a suspension of the operator, which no operator can cause', async () => {
    await using service = await start(place);
    const key = await keyOf(place);
    const { id } = await client(service.url, key).account.get();
    const suspension = client(service.url, key).admin.updateAccount({
      params: { id },
      body: { suspended: true },
    });
    await expect(suspension).rejects.toMatchObject({ status: 409, code: 'conflict' });
    const { db } = service.context.app.engine;
    await db.updateTable('accounts').set({ suspended: true }).execute();
    expect((await runCli(['keys', 'reset-admin'], settingsOf(place))).code).toBe(0);
    expect(await nameOf(service.url, await keyOf(place))).toBe('default');
    // What was due long before is not sent, as after every suspension.
    const resumed = await db.selectFrom('accounts').select('resumed_at').execute();
    expect(resumed).toEqual([{ resumed_at: expect.any(Date) }]);
  });

  it('follows no link that lies in the place of a request', async () => {
    await using service = await start(place);
    const key = await keyOf(place);
    const target = path.join(place.dataDir, 'target');
    await fs.writeFile(target, '0'.repeat(32));
    const request = path.join(place.dataDir, 'reset-admin.request');
    await fs.symlink(target, request);
    await expect.poll(() => keyFilesOf(place)).toEqual(['admin-key']);
    expect(await fs.readFile(target, 'utf8')).toBe('0'.repeat(32));
    expect(await nameOf(service.url, key)).toBe('default');
    expect(service.logged.join('')).toContain('request ignored');
  });
});

describe.each(engines.filter((engine) => engine === 'PostgreSQL'))(
  'two data folders on one %s',
  (engine) => {
    it('have the admin key only in the one that made it', async () => {
      const place = await createDataLocation(engine);
      const second = await createSiblingLocation(place);
      {
        await using made = await start(place);
        const former = await keyOf(place);
        await using other = await start(second);
        expect(await keyFilesOf(second)).toEqual([]);
        const id = await operatorId(other.url, former);
        const { key } = await client(other.url, former).keys.rotate({ params: { id } });
        expect(await keyFilesOf(second)).toEqual([]);
        expect(await nameOf(other.url, key)).toBe('default');
        expect(made.url).not.toBe(other.url);
      }
      await using again = await start(place);
      expect(again.logged.join('')).toContain('admin key file outdated');
      await second.remove();
      await place.remove();
    });
  },
);
