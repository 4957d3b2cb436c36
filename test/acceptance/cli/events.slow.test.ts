import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service.ts';
import { runCli } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/mneme.mjs', import.meta.url));

let service: Service;
beforeAll(async () => {
  service = await startService('embedded');
});
afterAll(() => service?.stop());

it('mneme events lists what happened, oldest first', async () => {
  const { client, key } = await service.createAccount();
  const { id } = await client.spaces.create({ body: { name: 'red' } });
  const memory = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
  const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
  const { code, stdout } = await runCli(['events'], env);
  const lines = stdout.trimEnd().split('\n');
  expect(code).toBe(0);
  expect(lines[0]).toMatch(new RegExp(`^\\S+Z {2}space.created +${id} {2}${id}$`));
  expect(lines[1]).toMatch(new RegExp(`^\\S+Z {2}memory.created +default {2}${memory.id}$`));
  const json = await runCli(['events', '--json', '--type', 'space.created'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({ type: 'space.created', data: { id } });
  const wrong = await runCli(['events', '--follow', '--type', 'space.painted'], env);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('validation_error');
});

it('mneme events --follow tells what happens from a place on, as it happens', async () => {
  const { client, key } = await service.createAccount();
  const cursor = (await client.events.list()).next_cursor ?? '';
  const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
  const child = spawn(process.execPath, [bin, 'events', '--follow', '--json', '--cursor', cursor], {
    env,
  });
  try {
    const told = async (): Promise<unknown> => {
      for await (const chunk of child.stdout.setEncoding('utf8')) return JSON.parse(chunk);
      return null;
    };
    const { id } = await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    expect(await told()).toEqual({
      event: expect.objectContaining({
        type: 'memory.created',
        data: expect.objectContaining({ id }),
      }),
      cursor: expect.any(String),
    });
  } finally {
    child.kill();
  }
});

it('mneme events --follow ends once nobody reads what it tells', async () => {
  const { client, key } = await service.createAccount();
  const env = { MNEME_URL: service.url, MNEME_API_KEY: key };
  const cursor = (await client.events.list()).next_cursor ?? '';
  const child = spawn(process.execPath, [bin, 'events', '--follow', '--cursor', cursor], { env });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  try {
    await client.memories.create({ body: { content: 'Ana prefers tea.' } });
    // What `head -n 1` does.
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    await client.memories.create({ body: { content: 'Ana has two cats.' } });
    expect(await ended).toBe(0);
  } finally {
    child.kill();
  }
});
