import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../support/service.ts';
import { runCli } from './run-cli.ts';

let service: Service;
let folder = '';
beforeAll(async () => {
  service = await startService('embedded', { isExclusive: true });
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-cli-'));
});
afterAll(async () => {
  await service?.stop();
  await fs.rm(folder, { recursive: true, force: true });
});

/** Another web server than Mneme, on a port of its own; free again when the callback ends. */
async function withServer<T>(
  answer: { status: number; type: string; body: string },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('mneme, when the service refuses', () => {
  it('gives a line to each faulty field', async () => {
    const env = { MNEME_URL: service.url, MNEME_API_KEY: service.adminKey };
    const ran = await runCli(['accounts', 'create', '--name', '', '--plan', 'gold', '--json'], env);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    const [head, ...fields] = ran.stderr.trimEnd().split('\n');
    expect(head).toMatch(/^mneme: validation_error: .+/);
    expect(fields.sort()).toEqual([
      expect.stringMatching(/^ {2}name: .+ \(invalid_range\)$/),
      expect.stringMatching(/^ {2}plan: .+ \(invalid_enum_value\)$/),
    ]);
  });

  it('leaves the bounds of numbers to the service', async () => {
    const env = { MNEME_URL: service.url, MNEME_API_KEY: service.adminKey };
    const { code, stderr } = await runCli(['search', 'tea', '--limit', '1000'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mneme: validation_error: .+\n {2}limit: .*100.* \(invalid_range\)\n$/);
  });

  it('shows a wrong key for what it is', async () => {
    const { code, stderr } = await runCli(['keys', 'list'], {
      MNEME_URL: service.url,
      MNEME_API_KEY: 'mnk_wrong',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mneme: invalid_api_key: .+\n$/);
  });
});

describe('mneme, when it is used wrongly', () => {
  it.each([
    [['add', 'tea', '--colour', 'green']],
    [['brew']],
    [['add']],
    [['add', 'tea', '--file', 'tea.txt']],
    [['add', 'tea', '--title', 'Tea']],
    [['add', 'tea', '--wait']],
    [['accounts', 'get', 'a', 'b']],
    [['accounts', 'get', '..']],
    [['accounts', 'update', 'x']],
    [['accounts', 'update', 'x', '--suspend', '--resume']],
    [['search', 'tea', '--limit', 'many']],
  ])('sends nothing and exits with 2: %j', async (args) => {
    const ran = await runCli(args, { MNEME_URL: 'http://127.0.0.1:9' });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^mneme: usage: .+\n/);
  });
});

describe('mneme, when something is missing', () => {
  it('says how to give a key, and where it looked for one', async () => {
    const ran = await runCli(['keys', 'list'], { MNEME_URL: service.url, MNEME_DATA_DIR: folder });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^mneme: missing_api_key: Set MNEME_API_KEY.+\n$/);
    expect(ran.stderr).toContain(path.join(folder, 'admin-key'));
  });

  it("takes the key from the service's data folder", async () => {
    const MNEME_DATA_DIR = service.config.dataDir;
    const ran = await runCli(['keys', 'list'], { MNEME_URL: service.url, MNEME_DATA_DIR });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it('says that nothing answers at the URL', async () => {
    const url = await withServer({ status: 200, type: '', body: '' }, async (free) => free);
    const ran = await runCli(['search', 'tea'], { MNEME_URL: url, MNEME_API_KEY: 'mnk_x' });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(
      `mneme: unreachable: No response from ${url} (ECONNREFUSED). ` +
        'Start the service, or check MNEME_URL.\n',
    );
  });

  it('does not take the page of another web server for an answer', async () => {
    const page = { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' };
    await withServer(page, async (MNEME_URL) => {
      for (const command of [['search', 'tea'], ['health']]) {
        const ran = await runCli(command, { MNEME_URL, MNEME_API_KEY: 'mnk_x' });
        expect(ran).toMatchObject({ code: 1, stdout: '' });
        expect(ran.stderr).toMatch(/^mneme: unexpected_answer: .+ is not Mneme.+\n$/);
      }
    });
  });
});

describe('mneme health', () => {
  it('needs no key', async () => {
    const { code, stdout } = await runCli(['health', '--json'], { MNEME_URL: service.url });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', checks: expect.any(Object) });
    const shown = await runCli(['health'], { MNEME_URL: service.url });
    expect(shown.stdout).toMatch(/^service +http:\S+\nstatus +ok\nversion +\S+\nuptime +\d+ s\n/);
  });

  it('shows what is wrong, and fails, when the service is not well', async () => {
    const checks = { database: { ok: false, detail: 'no answer' } };
    const health = { status: 'unavailable', uptime: 1, version: '1', timestamp: '', checks };
    const answer = { status: 503, type: 'application/json', body: JSON.stringify(health) };
    const ran = await withServer(answer, (MNEME_URL) => runCli(['health'], { MNEME_URL }));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('database  failing no answer\n');
    expect(ran.stderr).toBe('mneme: service_unavailable: The service is unavailable.\n');
  });
});
