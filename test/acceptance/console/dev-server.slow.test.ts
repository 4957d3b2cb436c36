import path from 'node:path';
import type { Page } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

const folder = path.resolve(import.meta.dirname, '../../../packages/console');

describe.runIf(isAvailable('chromium'))('npm run dev', () => {
  let console: ConsoleBrowser;
  let server: ViteDevServer;
  beforeAll(async () => {
    console = await startConsoleBrowser();
    const before = process.env.MNEME_URL;
    process.env.MNEME_URL = console.service.url;
    try {
      server = await createServer({
        configFile: path.join(folder, 'vite.config.ts'),
        cacheDir: await makeTestFolder(),
        logLevel: 'error',
        server: { port: 0 },
      });
      await server.listen();
    } finally {
      if (before === undefined) delete process.env.MNEME_URL;
      else process.env.MNEME_URL = before;
    }
  });
  afterAll(async () => {
    await server.close();
    await console[Symbol.asyncDispose]();
  });

  /** The page signs in without a key, which the server accepts from its own origin only. */
  async function open(): Promise<Page> {
    const { client } = await console.service.createAccount();
    const body = { expires_in: 900, renewable_for: 43_200, single_use: true };
    const { token } = await client.auth.createToken({ body });
    const page = await (await console.browser.newContext()).newPage();
    await page.goto(`${server.resolvedUrls?.local[0]}#token=${token}`);
    return page;
  }

  it('shows the console of a running server, and takes changes without a reload', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    await page.evaluate('window.isTheSamePage = true');
    const file = path.join(folder, 'src/memories/no-memories.tsx');
    const [changed] = server.environments.client.moduleGraph.getModulesByFile(file) ?? [];
    if (changed === undefined) throw new Error('The page has not loaded the file.');
    const update = page.waitForRequest(/no-memories\.tsx\?t=/);
    await server.environments.client.reloadModule(changed);
    await update;
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    expect(await page.evaluate('window.isTheSamePage')).toBe(true);
  });
});
