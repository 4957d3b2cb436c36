import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFilePath, emptyConfig, readConfig, writeConfig } from './config-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

const config = {
  current: 'work',
  profiles: { work: { url: 'https://memory.example', api_key: 'mnk_1' } },
};

describe('configFilePath', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/mneme/config.json'],
    [{ XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/mneme/config.json'],
    [{}, null],
  ])('depends on the environment only: %j', (environment, file) => {
    expect(configFilePath(environment)).toBe(file);
  });
});

describe('writeConfig', () => {
  it('creates a folder and a file for their owner only, and replaces the file', async () => {
    const file = path.join(folder, 'new', 'mneme', 'config.json');
    await writeConfig(file, emptyConfig);
    await writeConfig(file, config);
    expect(readConfig(file)).toEqual(config);
    const modeOf = async (name: string) => ((await fs.stat(name)).mode & 0o777).toString(8);
    expect(await modeOf(file)).toBe('600');
    expect(await modeOf(path.dirname(file))).toBe('700');
    expect(await fs.readdir(path.dirname(file))).toEqual(['config.json']);
  });
});

describe('readConfig', () => {
  const write = async (text: string, mode = 0o600): Promise<string> => {
    const file = path.join(folder, 'config.json');
    await fs.writeFile(file, text);
    await fs.chmod(file, mode);
    return file;
  };

  it('has no profiles where there is no file', () => {
    expect(readConfig(path.join(folder, 'none.json'))).toEqual(emptyConfig);
    expect(readConfig(null)).toEqual(emptyConfig);
  });

  it.each([0o644, 0o640, 0o602])('refuses the mode %o, and says what to do', async (mode) => {
    const file = await write(JSON.stringify(config), mode);
    expect(() => readConfig(file)).toThrow(
      expect.objectContaining({
        code: 'unsafe_file',
        message: expect.stringMatching(/Run: chmod 600 .*config\.json$/),
      }),
    );
  });

  it.each(['', '{', '[]1', '{"profiles":{"a":{"url":1}}}', '{"current":1}'])(
    'refuses the content %j without repeating it',
    async (text) => {
      const file = await write(text);
      expect(() => readConfig(file)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
    },
  );
});
