import type { Client } from '@mneme/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import {
  memoriesOfTopic,
  runFullClustering,
  storeMemories,
} from '../clusters/clusterable-memories.ts';
import {
  type ConsoleBrowser,
  colorRules,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

/** With a cluster, and on narrow screens, it is among the views of console-views.ts. */
describe.runIf(isAvailable('chromium'))('the map of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  /** An account with three topics of 12 memories, and its map. */
  async function scene(prefix = '') {
    const { client, key } = await console.service.createAccount();
    const ids: string[] = [];
    for (const topic of [0, 1, 2]) {
      const bodies = memoriesOfTopic(topic, 12);
      ids.push(
        ...(await storeMemories(
          client,
          bodies.map((body) => ({ ...body, content: `${prefix}${body.content}` })),
        )),
      );
    }
    await runFullClustering(client);
    return { client, key, ids };
  }

  const label = (page: Page) => page.locator('.map-label').first();
  const activeClusters = async (client: Client) => (await client.clusters.map({})).clusters;
  /** The pixels of the map, to see that it changes. */
  const drawn = (page: Page) =>
    page.evaluate<string>(`document.querySelector('.map-canvas').toDataURL()`);
  const middleOf = async (page: Page) => {
    const box = await page.locator('.map-frame').boundingBox();
    if (box === null) throw new Error('The map has no place.');
    const { width, height } = box;
    return { x: box.x + width / 2, y: box.y + height / 2, width, height };
  };

  it('is made by a button when there is none, with its progress', async () => {
    const { client, key } = await console.service.createAccount();
    for (const topic of [0, 1]) await storeMemories(client, memoriesOfTopic(topic, 12));
    const { page, faults } = await console.open('/map', key);
    await page.getByRole('button', { name: 'Make the map' }).click();
    await page.getByRole('status').filter({ hasText: 'Making the map' }).waitFor();
    await label(page).waitFor();
    await page.getByText('24 memories in 2 clusters').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a text on hover, opens the memory on click, and moves and zooms by mouse', async () => {
    const { key } = await scene();
    const { page, faults } = await console.open('/map', key);
    await label(page).waitFor();
    const frame = await middleOf(page);
    const before = await drawn(page);
    await page.mouse.move(frame.x, frame.y);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => drawn(page)).not.toBe(before);
    const zoomed = await drawn(page);
    await page.mouse.move(frame.x + 200, frame.y + 150);
    await page.mouse.down();
    await page.mouse.move(frame.x + 100, frame.y + 100, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => drawn(page)).not.toBe(zoomed);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => drawn(page)).toBe(before);
    const tooltip = page.getByRole('tooltip');
    // The name of a cluster is in the middle of its points.
    const name = await label(page).boundingBox();
    for (let i = 0; i < 200 && (await tooltip.count()) === 0; i += 1) {
      const [across, up] = [-90 + 20 * (i % 10), 14 + 6 * Math.floor(i / 20)];
      const side = i % 20 < 10 ? -up : up;
      await page.mouse.move(
        (name?.x ?? 0) + (name?.width ?? 0) / 2 + across,
        (name?.y ?? 0) + (name?.height ?? 0) / 2 + side,
      );
    }
    await tooltip.getByText(/^Note \d+ about/).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await page.locator('.detail .content', { hasText: /^Note \d+ about/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('id')).not.toBeNull();
    expect(faults).toEqual([]);
  });

  it('is used with the keyboard alone: move, zoom, clusters, selection and undo', async () => {
    const { client, key } = await scene();
    const { page, faults } = await console.open('/map', key);
    await label(page).waitFor();
    await page.locator('.map-frame').focus();
    for (const pressed of ['ArrowLeft', 'ArrowDown', '+', '-']) {
      const before = await drawn(page);
      await page.keyboard.press(pressed);
      await expect.poll(() => drawn(page)).not.toBe(before);
    }
    await page.keyboard.press('Tab');
    const [first] = await activeClusters(client);
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toContain('12 memories');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Select all 12' }).waitFor();
    await page.keyboard.press('x');
    await page.getByText('12 memories selected').waitFor();
    await page.keyboard.press('#');
    await page.getByText('Deleted 12 memories.').waitFor();
    await page.getByText('24 memories in 2 clusters').waitFor();
    await page.keyboard.press('z');
    await page.getByText('36 memories in 3 clusters').waitFor();
    expect(first?.memory_count).toBe(12);
    expect(faults).toEqual([]);
  });

  it('selects with a lasso, and tags what is selected', async () => {
    const { client, key, ids } = await scene();
    const { page } = await console.open('/map', key);
    await label(page).waitFor();
    const { x, y, width, height } = await middleOf(page);
    await page.keyboard.press('s');
    await page.mouse.move(x - width / 2 + 4, y - height / 2 + 4);
    await page.mouse.down();
    for (const [dx, dy] of [
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      const corner = [x + dx * (width / 2 - 4), y + dy * (height / 2 - 4)] as const;
      await page.mouse.move(...corner, { steps: 3 });
    }
    await page.mouse.up();
    await page.getByText('36 memories selected').waitFor();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByLabel('Add tags').fill('seen');
    await page.getByRole('button', { name: 'Tag 36 memories' }).click();
    await page.getByText('Tagged 36 memories.').waitFor();
    const { tags } = await client.memories.get({ params: { id: ids[35] ?? '' } });
    expect(tags).toEqual(['seen']);
  });

  it('has its clusters and memories as a list of texts', async () => {
    const { client, key } = await scene();
    const { page } = await console.open('/map', key);
    const [{ name } = { name: '' }] = await activeClusters(client);
    const panel = page.getByRole('region', { name: 'Clusters' });
    await panel.getByLabel('Find a cluster').fill(name);
    await panel.getByRole('button', { name }).click();
    const texts = page.locator('.map-texts button');
    await expect.poll(() => texts.count()).toBe(12);
    await texts.first().click();
    await page.locator('.detail .content').waitFor();
  });

  it('shows hostile texts as texts', async () => {
    const { key } = await scene('<img src=x onerror="document.title=1">\u202e');
    const { page, faults } = await console.open('/map', key);
    await label(page).waitFor();
    await page.locator('.map-clusters button').first().click();
    await page.locator('.map-texts button', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.locator('.map-page img').count()).toBe(0);
    expect(await page.title()).toBe('Mneme');
    expect(faults).toEqual([]);
  });

  it('has no serious faults of accessibility before a cluster is chosen', async () => {
    const { page } = await console.open('/map', (await scene()).key);
    await label(page).waitFor();
    for (const [colorScheme, rules] of [
      ['light', null],
      ['dark', colorRules],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findAccessibilityFaults(page, rules)).toEqual([]);
    }
  });

  it('draws 50,000 points with less than 25 ms of CPU time a frame', async () => {
    const frames = 40;
    const { page } = await console.open('/map', (await scene()).key);
    await page.route('**/v1/clusters/map*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Record<string, unknown[]> & {
        clusters: { memory_count: number }[];
      };
      const count = 50_000;
      const angle = (i: number) => i * 2.399_963;
      const points = Array.from({ length: count }, (_, i) => i);
      await route.fulfill({
        json: {
          ...answer,
          total_count: count,
          ids: points.map((i) => `019b8d1c-0000-7000-8000-${i.toString(16).padStart(12, '0')}`),
          x: points.map((i) => Math.sqrt(i / count) * Math.cos(angle(i))),
          y: points.map((i) => Math.sqrt(i / count) * Math.sin(angle(i))),
          cluster: points.map((i) => i % answer.clusters.length),
        },
      });
    });
    await page.reload();
    await page.getByText('50,000 memories').waitFor();
    await label(page).waitFor();
    const tab = await page.context().newCDPSession(page);
    await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readCpuMs = async () => {
      const { metrics } = await tab.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
    };
    const before = await readCpuMs();
    // Each frame with a step of the wheel.
    await page.evaluate(`(async () => {
      const frame = document.querySelector('.map-frame');
      for (let i = 0; i < ${frames}; i += 1) {
        frame.dispatchEvent(new WheelEvent('wheel', {
          deltaY: i % 2 ? 40 : -40, clientX: 600, clientY: 400, bubbles: true, cancelable: true,
        }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    })()`);
    const perFrame = ((await readCpuMs()) - before) / frames;
    expect(perFrame).toBeLessThan(25);
  });
});
