import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ApiClient } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';
import { measureNeighbourhoods, type NeighbourhoodFigures } from './neighbourhoods.ts';
import { measureScrolling } from './scrolling.ts';

const firstPaintMsMax = 1_000;
const interactiveMsMax = 2_000;
const resultsMsMax = 150;
const frameMsMax = 12;
const keyDelayMs = 60;

interface Size {
  readonly memories: number;
  readonly loads: number;
  readonly searches: number;
  readonly frames: number;
}

const fullSize: Size = { memories: 5_000, loads: 10, searches: 40, frames: 600 };
const quickSize: Size = { memories: 200, loads: 2, searches: 4, frames: 60 };

/** In the page: notes the time of each key, and when the results of the last one are painted. */
const observeResults = `
  window.lastKey = 0;
  window.painted = 0;
  addEventListener('keydown', () => { window.lastKey = performance.now(); }, true);
  new MutationObserver(() => {
    if (document.querySelector('.results:not([data-stale])') === null) return;
    requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
  }).observe(document.getElementById('content'), {
    subtree: true, childList: true, characterData: true, attributes: true,
  });`;

/** In the page: the entry can come after the first memories. */
const firstContentfulPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [entry] = list.getEntriesByName('first-contentful-paint');
    if (entry !== undefined) resolve(entry.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** The console in Chromium: how fast it opens, answers the last key, and scrolls. */
export async function runConsole(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const size = options.quick ? quickSize : fullSize;
  for (const memories of options.memories ?? [size.memories]) {
    await measureSize({ ...size, memories }, say);
  }
  return [];
}

async function measureSize(size: Size, say: Print): Promise<void> {
  const { memories, loads, searches, frames } = size;
  say(`\nConsole with ${memories} memories: ${loads} loads, ${searches} searches`);
  const texts = createTextGenerator(await readVocabulary(), 1);
  const contents = Array.from({ length: memories }, () => texts.memory());
  const installation = await createInstallation('embedded', {
    databaseUrl: null,
    profileDir: null,
  });
  await using _installation = installation;
  const server = await installation.start();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    using client = new ApiClient(server, 2);
    await client.run(bulkCreateRequests(contents));
    await server.waitUntilIdle();
    const opened = await measureLoads(browser, server, loads);
    const queries = contents
      .slice(0, searches)
      .map((text) => text.split(' ').slice(0, 3).join(' '));
    const results = await measureSearches(browser, server, queries);
    const page = await browser.newPage();
    await signIn(page, server);
    const scrolling = await measureScrolling(browser, page, frames);
    const bars = [
      ['first paint', opened.firstPaintMs, firstPaintMsMax],
      ['first memories', opened.interactiveMs, interactiveMsMax],
      ['results after the last key', results, resultsMsMax],
      ['work per frame while scrolling', scrolling, frameMsMax],
    ] as const;
    for (const [name, values, max] of bars) {
      const isHeld = quantile(values, 0.95) <= max;
      say(renderVerdict(isHeld, `${name} ${medianAndP95(values)} (${max})`));
    }
    for (const figures of await measureNeighbourhoods(server, searches)) {
      say(neighbourhoodLine(figures));
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

const medianAndP95 = (values: readonly number[]): string => {
  const [median, p95] = [quantile(values, 0.5), quantile(values, 0.95)];
  return `${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
};

const neighbourhoodLine = ({ hops, millis, nodes }: NeighbourhoodFigures): string =>
  `neighbourhood of ${hops} hops ${medianAndP95(millis)}, ${quantile(nodes, 0.5)} nodes`;

async function signIn(page: Page, { url, apiKey }: RunningServer): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').fill(apiKey ?? '');
  await page.keyboard.press('Enter');
  await page.locator('.row').first().waitFor();
}

/** Reloads without a cache, as the first visit of a browser that is signed in. */
async function measureLoads(browser: Browser, server: RunningServer, loads: number) {
  const [firstPaintMs, interactiveMs]: [number[], number[]] = [[], []];
  for (let i = 0; i < loads; i += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, server);
    const tab = await context.newCDPSession(page);
    await tab.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.reload();
    await page.locator('.row').first().waitFor();
    interactiveMs.push(await page.evaluate<number>('performance.now()'));
    firstPaintMs.push(await page.evaluate<number>(firstContentfulPaint));
    await context.close();
  }
  return { firstPaintMs, interactiveMs };
}

async function measureSearches(
  browser: Browser,
  server: RunningServer,
  queries: readonly string[],
): Promise<number[]> {
  const page = await browser.newPage();
  await signIn(page, server);
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox');
  await field.waitFor();
  await page.evaluate(observeResults);
  const millis: number[] = [];
  // The first one loads the index of the account.
  for (const query of [queries[0] ?? '', ...queries]) {
    await field.fill('');
    await page.keyboard.type(query, { delay: keyDelayMs });
    await waitUntilPainted(page);
    millis.push(await page.evaluate<number>('painted - lastKey'));
  }
  return millis.slice(1);
}

/** Until nothing was painted for 300 ms after the last key; its policy forbids polling. */
async function waitUntilPainted(page: Page): Promise<void> {
  const isDone = 'painted > lastKey && performance.now() > painted + 300';
  for (let i = 0; i < 200; i += 1) {
    if (await page.evaluate<boolean>(isDone)) return;
    await wait(20);
  }
  throw new Error('No results were painted within 4 seconds.');
}
