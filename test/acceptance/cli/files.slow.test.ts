import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { type Service, startService } from '../../support/service.ts';
import { type CliResult, runCli } from './run-cli.ts';

const said = 'Ana ships the importer on Friday.';

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService('embedded', { overrides: createFakeMedia() });
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
  await fs.writeFile(path.join(folder, 'Stand-up.m4a'), fakeRecording('audio'));
  const large = Buffer.concat([fakeRecording('audio', 'large'), Buffer.alloc(5 * 2 ** 20)]);
  await fs.writeFile(path.join(folder, 'Large.m4a'), large);
  await fs.writeFile(path.join(folder, 'Demo.mp4'), fakeRecording('video'));
  await fs.writeFile(path.join(folder, 'notes.txt'), 'Ana prefers tea.');
  await fs.writeFile(path.join(folder, 'noise.bin'), Buffer.alloc(100, 0xfe));
});
afterAll(async () => {
  await service?.stop();
  await fs.rm(folder, { recursive: true, force: true });
});

/** Runs in an account of its own, of which the key is given to what comes after. */
async function account() {
  const { key, client } = await service.createAccount();
  const mneme = (...args: string[]): Promise<CliResult> =>
    runCli(args, { MNEME_URL: service.url, MNEME_API_KEY: key });
  const add = (name: string, ...more: string[]): Promise<CliResult> =>
    mneme('add', '--file', path.join(folder, name), ...more);
  return { client, mneme, add };
}

describe('mneme add --file', () => {
  it('stores a recording and prints the id of its memory', async () => {
    const { client, add } = await account();
    const { code, stdout, stderr } = await add('Stand-up.m4a', '--tags', 'a,b', '--priority', '7');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, id = ''] = /^stored (\S{36})\n$/.exec(stdout) ?? [];
    const memory = await client.memories.get({ params: { id } });
    expect(memory).toMatchObject({ content_type: 'audio', tags: ['a', 'b'], priority: 7 });
    expect(memory.content).toMatch(/^Stand-up/);
  });

  it('stores a large recording in parts with its fields, and shows the bytes', async () => {
    const { client, add } = await account();
    const { code, stdout, stderr } = await add('Large.m4a', '--tags', 'a,b', '--priority', '7');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/100 % {2}5\.0 of 5\.0 MiB\n$/);
    const { data } = await client.memories.list();
    expect(data).toMatchObject([{ content_type: 'audio', tags: ['a', 'b'], priority: 7 }]);
    expect(stdout).toBe(`stored ${data[0]?.id}\n`);
  });

  it('stores it in a space, by a title, and prints the memory as JSON', async () => {
    const { client, add } = await account();
    const { id } = await client.spaces.create({ body: { name: 'kitchen' } });
    const { stdout } = await add('Demo.mp4', '--title', 'The demo', '--space', id, '--json');
    const stored = { content: 'The demo', content_type: 'video', space_id: id };
    expect(JSON.parse(stdout)).toMatchObject(stored);
  });

  it('replaces what is no longer true', async () => {
    const { client, add } = await account();
    const older = await client.memories.create({ body: { content: 'Ana prefers coffee.' } });
    const { stdout } = await add('notes.txt', '--supersedes', older.id, '--json');
    const { outdated_by } = await client.memories.get({ params: { id: older.id } });
    expect(outdated_by).toBe(JSON.parse(stdout).id);
  });

  it('waits for what is said, and shows it', async () => {
    const { add } = await account();
    const { code, stdout } = await add('Stand-up.m4a', '--wait');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^stored \\S{36}\n${said}\n$`)),
    });
  });

  it('stores a text, in which there is nothing to wait for', async () => {
    const { add } = await account();
    const ran = await add('notes.txt', '--wait', '--json');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ content: 'Ana prefers tea.' });
  });

  it.each([
    ['nowhere.mp3', /^mneme: unreadable_file: \S+nowhere\.mp3 does not exist\.\n$/],
    ['.', /^mneme: unreadable_file: \S+ is not a file\.\n$/],
    ['noise.bin', /^mneme: invalid_request: The file is neither text nor audio or video: .+\n$/],
  ])('says what is wrong with %s', async (name, message) => {
    const { add } = await account();
    const ran = await add(name);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(message);
  });
});

describe('mneme search', () => {
  it('shows what was said with its recording and its seconds', async () => {
    const { mneme, add } = await account();
    const { id } = JSON.parse((await add('Stand-up.m4a', '--wait', '--json')).stdout);
    const { stdout } = await mneme('search', 'importer');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^0\\.\\d\\d  ${id}  \\[0:00–0:04\\] ${said}$`)),
    );
    const { results } = JSON.parse((await mneme('search', 'importer', '--json')).stdout);
    const segment = { type: 'audio_segment', audio_file_id: id, start_time: 0.4, end_time: 3.9 };
    expect(results).toContainEqual(expect.objectContaining(segment));
  });
});
