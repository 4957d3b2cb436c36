import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable, programPath } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

/** What the library of the page offers for services of its vendor, unless it is switched off. */
const vendorText = new RegExp(
  [
    'ask ai|generate (?:mcp|sdk)|\\bshare\\b|\\bdeploy\\b|powered by|developer tools',
    'open (?:api )?client|open in|sign in|log in',
  ].join('|'),
  'i',
);
const vendorControl = /\bai\b|\bmcp\b|\bagents?\b|share|deploy|scalar|chatgpt|claude|sdk/i;

const viewport = { width: 1280, height: 900 };

describe.runIf(isAvailable('chromium'))('the reference page in a browser', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService('embedded');
    browser = await chromium.launch({
      executablePath: programPath('chromium') ?? '',
      // No name is resolved: what bypasses the routes of the page fails as well.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service.stop();
  });

  let page: Page;
  let elsewhere: string[];
  let violations: string[];
  beforeEach(async () => {
    [elsewhere, violations] = [[], []];
    page = await browser.newPage({ viewport });
    const isOwn = (url: string) => new URL(url).origin === new URL(service.url).origin;
    page.on('request', (request) => {
      if (!isOwn(request.url()) && !/^(?:data|blob):/.test(request.url())) {
        elsewhere.push(request.url());
      }
    });
    // A request that the policy of the page refuses is an attempt, too.
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    page.setDefaultTimeout(120_000);
    await page.route('**/*', (route) =>
      isOwn(route.request().url()) ? route.continue() : route.abort(),
    );
    await page.routeWebSocket(/.*/, (socket) => {
      elsewhere.push(socket.url());
    });
  });
  afterEach(() => page.close());

  const open = async (fragment = '') => {
    await page.goto(`${service.url}/docs${fragment}`);
    const summary = fragment === '' ? 'Store a memory' : 'Create a webhook';
    await page.getByRole('heading', { name: summary, exact: true }).waitFor();
  };
  const openClient = async () => {
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().waitFor();
  };
  const search = async (words: string) => {
    await page.keyboard.press('Control+k');
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('searchbox'))
      .fill(words);
    await page
      .getByRole('option', { name: /List sender rules/ })
      .first()
      .waitFor();
  };
  // A load of the page takes many seconds: a test checks all that one load shows.
  it('shows operations, finds them by words, and sends to this service only', async () => {
    await open();
    await expectVisible(page, 'Store, read, change and delete memories');
    await expectVisible(page, 'When the 201 arrives, the memory is durable');
    await expectNothingOfOthers();
    await search('sender rules');
    await expectNothingOfOthers();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openClient();
    await expectNothingOfOthers();
    const answered = page.waitForResponse((response) => response.url().includes('/v1/memories'));
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.url()).toBe(`${service.url}/v1/memories`);
    expect(answer.status()).toBe(401);
    expect(elsewhere).toEqual([]);
    expect(violations).toEqual([]);
  });

  it('shows the operation that an address names', async () => {
    await open('#tag/webhooks/POST/webhooks');
    const heading = page.getByRole('heading', { name: 'Create a webhook', exact: true });
    await page.waitForFunction(
      ({ element, height }) => {
        const { top, bottom } = element?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
        return top >= 0 && bottom <= height;
      },
      { element: await heading.elementHandle(), height: viewport.height },
    );
    await expectNothingOfOthers();
  });

  /** The page has loaded nothing from elsewhere, and offers nothing of a vendor. */
  async function expectNothingOfOthers(): Promise<void> {
    await page.waitForLoadState('networkidle');
    expect(elsewhere).toEqual([]);
    expect(violations).toEqual([]);
    const offers = page.getByText(vendorText).filter({ visible: true });
    expect(await offers.allTextContents()).toEqual([]);
    const controls = page.locator('a, button, [role=button], [role=menuitem]');
    const shown = controls.filter({ visible: true });
    const names = await shown.evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => vendorControl.test(name))).toEqual([]);
    const links = await page
      .locator('a[href]')
      .filter({ visible: true })
      .evaluateAll((elements) => elements.map((element) => (element as { href?: string }).href));
    expect(links.filter((link) => !link?.startsWith(`${service.url}/`))).toEqual([]);
  }
});

async function expectVisible(page: Page, text: string): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}
