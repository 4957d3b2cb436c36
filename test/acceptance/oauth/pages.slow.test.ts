import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable, programPath } from '../../support/requirements.ts';
import {
  createPkce,
  exchangeCode,
  type OAuthService,
  requestFields,
  startOAuthService,
  toForm,
} from './oauth-service.ts';

describe.runIf(isAvailable('chromium'))('the pages of OAuth in a browser', () => {
  let service: OAuthService;
  let key = '';
  let browser: Browser;
  /** A site of the client, or of somebody else. */
  let site: { readonly url: string; html: string };
  let closeSite: () => void;
  beforeAll(async () => {
    service = await startOAuthService('embedded');
    ({ key } = await service.createAccount());
    browser = await chromium.launch({
      executablePath: programPath('chromium') ?? '',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(site.html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Another site than the service, because of its name.
    site = { url: `http://localhost:${(server.address() as AddressInfo).port}`, html: 'Connected' };
    closeSite = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(async () => {
    await browser?.close();
    closeSite?.();
    await service.stop();
  });

  let context: BrowserContext;
  let page: Page;
  let violations: string[];
  beforeEach(async () => {
    violations = [];
    context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
    page.setDefaultTimeout(50_000);
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
  });
  afterEach(() => context.close());

  const requestOf = (pkce = createPkce()) => {
    const url = 'https://local.example.com/client.json';
    service.documents.add(url, { redirect_uris: [`${site.url}/callback`] });
    const client = { client_id: url, redirect_uri: `${site.url}/callback` };
    const fields = requestFields(service.url, pkce, client);
    return { pkce, client, link: `${service.url}/oauth/authorize?${toForm(fields)}` };
  };
  /** Tabs until the control with this name has the focus. */
  const tabTo = async (role: 'button' | 'checkbox' | 'radio' | 'textbox', name: RegExp) => {
    const control = page.getByRole(role, { name });
    for (let i = 0; i < 30; i += 1) {
      if ((await control.and(page.locator(':focus')).count()) === 1) return control;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${role} ${name} cannot be reached with the keyboard`);
  };

  it('work with the keyboard alone and without scripts, from the client and back', async () => {
    const { pkce, client, link } = requestOf();
    site.html = `<a id="connect" href="${link.replaceAll('&', '&amp;')}">Connect</a>`;
    await page.goto(site.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sign in to Mneme' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    // The field has the focus already.
    await page.keyboard.type('mnk_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Allow Test client/ }).waitFor();
    const write = await tabTo('checkbox', /Store and delete/);
    await page.keyboard.press('Space');
    expect(await write.isChecked()).toBe(false);
    site.html = 'Connected';
    await tabTo('button', /^Allow$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}/callback?**`);
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const { body } = await exchangeCode(service, {
      grant_type: 'authorization_code',
      code,
      code_verifier: pkce.verifier,
      ...client,
    });
    expect(body.scope).toBe('memories:read search:read knowledge:read relationships:read');
    expect(violations).toEqual([]);
  });

  it('have a name for each control, and text that can be read', async () => {
    await page.goto(requestOf().link);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /^Allow/ }).waitFor();
    for (const control of await page.locator('input:not([type=hidden]), button').all()) {
      const snapshot = await control.ariaSnapshot();
      expect(snapshot).toMatch(/^- '?(?:checkbox|radio|textbox|button) "[^"]+"/);
    }
    expect(await page.getByRole('group', { name: 'It may' }).count()).toBe(1);
    expect(await page.getByRole('note').textContent()).toContain('Caution');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${site.url}/callback?error=access_denied**`);
  });

  it('stay empty in a frame of another site', async () => {
    site.html = `<iframe src="${requestOf().link.replaceAll('&', '&amp;')}"></iframe>`;
    await page.goto(site.url);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(frame).toBeDefined();
    expect(await frame?.locator('form').count()).toBe(0);
    expect(frame?.url()).toMatch(/^chrome-error:/);
  });

  it('ignore a form of another site, also of a person who is signed in', async () => {
    const { link } = requestOf();
    await page.goto(link);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /^Allow/ }).waitFor();
    const action = link.replace('/authorize?', '/consent?').replaceAll('&', '&amp;');
    site.html = `<form method="post" action="${action}">
      <input name="decision" value="allow"><button>Win a prize</button></form>`;
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Win a prize' }).click();
    await page.waitForURL(`${service.url}/oauth/consent?**`);
    expect(await page.locator('body').textContent()).toMatch(/not allowed|another site/);
    expect((await service.client(key).grants.list()).data).toHaveLength(1);
  });
});
