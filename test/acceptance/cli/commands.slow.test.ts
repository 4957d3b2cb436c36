import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service.ts';
import { type CliResult, runCli, runCommand } from './run-cli.ts';

let service: Service;
beforeAll(async () => {
  service = await startService('embedded', { isExclusive: true });
});
afterAll(() => service?.stop());

const mneme = (key: string, args: readonly string[], input?: string): Promise<CliResult> =>
  runCommand(args, { MNEME_URL: service.url, MNEME_API_KEY: key }, input);
const operator = (...args: string[]): Promise<CliResult> => mneme(service.adminKey, args);

/** The one JSON value of a command that must succeed. */
async function json(key: string, ...args: string[]) {
  const { code, stdout, stderr } = await mneme(key, [...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** A new account with a key, both made by the CLI. */
async function newAccount(...options: string[]): Promise<{ id: string; key: string }> {
  const { id } = await json(service.adminKey, 'accounts', 'create', ...options);
  const { key } = await json(service.adminKey, 'keys', 'create', '--account', id);
  return { id, key };
}

describe('mneme accounts', () => {
  it('creates an account that get, list and update then know', async () => {
    const { adminKey } = service;
    const made = await json(adminKey, 'accounts', 'create', '--name', 'acme', '--plan', 'pro');
    expect(made).toMatchObject({ name: 'acme', plan: 'pro', suspended: false });
    expect(await json(adminKey, 'accounts', 'get', made.id)).toEqual(made);
    const changed = await json(adminKey, 'accounts', 'update', made.id, '--plan', 'max');
    expect(changed).toMatchObject({ id: made.id, name: 'acme', plan: 'max' });
    expect(await json(adminKey, 'accounts', 'list')).toContainEqual(changed);
  });

  it('shows people aligned lines', async () => {
    const made = await operator('accounts', 'create', '--plan', 'pro');
    expect(made.stdout).toMatch(/^id {7}\S{36}\nname {5}unnamed\nplan {5}pro\nstate {4}active\n/);
    const { stdout } = await operator('accounts', 'list');
    expect(stdout).toMatch(/^ID {36}PLAN {8}STATE {3}CREATED {19}NAME\n/);
  });

  it('lists past the end of a page', async () => {
    const { admin } = service.client();
    for (let i = 0; i < 105; i += 1) {
      await admin.createAccount({ body: { name: `page ${i}` } });
    }
    const all: { id: string; name: string }[] = await json(service.adminKey, 'accounts', 'list');
    const names = new Set(all.map(({ name }) => name).filter((name) => name.startsWith('page ')));
    expect(names.size).toBe(105);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('suspends an account and resumes it', async () => {
    const { id, key } = await newAccount();
    expect((await operator('accounts', 'update', id, '--suspend')).code).toBe(0);
    const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
    const refused = await runCli(['search', 'tea'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^mneme: insufficient_permissions: .+\n$/);
    expect((await operator('accounts', 'update', id, '--resume')).code).toBe(0);
    expect((await mneme(key, ['search', 'tea'])).code).toBe(0);
  });

  it('deletes an account only when told to confirm', async () => {
    const { id, key } = await newAccount();
    expect((await operator('accounts', 'delete', id)).code).toBe(2);
    expect((await operator('accounts', 'get', id)).code).toBe(0);
    const deleted = await json(service.adminKey, 'accounts', 'delete', id, '--confirm');
    expect(deleted).toEqual({ id, deleted: true });
    expect((await operator('accounts', 'get', id)).stderr).toMatch(/^mneme: not_found: /);
    expect((await mneme(key, ['search', 'tea'])).code).toBe(1);
  });
});

describe('mneme account', () => {
  it("shows the key's own account with what its plan allows and what is used", async () => {
    const { id, key } = await newAccount('--name', 'acme', '--plan', 'free');
    const own = await json(key, 'account');
    expect(own).toMatchObject({ id, name: 'acme', plan: 'free', usage: { api_keys: 1 } });
    const { stdout } = await mneme(key, ['account']);
    expect(stdout).toMatch(/^requests per minute +60$/m);
    expect(stdout).toMatch(/^memories +0 of 1000$/m);
    const unlimited = await operator('account');
    expect(unlimited.stdout).toMatch(/^requests per minute +unlimited$/m);
  });
});

describe('mneme keys', () => {
  it('makes a key with its limits and lists it without the secret', async () => {
    const { key } = await newAccount();
    const made = await json(
      key,
      ...['keys', 'create', '--name', 'reader', '--scopes', 'memories:read,search:read'],
      ...['--spaces', 'default', '--expires', '2999-01-01'],
    );
    expect(made).toMatchObject({
      name: 'reader',
      scopes: ['memories:read', 'search:read'],
      space_ids: ['default'],
      expires_at: '2999-01-01T00:00:00.000Z',
    });
    const { key: secret, ...shown } = made;
    expect(secret).toMatch(/^mnk_/);
    expect(await json(key, 'keys', 'list')).toContainEqual(shown);
    const { stderr } = await mneme(secret, ['add', 'not allowed']);
    expect(stderr).toMatch(/^mneme: insufficient_permissions: /);
  });

  it('rotates a key: the new secret works, the former one no more', async () => {
    const { key } = await newAccount();
    const first = await json(key, 'keys', 'create');
    const second = await json(key, 'keys', 'rotate', first.id);
    expect(second.id).toBe(first.id);
    expect((await mneme(second.key, ['search', 'tea'])).code).toBe(0);
    expect((await mneme(first.key, ['search', 'tea'])).code).toBe(1);
  });

  it('rotates with a grace in which both secrets work', async () => {
    const { key } = await newAccount();
    const first = await json(key, 'keys', 'create');
    const second = await json(key, 'keys', 'rotate', first.id, '--grace', '3600');
    expect((await mneme(second.key, ['search', 'tea'])).code).toBe(0);
    expect((await mneme(first.key, ['search', 'tea'])).code).toBe(0);
  });

  it('revokes a key, which is then told so', async () => {
    const { key } = await newAccount();
    const made = await json(key, 'keys', 'create');
    expect(await json(key, 'keys', 'revoke', made.id)).toEqual({ id: made.id, revoked: true });
    const refused = await mneme(made.key, ['search', 'tea']);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'mneme: revoked_api_key: The API key has been revoked.\n',
    });
  });

  it('shows people the new key', async () => {
    const { key } = await newAccount();
    const { stdout } = await mneme(key, ['keys', 'create', '--name', 'agent']);
    expect(stdout).toMatch(/^key {6}mnk_\S+\nStore the key now: .+\n$/m);
    const listed = await mneme(key, ['keys', 'list']);
    expect(listed.stdout).toMatch(/^ID {36}PREFIX .+\n(?:.+\n)*\S{36} {2}mnk_.+ {2}agent\n$/);
  });
});

describe('mneme health', () => {
  it('shows an operator the data folder beside the service, and others the service', async () => {
    const { dataDir } = service.config;
    const shown = await operator('health');
    expect(shown.stdout).toContain(`service      ${service.url}\ndata folder  ${dataDir}\n`);
    expect(await json(service.adminKey, 'health')).toMatchObject({
      url: service.url,
      data_dir: dataDir,
    });
    const { key } = await newAccount();
    expect((await mneme(key, ['health'])).stdout).not.toContain(dataDir);
  });
});

describe('mneme pause-deliveries and resume-deliveries', () => {
  it('pause and resume what leaves, and are the operator’s', async () => {
    const paused = await operator('pause-deliveries');
    expect(paused).toMatchObject({ code: 0, stderr: '' });
    expect(paused.stdout).toMatch(/^Deliveries have been paused since \S+Z\.\n$/);
    expect((await operator('health')).stdout).toMatch(/^deliveries +ok +Paused since/m);
    const resumed = await json(service.adminKey, 'resume-deliveries');
    expect(resumed).toEqual({ paused: false, paused_at: null });
    const { key } = await newAccount();
    expect((await mneme(key, ['pause-deliveries'])).stderr).toMatch(/^mneme: insufficient/);
  });
});

describe('mneme erasures', () => {
  it('lists what was erased for good, of all accounts or of one', async () => {
    const { id: account, key } = await newAccount();
    const ids: string[] = [];
    for (const content of ['one', 'two']) {
      const { id } = await json(key, 'add', content);
      await service.client(key).memories.remove({ params: { id } });
      ids.unshift(id);
    }
    const { stdout } = await operator('erasures', '--account', account);
    const lines = ids.map((id) => expect.stringMatching(`Z  memory {8}${id}  ${account}$`));
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
    expect((await operator('erasures', '--json')).stdout).toContain(`"id":"${ids[0]}"`);
  });
});

describe('mneme add and search', () => {
  it('finds by other words what was added', async () => {
    const { key } = await newAccount();
    const content = 'The car would not start because its battery was dead.';
    const options = ['--tags', 'car,repair', '--priority', '7'];
    // These as programs, which the others are not.
    const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
    const added = await runCli(['add', content, ...options, '--json'], env);
    const memory = JSON.parse(added.stdout);
    expect(memory).toMatchObject({ content, tags: ['car', 'repair'], priority: 7 });
    const query = 'why did the vehicle fail?';
    const { results } = await json(key, 'search', query, '--limit', '5');
    expect(results).toMatchObject([{ id: memory.id, content }]);
    const { stdout } = await runCli(['search', query], env);
    expect(stdout).toMatch(new RegExp(`^[01]\\.\\d\\d  ${memory.id}  ${content}\n$`));
  });

  it('replaces what is no longer true', async () => {
    const { key } = await newAccount();
    const older = await json(key, 'add', 'I live in Munich.');
    const newer = await json(key, 'add', 'I moved to Berlin.', '--supersedes', older.id);
    const { results } = await json(key, 'search', 'where do I live?');
    expect(results).toMatchObject([
      { id: newer.id, outdated_by: null },
      { id: older.id, outdated_by: newer.id },
    ]);
  });

  it('keeps users apart, and finds what held at a time', async () => {
    const { key } = await newAccount();
    const owner = ['--user', 'ana', '--agent', 'cook', '--run', 'r1'];
    const ana = await json(key, 'add', 'Tea is in the red tin.', ...owner);
    const ben = await json(key, 'add', 'Tea is in the red tin.', '--user', 'ben');
    expect(ana).toMatchObject({ user_id: 'ana', agent_id: 'cook', run_id: 'r1' });
    const find = (...more: string[]) => json(key, 'search', 'where is the tea?', ...more);
    expect((await find('--user', 'ben')).results).toMatchObject([{ id: ben.id }]);
    expect((await find('--agent', 'cook', '--run', 'r1')).results).toMatchObject([{ id: ana.id }]);
    const newer = await json(key, 'add', 'Tea is in the tin box.', '--supersedes', ben.id);
    const then = new Date(Date.parse(newer.created_at) - 1).toISOString();
    expect((await find('--as-of', then)).results.at(-1)).toMatchObject({ id: newer.id });
  });

  it('reads the text from stdin', async () => {
    const { key } = await newAccount();
    const { code, stdout } = await mneme(key, ['add', '-', '--json'], 'Zoë likes\nمرحبا\n');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).content).toBe('Zoë likes\nمرحبا');
  });

  it('keeps to the space it is given', async () => {
    const { key } = await newAccount('--plan', 'enterprise');
    const space = await service.client(key).spaces.create({ body: { name: 'kitchen' } });
    await json(key, 'add', 'Ana drinks tea here.', '--space', space.id);
    await json(key, 'add', 'Ana drinks tea everywhere.');
    const inSpace = await json(key, 'search', 'tea', '--space', 'kitchen');
    const outside = await json(key, 'search', 'tea', '--space', 'default');
    const found = [inSpace, outside].map(({ results }) => results[0].content);
    expect(found).toEqual(['Ana drinks tea here.', 'Ana drinks tea everywhere.']);
    const byName = await json(key, 'add', 'Ben drinks coffee here.', '--space', 'kitchen');
    expect(byName.space_id).toBe(space.id);
  });

  it('prints stored text without what a terminal would obey', async () => {
    const { key } = await newAccount();
    await json(key, 'add', 'tea \u001b[31mred\nsecond line');
    const { stdout } = await mneme(key, ['search', 'tea']);
    expect(stdout).toMatch(/tea {2}\[31mred second line\n$/);
  });

  it('says that nothing was found', async () => {
    const { key } = await newAccount();
    expect(await mneme(key, ['search', 'tea'])).toEqual({
      code: 0,
      stdout: 'nothing found\n',
      stderr: '',
    });
  });
});
