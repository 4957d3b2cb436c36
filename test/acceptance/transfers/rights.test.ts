import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { recordsOf, unpack } from './archive-files.ts';
import { type Populated, populate } from './populate.ts';
import { exportBytes } from './transfer.ts';

describe.each(oneEngine)('an export', (engine) => {
  let service: Service;
  let account: Awaited<ReturnType<Service['createAccount']>>;
  let data: Populated;

  beforeAll(async () => {
    service = await startService(engine);
    account = await service.createAccount('enterprise');
    data = await populate(service, account.client, { hasRecording: false });
  });
  afterAll(() => service.stop());

  const textOf = async (archive: Uint8Array): Promise<string> =>
    (await unpack(archive)).map(({ content }) => content.toString('utf8')).join('\n');
  const contentsOf = async (archive: Uint8Array) =>
    (await recordsOf(archive, 'memories')).map(({ content }) => content);

  test('by a key that is limited to spaces has these spaces only', async () => {
    const { key } = await account.client.keys.create({
      body: { name: 'home', space_ids: [data.spaces.home] },
    });
    const archive = await exportBytes(service.client(key));
    expect(await contentsOf(archive)).toEqual(['The coffee machine needs descaling every month.']);
    const text = await textOf(archive);
    for (const other of [
      'Initech',
      'hazelnuts',
      'Planning',
      data.spaces.work,
      data.memories.erased ?? '',
    ])
      expect(text).not.toContain(other);
    await expect(
      service.client(key).transfers.export({ query: { space_id: data.spaces.work } }),
    ).rejects.toMatchObject({ status: 403, code: 'space_access_denied' });
  });

  test('of a space has what is in it', async () => {
    const archive = await exportBytes(account.client, { space: 'Work' });
    const contents = await contentsOf(archive);
    expect(contents).toContain('Ana Ruiz works at Globex now.');
    expect(contents).not.toContain('I am allergic to hazelnuts.');
    expect((await recordsOf(archive, 'sessions')).map(({ name }) => name)).toEqual(['Planning']);
    expect(await textOf(archive)).not.toContain('oolong');
  });

  test('by a token of one user has this user only', async () => {
    const { token } = await account.client.auth.createToken({ body: { user_id: 'alice' } });
    const archive = await exportBytes(service.client(token));
    expect(await contentsOf(archive)).toEqual(['I am allergic to hazelnuts.']);
    const text = await textOf(archive);
    for (const other of [
      'oolong',
      'Initech',
      'Planning',
      'Chores',
      'ben',
      data.memories.erased ?? '',
    ])
      expect(text).not.toContain(other);
    await expect(
      service.client(token).transfers.export({ query: { user_id: 'ben' } }),
    ).rejects.toMatchObject({ status: 403, code: 'user_access_denied' });
    const byKey = await exportBytes(account.client, { user_id: 'alice' });
    expect(await contentsOf(byKey)).toEqual(await contentsOf(archive));
  });

  test('leaves out kinds of records whose scope the key lacks', async () => {
    const { key } = await account.client.keys.create({
      body: { name: 'reader', scopes: ['memories:read'] },
    });
    const names = (await unpack(await exportBytes(service.client(key)))).map(
      ({ header }) => header.name.split('/').at(-1) ?? '',
    );
    expect(names).toContain('memories.ndjson');
    for (const kind of ['sessions', 'entities', 'assertions', 'relationships', 'clusters'])
      expect(names).not.toContain(`${kind}.ndjson`);
    const memories = await recordsOf(await exportBytes(service.client(key)), 'memories');
    expect(memories.every(({ session_id }) => session_id === null)).toBe(true);
  });

  test('needs memories:read', async () => {
    const { key } = await account.client.keys.create({
      body: { name: 'writer', scopes: ['memories:write'] },
    });
    await expect(service.client(key).transfers.export()).rejects.toMatchObject({ status: 403 });
  });

  test('has no secret: no keys, no webhooks, no addresses', async () => {
    const hook = await account.client.webhooks.create({
      body: {
        name: 'out',
        url: 'https://hooks.example.com/secret-path',
        events: ['memory.created'],
      },
    });
    const text = await textOf(await exportBytes(account.client));
    for (const secret of [account.key, hook.secret, 'secret-path', 'secret_hash'])
      expect(text).not.toContain(secret);
  });

  test('has only the account of the key, and of the operator any', async () => {
    const other = await service.createAccount();
    await other.client.memories.create({ body: { content: 'Other account.' } });
    expect(await textOf(await exportBytes(account.client))).not.toContain('Other account.');
    const one = await service.operator().admin.export({ query: { account_id: other.id } });
    const text = await textOf(new Uint8Array(await one.arrayBuffer()));
    expect(text).toContain('Other account.');
    expect(text).not.toContain('hazelnuts');
    const client = account.client;
    await expect(client.admin.export()).rejects.toMatchObject({ status: 403 });
    await expect(
      service
        .operator()
        .admin.export({ query: { account_id: '01890000-0000-7000-8000-000000000000' } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe.each(oneEngine)('an import', (engine) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  test('needs a key with all rights of the account', async () => {
    const { client } = await service.createAccount();
    const body = await exportBytes(client);
    const space = await client.spaces.create({ body: { name: 'Only' } });
    const limited = await client.keys.create({ body: { name: 'l', space_ids: [space.id] } });
    const writer = await client.keys.create({ body: { name: 'w', scopes: ['memories:write'] } });
    const { token } = await client.auth.createToken({ body: { user_id: 'alice' } });
    for (const key of [limited.key, writer.key, token])
      await expect(service.client(key).transfers.import({ body })).rejects.toMatchObject({
        status: 403,
      });
  });

  test('is not visible to other accounts', async () => {
    const { client } = await service.createAccount();
    const body = await exportBytes(client);
    const { import_id: id } = await client.transfers.import({ body });
    const other = (await service.createAccount()).client;
    await expect(other.transfers.getImport({ params: { id } })).rejects.toMatchObject({
      status: 404,
    });
    await service.running.context.worker.drain();
    expect((await service.operator().admin.getImport({ params: { id } })).status).toBe('completed');
  });

  test('runs alone in its account', async () => {
    const { client } = await service.createAccount();
    const body = await exportBytes(client);
    const { admin } = service.operator();
    const queue = { params: { name: 'imports' } };
    await admin.pauseQueue(queue);
    onTestFinished(async () => void (await admin.resumeQueue(queue)));
    const { import_id } = await client.transfers.import({ body });
    await expect(client.transfers.import({ body })).rejects.toMatchObject({
      status: 409,
      details: { import_id },
    });
  });

  test('of an archive with several accounts is for the operator', async () => {
    // The accounts of other files need not be in the archive.
    const own = await startService(engine, { isExclusive: true });
    await own.createAccount();
    const response = await own.operator().admin.export();
    await own.stop();
    const body = new Uint8Array(await response.arrayBuffer());
    const { client: other } = await service.createAccount();
    await expect(other.transfers.import({ body })).rejects.toMatchObject({
      code: 'invalid_archive',
      details: { reason: 'several_accounts' },
    });
  });
});
