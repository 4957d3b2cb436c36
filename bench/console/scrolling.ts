import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, which other processes of the machine do not lengthen. */
  readonly tdur?: number;
}

const categories = ['disabled-by-default-devtools.timeline'];
const pixelsPerFrame = 240;
const warmUpFrames = 60;
const rowPixels = 68;

const scroller = `document.querySelector('.list[role="listbox"]')`;

/** In the page: scrolls the list by a fixed distance in each frame. */
const scrollFrames = (frames: number): string => `new Promise((resolve) => {
  const scroller = ${scroller};
  let left = ${frames};
  const step = () => {
    scroller.scrollTop += ${pixelsPerFrame};
    left -= 1;
    if (left > 0) requestAnimationFrame(step);
    else resolve();
  };
  requestAnimationFrame(step);
})`;

/** In the page: scrolls to the end of what is loaded until so many rows are. */
const loadRows = (rows: number): string => `new Promise((resolve) => {
  const scroller = ${scroller};
  const step = () => {
    scroller.scrollTop = scroller.scrollHeight;
    if (scroller.scrollHeight >= ${rows * rowPixels}) resolve();
    else requestAnimationFrame(step);
  };
  step();
})`;

interface MemoryPage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

/** Answers the list of memories with these texts, in the form of the server's answer. */
export async function serveMemories(page: Page, contents: readonly string[]): Promise<void> {
  await page.route(/\/v1\/memories\?/, async (route) => {
    const url = new URL(route.request().url());
    const offset = Number(url.searchParams.get('cursor') ?? 0);
    url.searchParams.delete('cursor');
    const response = await route.fetch({ url: url.href });
    const { data, pagination } = (await response.json()) as MemoryPage;
    const next = offset + data.length;
    await route.fulfill({
      json: {
        data: data.map((memory, i) => {
          const id = `019b8d1c-0000-7000-8000-${(offset + i).toString(16).padStart(12, '0')}`;
          return { ...memory, id, content: contents[offset + i] ?? '' };
        }),
        pagination: {
          ...pagination,
          has_more: next < contents.length,
          next_cursor: next < contents.length ? `${next}` : null,
        },
      },
    });
  });
}

/**
 * CPU time of the main thread in each frame while the list of memories scrolls through its last
 * rows and loads the last pages, in ms. All rows before them are loaded.
 */
export async function measureScrolling(
  browser: Browser,
  page: Page,
  { memories, frames }: { readonly memories: number; readonly frames: number },
): Promise<number[]> {
  const measuredRows = Math.ceil(((frames + warmUpFrames) * pixelsPerFrame) / rowPixels);
  await page.evaluate(loadRows(Math.max(0, memories - measuredRows)));
  // What is called often is compiled.
  await page.evaluate(scrollFrames(warmUpFrames));
  await browser.startTracing(page, { categories });
  await page.evaluate(scrollFrames(frames));
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return workPerFrame(trace.traceEvents);
}

function workPerFrame(events: readonly TraceEvent[]): number[] {
  const begun = events.filter(({ name }) => name === 'BeginCommitCompositorFrame');
  const { pid, tid } = begun.at(-1) ?? { pid: 0, tid: 0 };
  const isOfPage = (event: TraceEvent) => event.pid === pid && event.tid === tid;
  const starts = begun
    .filter(isOfPage)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const work = starts.map(() => 0);
  for (const event of events) {
    if (!isOfPage(event) || event.name !== 'RunTask') continue;
    // A frame is committed within the task that renders it.
    const next = starts.findIndex((start) => start > event.ts + (event.dur ?? 0));
    const frame = (next === -1 ? starts.length : next) - 1;
    if (frame >= 0) work[frame] = (work[frame] ?? 0) + (event.tdur ?? event.dur ?? 0) / 1_000;
  }
  return work;
}
