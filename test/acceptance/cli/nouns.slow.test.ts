import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';
import { type CliResult, runCli, runCommand } from './run-cli.ts';

let service: Service;
let home = '';
beforeAll(async () => {
  service = await startService('embedded');
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
});
afterAll(async () => {
  await service?.stop();
  await fs.rm(home, { recursive: true, force: true });
});

/** An account of its own, and the CLI with its key. */
async function account() {
  const { key, client } = await service.createAccount();
  const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
  const mneme = (args: readonly string[], input?: string): Promise<CliResult> =>
    runCommand(args, env, input);
  /** The text of a command that must succeed. */
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await mneme(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await ok(...args, '--json'));
  return { key, client, mneme, ok, json };
}

describe('mneme memories', () => {
  it('lists, reads, changes and pins', async () => {
    const { ok, json, mneme } = await account();
    const { id } = await json('memories', 'create', 'Ana drinks\ntea.', '--tags', 'drinks');
    await json('add', 'The car is red.', '--metadata', 'year=2026', '--pinned');
    const table = await ok('memories', 'list', '--tags', 'drinks');
    expect(table).toMatch(
      new RegExp(`^ID +CREATED AT +TAGS +CONTENT\n${id}  \\S+Z  drinks  Ana drinks tea\\.\n$`),
    );
    const shown = await ok('memories', 'get', id);
    expect(shown).toMatch(/^content +Ana drinks\n +tea\.$/m);
    const changed = await json('memories', 'update', id, '--priority', '7', '--tags', 'a,b');
    expect(changed).toMatchObject({ priority: 7, tags: ['a', 'b'], content: 'Ana drinks\ntea.' });
    expect(await json('memories', 'pin', id)).toMatchObject({ is_pinned: true });
    expect(await json('memories', 'unpin', id)).toMatchObject({ is_pinned: false });
    const lines = await ok('memories', 'list', '--pinned', '--metadata', 'year=2026', '--jsonl');
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ content: 'The car is red.', metadata: { year: 2026 } }]);
    const wrong = await mneme(['memories', 'update', id, '--priority', '99']);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/\n {2}priority: must be at most 10 \(invalid_range\)\n$/);
  });

  it('deletes with a confirmation only, and nothing with --dry-run', async () => {
    const { client, mneme, ok } = await account();
    const ids: string[] = [];
    for (const content of ['one', 'two', 'three']) {
      ids.push((await client.memories.create({ body: { content } })).id);
    }
    const [first = '', ...others] = ids;
    const refused = await mneme(['memories', 'delete', first]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      `Permanently delete memory ${first}. Repeat with --yes, or with --soft, which can be undone.`,
    );
    expect(await ok('memories', 'delete', first, '--dry-run')).toBe(
      `DELETE /v1/memories/${first}\n`,
    );
    expect((await client.memories.list()).data).toHaveLength(3);
    expect(await ok('memories', 'delete', first, '--yes')).toBe(`deleted ${first}\n`);
    const piped = await mneme(['memories', 'rm', '-', '--yes', '--jsonl'], others.join('\n'));
    expect(
      piped.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(others.map((id) => ({ id, deleted: true })));
    expect((await client.memories.list()).data).toEqual([]);
  });

  it('erases what matches, after counting it, and waits for the job', async () => {
    const { client, mneme, json } = await account();
    for (const [i, user_id] of ['ana', 'ana', 'ben'].entries()) {
      await client.memories.create({ body: { content: `Memory ${i}.`, user_id } });
    }
    const counted = await json('memories', 'erase', '--user', 'ana', '--dry-run');
    expect(counted).toEqual({ count: 2, hard_protected: 0, mails: 0, uploads: 0 });
    const unasked = await mneme(['memories', 'erase', '--user', 'ana']);
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stderr).toContain('Permanently erase 2 memories. Repeat with --yes.');
    const job = await json('memories', 'erase', '--user', 'ana', '--yes', '--wait');
    expect(job).toMatchObject({ status: 'completed', result: { erased: 2 } });
    const { data } = await client.memories.list();
    expect(data).toMatchObject([{ user_id: 'ben' }]);
  });

  it('stores many from lines of stdin', async () => {
    const { key, client } = await account();
    const lines = ['{"content":"one"}', '{"content":"two","tags":["a"]}'].join('\n');
    // Through the pipe of a process.
    const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
    const stored = await runCli(['memories', 'bulk-create', '-', '--jsonl'], env, lines);
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    expect((await client.memories.list()).data.map(({ content }) => content).sort()).toEqual([
      ...['one', 'two'],
    ]);
  });
});

describe('mneme recall', () => {
  it('prints a context for a prompt, and reads the question from stdin', async () => {
    const { client, mneme, ok } = await account();
    await client.memories.create({ body: { content: 'Ana prefers tea over coffee.' } });
    const context = await ok('recall', 'what does Ana drink?');
    expect(context).toMatch(/Ana prefers tea over coffee\.\n$/);
    const piped = await mneme(['recall', '-', '--json'], 'what does Ana drink?\n');
    expect(JSON.parse(piped.stdout)).toMatchObject({ truncated: false, memories: [{}] });
  });
});

describe('mneme spaces and sessions', () => {
  it('knows a space by its name', async () => {
    const { ok, json } = await account();
    const { id } = await json('spaces', 'create', 'kitchen', '--description', 'cooking');
    await json('add', 'The tea is in the tin.', '--space', 'kitchen');
    expect(await json('memories', 'list', '--space', 'kitchen')).toMatchObject([{ space_id: id }]);
    const update = ['spaces', 'update', 'kitchen', '--name', 'cellar', '--unset', 'description'];
    expect(await json(...update)).toMatchObject({ id, name: 'cellar', description: null });
    expect(await ok('spaces', 'list')).toMatch(new RegExp(`^ID +NAME +.*\n${id}  cellar  `));
  });

  it('keeps a session with its messages', async () => {
    const { mneme, ok, json } = await account();
    const { id } = await json('sessions', 'create', 'Trip', '--type', 'project');
    const messages = '{"role":"user","content":"I fly on Friday."}';
    await mneme(['sessions', 'add-messages', id, '-'], messages);
    expect(await ok('sessions', 'memories', id)).toMatch(/I fly on Friday\.\n$/);
    await json('sessions', 'complete', id, '--summary', 'Done.');
    expect(await ok('sessions', 'list', '--status', 'completed')).toMatch(
      new RegExp(`${id}  completed  project  1 .* Trip\n$`),
    );
  });
});

describe('mneme relationships, knowledge and clusters', () => {
  it('links memories, and shows both ends', async () => {
    const { client, ok, json } = await account();
    const create = (content: string) => client.memories.create({ body: { content } });
    const [a, b] = [await create('Ana works at Acme.'), await create('Acme makes rockets.')];
    await json('relationships', 'create', a.id, b.id, '--type', 'related_to');
    expect(await ok('relationships', 'list', a.id)).toMatch(
      new RegExp(`\noutgoing:\nRELATIONSHIP TYPE +TARGET ID +WEIGHT\nrelated_to +${b.id} +1\n$`),
    );
    await ok('relationships', 'delete', a.id, b.id, 'related_to', '--yes');
    expect(await json('relationships', 'list', a.id)).toMatchObject({ total: 0 });
    await json('knowledge', 'extract', a.id);
    const [entity] = await json('knowledge', 'entities', '--q', 'Ana');
    expect(await ok('knowledge', 'get', entity.id)).toMatch(/^facts:\nID .*\n.*works_at/m);
  });

  it('clusters memories as a job, and waits for it', async () => {
    const { client, mneme, json } = await account();
    await client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const ran = await mneme(['clusters', 'run', '--wait']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^status +completed$/m);
    expect(ran.stderr).toMatch(/100 % {2}completed, job \S{36}\n$/);
    const [run] = await json('clusters', 'runs');
    expect(await json('jobs', 'get', run.id)).toMatchObject({ kind: 'clusters.run' });
  });
});

describe('mneme webhooks, deliveries and mail', () => {
  it('creates a webhook and shows what was sent', async () => {
    const { client, ok, json } = await account();
    const url = 'https://hooks.example.invalid/mneme';
    const { id } = await json('webhooks', 'create', url, '--events', 'memory.created,space.*');
    expect(await json('webhooks', 'test', id)).toMatchObject({ success: false });
    await client.spaces.create({ body: { name: 'kitchen' } });
    const params = { webhookId: id };
    await eventually(
      () => client.webhooks.listDeliveries({ params }),
      ({ data }) => data.length === 1,
    );
    const [delivery] = await json('deliveries', 'list', id);
    expect(delivery).toMatchObject({ event_type: 'space.created' });
    const shown = await json('deliveries', 'get', id, delivery.id);
    expect(shown).toMatchObject({ id: delivery.id, event_type: 'space.created' });
    expect(await ok('webhooks', 'delete', id, '--yes')).toBe(`deleted ${id}\n`);
  });

  it('creates a mail address, and says how before there is one', async () => {
    const { mneme, ok, json } = await account();
    const none = await mneme(['mail', 'address']);
    expect(none.stderr).toContain('Create one with mneme mail create-address.');
    const { email } = await json('mail', 'create-address');
    expect(await ok('mail', 'address')).toContain(email);
  });
});

describe('mneme login', () => {
  it('stores a key that works, for its owner only, and forgets it again', async () => {
    const { key } = await account();
    const env = { HOME: home };
    const login = ['login', '--profile', 'work', '--url', service.url];
    const wrong = await runCli(login, env, 'mnk_wrong\n');
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^mneme: invalid_api_key: /);
    const file = path.join(home, '.config', 'mneme', 'config.json');
    await expect(fs.stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    const stored = await runCli(login, env, `${key}\n`);
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    expect(`${stored.stdout}${stored.stderr}`).not.toContain(key);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    expect(await runCli(['memories', 'list'], env)).toMatchObject({ stdout: 'nothing found\n' });
    const list = await runCli(['profiles', 'list'], env);
    expect(list.stdout).toMatch(new RegExp(`^NAME.*\nwork {2}${service.url} {2}current\n$`));

    await fs.chmod(file, 0o644);
    const unsafe = await runCli(['memories', 'list'], env);
    expect(unsafe).toMatchObject({ code: 1, stdout: '' });
    expect(unsafe.stderr).toMatch(/^mneme: unsafe_file: .*Run: chmod 600 /);
    await fs.chmod(file, 0o600);
    expect((await runCli(['logout'], env)).stdout).toMatch(/^Deleted profile work /);
    expect(await fs.readFile(file, 'utf8')).not.toContain(key);
  });
});
