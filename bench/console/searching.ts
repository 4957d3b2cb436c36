import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { RunningServer } from '../servers.ts';

const keyDelayMs = 60;
/** After the results of one query, so that the address of the page has changed as well. */
const pauseMs = 600;

/** Of one query, in ms: from the last key until its results are painted, and the parts of it. */
interface SearchTimes {
  readonly total: number;
  /** Until the request is sent. */
  readonly pause: number;
  readonly request: number;
  /** From the last byte until the results are painted. */
  readonly render: number;
}

export interface SearchFigures {
  readonly times: readonly SearchTimes[];
  /** CPU time of the page for each search that was sent, in ms. */
  readonly pageCpuMs: number;
  /** CPU time of the server for each search that was sent, in ms, all that follows included. */
  readonly serverCpuMs: number;
}

/** In the page: notes the time of each key, and when the results of its text are painted. */
const observeResults = `
  window.lastKey = 0;
  window.painted = 0;
  window.isPainting = false;
  addEventListener('keydown', () => { window.lastKey = performance.now(); }, true);
  new MutationObserver(() => {
    const text = document.querySelector('.search-field input').value.trim();
    const shown = document.querySelector('.results:not([data-stale])')?.ariaLabel;
    const isDone = window.painted > window.lastKey || window.isPainting;
    if (isDone || shown !== 'Results for “' + text + '”') return;
    window.isPainting = true;
    requestAnimationFrame(() => setTimeout(() => {
      window.painted = performance.now();
      window.isPainting = false;
    }));
  }).observe(document.getElementById('content'), {
    subtree: true, childList: true, characterData: true, attributes: true,
  });`;

/** In the page: the times of the last search. */
const readTimes = `(() => {
  const entry = performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('/v1/search')).at(-1);
  return {
    total: painted - lastKey,
    pause: entry.startTime - lastKey,
    request: entry.responseEnd - entry.startTime,
    render: painted - entry.responseEnd,
  };
})()`;

/** Types each query at the pace of a fast typist on the page Search, which is open. */
export async function measureSearches(
  page: Page,
  server: RunningServer,
  queries: readonly string[],
): Promise<SearchFigures> {
  const field = page.getByRole('searchbox');
  await field.waitFor();
  await page.evaluate(observeResults);
  const tab = await page.context().newCDPSession(page);
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readPageCpu = async () => {
    const { metrics } = await tab.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const search = async (query: string): Promise<SearchTimes> => {
    await field.fill('');
    await page.evaluate('performance.clearResourceTimings()');
    await page.keyboard.type(query, { delay: keyDelayMs });
    await waitUntilPainted(page);
    const times = await page.evaluate<SearchTimes>(readTimes);
    await wait(pauseMs);
    return times;
  };
  let sent = 0;
  // The first one loads the index of the account.
  await search(queries[0] ?? '');
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/search')) sent += 1;
  });
  const before = { page: await readPageCpu(), server: await server.cpuSeconds() };
  const times: SearchTimes[] = [];
  for (const query of queries) times.push(await search(query));
  const pageCpuMs = ((await readPageCpu()) - before.page) / sent;
  const serverCpuMs = (((await server.cpuSeconds()) - before.server) * 1_000) / sent;
  return { times, pageCpuMs, serverCpuMs };
}

/** Its policy forbids polling in the page. */
async function waitUntilPainted(page: Page): Promise<void> {
  for (let i = 0; i < 400; i += 1) {
    if (await page.evaluate<boolean>('painted > lastKey')) return;
    await wait(20);
  }
  throw new Error('No results were painted within 8 seconds.');
}
