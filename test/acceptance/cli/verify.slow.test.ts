import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeErasedContent } from '../../../packages/server/src/domains/operations/index.ts';
import { type Service, startService } from '../../support/service.ts';
import { type CliResult, runCli } from './run-cli.ts';

let service: Service;
beforeAll(async () => {
  service = await startService('embedded', { isExclusive: true });
});
afterAll(() => service?.stop());

const mneme = (key: string, ...args: string[]): Promise<CliResult> =>
  runCli(args, { MNEME_URL: service.url, MNEME_API_KEY: key });

/** An account with one memory whose vector is lost. */
async function damaged(): Promise<{ id: string; memory: string; key: string }> {
  const { id, key, client } = await service.createAccount();
  const { id: memory } = await client.memories.create({ body: { content: 'Ana drinks tea.' } });
  const { db } = service.running.context.app.engine;
  await db.deleteFrom('vectors').where('document_id', '=', memory).execute();
  return { id, memory, key };
}

describe('mneme verify', () => {
  it('says that nothing is wrong, how much it looked at, and how far it was', async () => {
    const { id, client } = await service.createAccount();
    await client.memories.create({ body: { content: 'Ana prefers coffee.' } });
    const ran = await mneme(service.adminKey, 'verify', '--account', id);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^accounts +1$/m);
    expect(ran.stdout).toMatch(/^documents +1$/m);
    expect(ran.stdout).toMatch(/^errors +0$/m);
    expect(ran.stderr).toMatch(/\[=+\] 100 % {2}\d+ rows, 0 errors\n$/);
  });

  it('tells what is wrong and fails', async () => {
    const { id, memory } = await damaged();
    const { code, stdout, stderr } = await mneme(service.adminKey, 'verify', '--account', id);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^documents +vector_missing +${id} +${memory} +no vector of .+$`, 'm'),
    );
    expect(stderr).toMatch(/mneme: faults_found: 1 error found\.\n$/);
  });

  it('prints one JSON value, and the failure beside it', async () => {
    const { id, memory } = await damaged();
    const ran = await mneme(service.adminKey, 'verify', '--account', id, '--json');
    expect(ran).toMatchObject({ code: 1, stderr: 'mneme: faults_found: 1 error found.\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'completed',
      faults_left: 1,
      faults: [{ account_id: id, check: 'documents', code: 'vector_missing', id: memory }],
    });
  });

  it('mends what it finds when it is told to, and is content then', async () => {
    const { id } = await damaged();
    const ran = await mneme(service.adminKey, 'verify', '--account', id, '--repair');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/ \(repaired\)$/m);
    expect((await mneme(service.adminKey, 'verify', '--account', id)).code).toBe(0);
  });

  it('proves that something erased is gone', async () => {
    const { id, client } = await service.createAccount();
    const { id: memory } = await client.memories.create({ body: { content: 'Ana likes figs.' } });
    const erased = () => mneme(service.adminKey, 'verify', '--erased', memory);
    expect(await erased()).toMatchObject({ code: 1, stderr: expect.stringMatching(/not_found/) });
    await client.memories.remove({ params: { id: memory } });
    const early = await erased();
    expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/^mneme: faults_found/) });
    expect(early.stdout).toMatch(/content in events \(1 row\)/);
    const { app } = service.running.context;
    await removeErasedContent(app, { shouldYield: () => false });
    const { code, stdout } = await erased();
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^erased +memory of account ${id}, `, 'm'));
    expect(stdout).toMatch(/^logical +complete: no row contains it$/m);
    expect(stdout).toMatch(/^physical +/m);
  });

  it('names copies of the search index that can still have it', async () => {
    const { id, client } = await service.createAccount();
    const { id: memory } = await client.memories.create({ body: { content: 'Ana likes plums.' } });
    await client.memories.remove({ params: { id: memory } });
    const { app } = service.running.context;
    const folder = path.join(app.config.dataDir, 'index-segments');
    const segment = app.ids.uuid();
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${id}.${segment}.segment`), 'Ana likes plums.');
    await removeErasedContent(app, { shouldYield: () => false });
    const { code, stdout } = await mneme(service.adminKey, 'verify', '--erased', memory);
    // The logical part is complete.
    expect(code).toBe(0);
    expect(stdout).toMatch(/^physical +not complete$/m);
    expect(stdout).toMatch(new RegExp(` index segment from before, .+: ${segment}$`, 'm'));
  });

  it('proves that everything erased since a time is gone, and names what is not', async () => {
    const { id, client } = await service.createAccount();
    const since = service.running.context.app.clock.now().toISOString();
    for (const content of ['Ana plays the oboe.', 'Ana lives in Ghent.']) {
      const { id: memory } = await client.memories.create({ body: { content } });
      await client.memories.remove({ params: { id: memory } });
    }
    const verify = (...args: string[]) =>
      mneme(service.adminKey, 'verify', '--account', id, '--erased-since', ...args);
    const early = await verify(since);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/^mneme: faults_found/) });
    expect(early.stdout).toMatch(/^.+ {2}memory {6} {2}\S+ {2}content in events \(1 row\).*$/m);
    await removeErasedContent(service.running.context.app, { shouldYield: () => false });
    const { code, stdout } = await verify(since);
    expect(code).toBe(0);
    expect(stdout.match(/^.+ {2}memory {6} {2}\S+ {2}complete$/gm)).toHaveLength(2);
    expect(stdout).toMatch(/^logical +complete: 2 of 2$/m);
    expect(JSON.parse((await verify('1h', '--json')).stdout)).toHaveLength(2);
    expect(JSON.parse((await verify('+1h', '--json')).stdout)).toEqual([]);
  });

  it('says where ids of erasures are, for an id that was not erased', async () => {
    const { code, stderr } = await mneme(service.adminKey, 'verify', '--erased', 'ana');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'mneme: not_found: Nothing with the id ana was erased: `mneme erasures` lists the ids of ' +
        'what was erased.\n',
    });
  });

  it('is for the operator alone', async () => {
    const { key } = await damaged();
    const { code, stderr } = await mneme(key, 'verify');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mneme: insufficient_permissions: /);
  });
});
