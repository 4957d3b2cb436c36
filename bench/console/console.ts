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
import { measureScrolling, serveMemories } from './scrolling.ts';
import { measureSearches, type SearchFigures } from './searching.ts';

const firstPaintMsMax = 1_000;
const interactiveMsMax = 2_000;
const resultsMsMax = 150;
const frameMsMax = 12;

interface Size {
  readonly memories: number;
  /** In the list that scrolls. */
  readonly scrolledMemories: number;
  readonly loads: number;
  readonly searches: number;
  readonly frames: number;
}

const fullSize: Size = {
  memories: 5_000,
  scrolledMemories: 50_000,
  loads: 10,
  searches: 40,
  frames: 600,
};
const quickSize: Size = {
  memories: 200,
  scrolledMemories: 1_000,
  loads: 2,
  searches: 4,
  frames: 60,
};

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
  await measureList(size, say);
  for (const memories of options.memories ?? [size.memories]) {
    await measureUse({ ...size, memories }, say);
  }
  return [];
}

/** Runs in a browser and a server with new memories; background work goes on. */
async function withConsole(
  name: 'embedded' | 'embedded (static)',
  contents: readonly string[],
  run: (browser: Browser, server: RunningServer) => Promise<void>,
): Promise<void> {
  await using installation = await createInstallation(name, {
    databaseUrl: null,
    profileDir: null,
  });
  const server = await installation.start();
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    using client = new ApiClient(server, 2);
    await client.run(bulkCreateRequests(contents));
    await run(browser, server);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function generateTexts(count: number): Promise<string[]> {
  const texts = createTextGenerator(await readVocabulary(), 1);
  return Array.from({ length: count }, () => texts.memory());
}

function sayBar(say: Print, name: string, values: readonly number[], max: number): void {
  const isHeld = quantile(values, 0.95) <= max;
  say(renderVerdict(isHeld, `${name} ${medianAndP95(values)} (${max})`));
}

async function measureUse(size: Size, say: Print): Promise<void> {
  const { memories, loads, searches } = size;
  say(`\nConsole with ${memories} memories: ${loads} loads, ${searches} searches`);
  const contents = await generateTexts(memories);
  await withConsole('embedded', contents, async (browser, server) => {
    await server.waitUntilIdle();
    const opened = await measureLoads(browser, server, loads);
    sayBar(say, 'first paint', opened.firstPaintMs, firstPaintMsMax);
    sayBar(say, 'first memories', opened.interactiveMs, interactiveMsMax);
    const queries = contents
      .slice(0, searches)
      .map((text) => text.split(' ').slice(0, 3).join(' '));
    const page = await browser.newPage();
    await signIn(page, server);
    await page.keyboard.press('/');
    saySearches(say, await measureSearches(page, server, queries));
    for (const figures of await measureNeighbourhoods(server, searches)) {
      say(neighbourhoodLine(figures));
    }
  });
}

/** Enough for a page of the list. */
const storedMemories = 100;

/** Of the main thread alone: the pages of the list are made here, in the form of the server's. */
async function measureList({ scrolledMemories: memories, frames }: Size, say: Print) {
  say(`\nList of ${memories} memories: ${frames} frames at its end`);
  const contents = await generateTexts(memories);
  const stored = contents.slice(0, storedMemories);
  await withConsole('embedded (static)', stored, async (browser, server) => {
    const page = await browser.newPage();
    await serveMemories(page, contents);
    await signIn(page, server);
    const work = await measureScrolling(browser, page, { memories, frames });
    sayBar(say, 'work per frame while scrolling', work, frameMsMax);
  });
}

function saySearches(say: Print, { times, pageCpuMs, serverCpuMs }: SearchFigures): void {
  const share = (part: 'total' | 'pause' | 'request' | 'render') => times.map((one) => one[part]);
  sayBar(say, 'results after the last key', share('total'), resultsMsMax);
  for (const part of ['pause', 'request', 'render'] as const) {
    say(`  of these, ${part} ${medianAndP95(share(part))}`);
  }
  say(`  CPU time of a search: page ${pageCpuMs.toFixed(1)}, server ${serverCpuMs.toFixed(1)} ms`);
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
  await page.locator('.row[role="option"]').first().waitFor();
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
    await page.locator('.row[role="option"]').first().waitFor();
    interactiveMs.push(await page.evaluate<number>('performance.now()'));
    firstPaintMs.push(await page.evaluate<number>(firstContentfulPaint));
    await context.close();
  }
  return { firstPaintMs, interactiveMs };
}
