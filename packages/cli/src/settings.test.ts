import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findApiKey, type GlobalOptions, isLoopbackUrl, readCliSettings } from './settings.ts';

let folder = '';
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

describe('readCliSettings', () => {
  it('has a default for everything, also where a variable is empty', () => {
    const settings = readCliSettings({ MNEME_URL: '', MNEME_API_KEY: '', MNEME_DATA_DIR: '' });
    expect(settings).toEqual({
      url: 'http://127.0.0.1:7077',
      apiKey: null,
      keyFile: path.resolve('data', 'admin-key'),
    });
  });

  it.each([
    [{ MNEME_PORT: '8123' }, 'http://127.0.0.1:8123'],
    [{ MNEME_HOST: '0.0.0.0', MNEME_PORT: '8123' }, 'http://127.0.0.1:8123'],
    [{ MNEME_HOST: '::', MNEME_PORT: '' }, 'http://127.0.0.1:7077'],
    [{ MNEME_HOST: '10.1.2.3' }, 'http://10.1.2.3:7077'],
    [{ MNEME_HOST: '::1', MNEME_PORT: '1' }, 'http://[::1]:1'],
    [{ MNEME_URL: 'https://memory.example', MNEME_PORT: '8123' }, 'https://memory.example'],
  ])('finds a server on this machine by its own settings: %j', (environment, url) => {
    expect(readCliSettings(environment).url).toBe(url);
  });

  it.each(['0', '65536', 'x', '-1'])('rejects the port %s', (MNEME_PORT) => {
    expect(() => readCliSettings({ MNEME_PORT })).toThrow(/MNEME_PORT must be a port from 1 to/);
  });

  it.each(['localhost:7077', 'ftp://h', 'http://', 'http://me:hidden@h', 'http://h/?a=1'])(
    'rejects the URL %s without repeating it',
    (MNEME_URL) => {
      const read = () => readCliSettings({ MNEME_URL });
      expect(read).toThrow(expect.objectContaining({ code: 'invalid_settings' }));
      expect(read).not.toThrow(/hidden/);
    },
  );
});

describe('readCliSettings with profiles', () => {
  const work = { url: 'https://work.example', api_key: 'mnk_work' };
  const home = { url: 'http://home.example/v1/', api_key: 'mnk_home' };
  const config = { current: 'work', profiles: { work, home } };
  const read = (environment: Record<string, string>, options: GlobalOptions = {}) => {
    const { url, apiKey, profile } = readCliSettings(environment, options, () => config);
    return [url, apiKey, profile];
  };

  it.each<[string, Record<string, string>, GlobalOptions, unknown[]]>([
    ['the current profile', {}, {}, [work.url, 'mnk_work', 'work']],
    ['MNEME_PROFILE', { MNEME_PROFILE: 'home' }, {}, [home.url, 'mnk_home', 'home']],
    [
      '--profile before the environment',
      { MNEME_URL: 'http://e', MNEME_API_KEY: 'mnk_e', MNEME_PROFILE: 'work' },
      { profile: 'home' },
      [home.url, 'mnk_home', 'home'],
    ],
    [
      'the environment before the current profile',
      { MNEME_URL: 'http://e', MNEME_API_KEY: 'mnk_e' },
      {},
      ['http://e', 'mnk_e', undefined],
    ],
    [
      'a key for the URL of the profile',
      { MNEME_API_KEY: 'mnk_e' },
      {},
      [work.url, 'mnk_e', undefined],
    ],
    [
      'the key of the profile for its own URL',
      { MNEME_URL: 'http://home.example', MNEME_PROFILE: 'home' },
      {},
      ['http://home.example', 'mnk_home', 'home'],
    ],
  ])('takes %s', (_, environment, options, expected) => {
    expect(read(environment, options)).toEqual(expected);
  });

  it.each<[Record<string, string>, GlobalOptions]>([
    [{ MNEME_URL: 'http://other' }, {}],
    [{ MNEME_PORT: '8123' }, {}],
    [{}, { server: 'http://other' }],
    [{}, { server: 'http://other', profile: 'home' }],
  ])('never sends the key of a profile to another server: %j %j', (environment, options) => {
    expect(read(environment, options).slice(1)).toEqual([null, undefined]);
  });

  it('names the profiles that exist if another one is requested', () => {
    expect(() => read({}, { profile: 'x' })).toThrow(
      /no profile x\. The profiles are work, home\./,
    );
    expect(() => read({}, { profile: 'toString' })).toThrow(/no profile toString/);
    expect(() => read({}, { server: 'ftp://h' })).toThrow(/^--server must be an http/);
  });

  it('does not read the profiles if the environment has both URL and key', () => {
    const environment = { MNEME_URL: 'http://e', MNEME_API_KEY: 'mnk_e' };
    const readConfig = () => {
      throw new Error('read');
    };
    expect(readCliSettings(environment, {}, readConfig).url).toBe('http://e');
  });
});

describe('isLoopbackUrl', () => {
  it.each([
    ['http://127.0.0.1:7077', true],
    ['http://localhost', true],
    ['https://[::1]:1', true],
    ['http://127.0.0.1.example.com', false],
    ['http://10.0.0.1:7077', false],
    ['https://mneme.example.com', false],
  ])('recognizes %s as an address of this machine: %s', (MNEME_URL, expected) => {
    expect(isLoopbackUrl(readCliSettings({ MNEME_URL }))).toBe(expected);
  });
});

describe('findApiKey', () => {
  it('prefers the variable to the file', async () => {
    await fs.writeFile(path.join(folder, 'admin-key'), 'mnk_file\n');
    const MNEME_DATA_DIR = folder;
    const file = await findApiKey(readCliSettings({ MNEME_DATA_DIR }));
    const variable = await findApiKey(
      readCliSettings({ MNEME_DATA_DIR, MNEME_API_KEY: 'mnk_var' }),
    );
    expect([file, variable]).toEqual(['mnk_file', 'mnk_var']);
  });

  it('names the file that is missing', async () => {
    await expect(findApiKey(readCliSettings({ MNEME_DATA_DIR: folder }))).rejects.toMatchObject({
      code: 'missing_api_key',
      message: expect.stringContaining(path.join(folder, 'admin-key')),
    });
  });

  it('rejects a value that no header can contain, without printing it', async () => {
    const found = findApiKey(readCliSettings({ MNEME_API_KEY: 'mnk_a\nhidden' }));
    await expect(found).rejects.toMatchObject({
      code: 'invalid_settings',
      message: 'MNEME_API_KEY does not contain an API key.',
    });
  });
});
