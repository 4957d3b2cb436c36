import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import {
  createDataLocation,
  launchServer,
  startServerProcess,
} from '../../support/server-process.ts';

const entry = fileURLToPath(new URL('../../../packages/server/bin/start.mjs', import.meta.url));

describe.runIf(isAvailable('terminal'))('the first start', () => {
  it('prints the first admin key and a sign-in link once, to a terminal only', async () => {
    const place = await createDataLocation('embedded');
    const server = `'${process.execPath}' '${entry}'`;
    const terminal = launchServer(place, { command: ['script', '-qfec', server, '/dev/null'] });
    await terminal.waitForOutput(/--data-urlencode/);
    expect(terminal.output()).toMatch(/INFO.*Server listening/);
    const key = (await readFile(path.join(place.dataDir, 'admin-key'), 'utf8')).trim();
    expect(terminal.output().split(key)).toHaveLength(2);
    const [link = '', url, token = ''] =
      /(http:\S+)\/console#token=([\w.-]+)/.exec(terminal.output()) ?? [];
    expect(terminal.output().split(link)).toHaveLength(2);
    const client = createClient({ url: url ?? '' });
    const session = await client.auth.renewToken({ body: { token } });
    expect((await createClient({ url, apiKey: session.token }).account.get()).name).toBe('default');
    await expect(client.auth.renewToken({ body: { token } })).rejects.toMatchObject({
      status: 401,
    });
    // Any other process with the key in its output fails so, too.
    const ended = expect(terminal.ended).rejects.toThrow('A secret was logged');
    await Promise.all([ended, terminal.kill('SIGTERM', 'group').catch(() => undefined)]);
    await place.remove();
  });
});

describe('the output of a start', () => {
  it.each([
    [
      '0.0.0.0',
      {},
      /^http:\/\/127\.0\.0\.1:\d+$/,
      /^\{"level":"info","time":"\d{4}-.*Z",.*"msg":"Server listening/m,
    ],
    [
      '127.0.0.1',
      { MNEME_PUBLIC_URL: 'https://mneme.example.com', MNEME_LOG_FORMAT: 'pretty' },
      /^https:\/\/mneme\.example\.com$/,
      /^\[\d{4}-.*\] INFO: Server listening/m,
    ],
  ])('has addresses that can be opened, and JSON or text: on %s with %j', async (...row) => {
    const [MNEME_HOST, settings, address, logLine] = row;
    const place = await createDataLocation('embedded');
    await using server = await startServerProcess(place, { env: { MNEME_HOST, ...settings } });
    await server.waitForOutput(/fail to run\?'$/m);
    const [, page] = await server.waitForOutput(/The console is at (\S+)\/console$/m);
    expect(page).toMatch(address);
    expect(server.output()).toMatch(logLine);
    expect(server.output()).toContain(`curl -s ${page}/v1/memories`);
    expect(server.output()).toContain(`API reference: ${page}/docs`);
    expect(server.output().includes('and all other addresses of this machine')).toBe(
      MNEME_HOST === '0.0.0.0',
    );
    expect(server.output()).not.toContain('http://0.0.0.0');
    await server.kill('SIGTERM');
    await place.remove();
  });
});
