import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';
import { buildConsole } from '../../support/built-console.ts';
import { programPath } from '../../support/requirements.ts';
import { type Service, type ServiceOptions, startService } from '../../support/service.ts';

interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** As a reader has set whose pages shall not move: layouts and transitions end at once. */
  readonly isStill?: boolean;
  /** Shares the context of this tab. The streams of more than five would wait for each other. */
  readonly beside?: Page;
  /** No other test gets the tab: this one replaces what no navigation restores, such as time. */
  readonly isSpoiled?: boolean;
}

export interface ConsoleBrowser extends AsyncDisposable {
  readonly service: Service;
  readonly browser: Browser;
  /**
   * A tab at a path below /console, as on a first visit. Signs in if there is a key. The next test
   * gets the tab again where a test has opened it; others stay until the end.
   */
  open(path: string, key?: string | null, options?: PageOptions): Promise<ConsolePage>;
}

interface ConsolePage {
  readonly page: Page;
  /** Errors of the page, violations of its policy, and requests to other hosts. */
  readonly faults: readonly string[];
}

/** Starts a service with the console as it is in the sources, and a browser. */
export async function startConsoleBrowser(options: ServiceOptions = {}): Promise<ConsoleBrowser> {
  buildConsole();
  const service = await startService('embedded', options);
  const browser = await chromium.launch({
    executablePath: programPath('chromium') ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const idle: Page[] = [];
  return {
    service,
    browser,
    async open(path, key = null, options = {}) {
      const kept = options.beside ? undefined : idle.pop();
      const page =
        kept ?? (await openTab(options.beside?.context() ?? (await browser.newContext())));
      await setUpTab(page, options);
      const faults = collectFaults(page, service.url);
      if (TestRunner.getCurrentTest()) {
        onTestFinished(async () => {
          if (options.isSpoiled) await page.context().close();
          else if (await clearTab(page, service.url)) idle.push(page);
        });
      }
      const link = key === null ? '' : `#token=${await createLinkToken(service, key)}`;
      await page.goto(`${service.url}/console${path}${link}`);
      // The page exchanges the token of the link first.
      if (key !== null) await page.locator('#content').waitFor({ state: 'attached' });
      return { page, faults };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service.stop();
    },
  };
}

/** To start the process of the first tab of a context takes longer than a test. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

async function setUpTab(page: Page, options: PageOptions): Promise<void> {
  const { colorScheme = 'light', width = 1_280, height = 800, isStill = false } = options;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: isStill ? 'reduce' : null });
}

/** Events of a page that tests listen to. */
const listenedTo = ['console', 'pageerror', 'request', 'response'];

/** Leaves the console and forgets the visit. False if the tab is closed. */
async function clearTab(page: Page, url: string): Promise<boolean> {
  if (page.isClosed()) return false;
  for (const event of listenedTo) page.removeAllListeners(event);
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page of the same origin, since another one would be a new process, without a script.
  await page.goto(`${url}/v1/livez`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  const tab = await page.context().newCDPSession(page);
  await tab.send('Network.clearBrowserCache');
  await tab.detach();
  return true;
}

/** Of a sign-in link, which needs one load of a page where the form needs two. */
async function createLinkToken(service: Service, key: string): Promise<string> {
  const body = { expires_in: 900, renewable_for: 43_200, single_use: true };
  return (await service.client(key).auth.createToken({ body })).token;
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
}

/** How much moved while the page loaded, as web vitals count it: not what follows a click. */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(sum)));
  })`);

function collectFaults(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    const isExpected = /status of 4\d\d/.test(message.text());
    if (/error|warning/.test(message.type()) && !isExpected) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const own = request.url().startsWith(`${url}/`) || request.url().startsWith('blob:');
    if (!own) faults.push(`request to ${request.url()}`);
  });
  return faults;
}

/** The rules of axe whose findings depend on the theme. */
export const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Serious and critical findings of axe, as `rule: elements`. Without `rules` by all of them. */
export async function findAccessibilityFaults(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<string[]> {
  // Motion changes colours for a moment; animations that are cancelled reject.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))',
  );
  await page.evaluate(`if (globalThis.axe === undefined) { ${axe.source}\n}`);
  const { violations } = await page.evaluate(
    // The function runs in the page, where the script above defined `axe`.
    (values) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(values && { runOnly: { type: 'rule', values: [...values] } }),
      }),
    rules,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
