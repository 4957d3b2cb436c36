import type { Client } from '@mneme/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

/** Where the motion proves nothing: the layout in steps takes longer than the rest of a test. */
const still = { isStill: true };

/** Accessible and narrow it is with hostile texts: see the views Graph in console-views.ts. */
describe.runIf(isAvailable('chromium'))('the graph of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  let client: Client;
  let key: string;
  beforeEach(async () => {
    ({ client, key } = await console.service.createAccount());
  });

  const remember = async (content: string) => {
    const { id } = await client.memories.create({ body: { content } });
    await client.knowledge.extract({ body: { memory_id: id } });
    return id;
  };
  const settled = (page: Page) => page.locator('.graph-frame[data-settled]').waitFor();
  const selected = (page: Page) => page.locator('#graph-selected').textContent();
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Selected node' });
  const canvas = (page: Page) => page.getByRole('application');
  /** How many nodes are in the graph, as the list tells. */
  const listed = async (page: Page) => {
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.locator('.graph-list').waitFor();
    const labels = await page.locator('.graph-list-label').allTextContents();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    return labels;
  };

  it('begins with a choice, and is laid out by a worker without faults', async () => {
    await remember('Ben lives in Porto.');
    const { page, faults } = await console.open('/graph', key);
    await page.getByLabel('Find an entity').fill('ben');
    await page.getByRole('link', { name: /Ben/ }).click();
    await settled(page);
    expect(page.workers()).toHaveLength(1);
    expect(await listed(page)).toEqual(
      expect.arrayContaining(['Ben', 'Porto', 'Ben lives in Porto.']),
    );
    await panel(page).getByText('Ben lives in Porto').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('is read and expanded with the keyboard alone', async () => {
    const id = await remember('Ben lives in Porto.');
    await remember('Mia lives in Porto.');
    const { page, faults } = await console.open(`/graph?memory=${id}`, key, still);
    await settled(page);
    await canvas(page).focus();
    const reached = new Set<string>();
    for (let i = 0; i < 24; i += 1) {
      const label = (await selected(page)) ?? '';
      reached.add(label);
      if (label.startsWith('Porto')) break;
      await page.keyboard.press(['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'][i % 4] ?? '');
    }
    expect(await selected(page)).toBe('Porto, location');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('button', { name: 'Collapse' }).waitFor();
    await panel(page).getByRole('button', { name: /Mia/ }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await selected(page)).not.toBe('Porto, location');
    expect(faults).toEqual([]);
  });

  it('is expanded by a click, moved and zoomed by the mouse', async () => {
    const id = await remember('Ben lives in Porto.');
    await remember('Mia lives in Porto.');
    const { page, faults } = await console.open(`/graph?memory=${id}`, key);
    await settled(page);
    const box = (await canvas(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.wheel(0, -200);
    await page.mouse.down();
    await page.mouse.move(middle.x + 60, middle.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Fit' }).click();
    await panel(page).getByRole('button', { name: /Porto/ }).first().click();
    await panel(page)
      .getByRole('button', { name: /^Expand/ })
      .click();
    await panel(page).getByRole('button', { name: /Mia/ }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('is filtered by type and time in its address, which survives a reload', async () => {
    const id = await remember('Ben lives in Porto.');
    const { page } = await console.open(`/graph?memory=${id}`, key, still);
    await settled(page);
    await page.getByRole('button', { name: /^person/ }).click();
    await expect.poll(() => listed(page)).not.toContain('Ben');
    await page.reload();
    await settled(page);
    expect(await listed(page)).not.toContain('Ben');
    expect(await listed(page)).toContain('Porto');
    const slider = page.getByLabel('Known at');
    await slider.press('Home');
    await page.getByText('Nothing is linked with it at these times').waitFor();
    expect(page.url()).toContain('knownAt');
  });

  it('is reached from the facts of a memory, which are read and not extracted', async () => {
    const id = await remember('Ben lives in Porto.');
    const { page, faults } = await console.open(`/memories?id=${id}`, key, still);
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(request.url());
    });
    await page.getByRole('tab', { name: 'Facts' }).click();
    await page.getByRole('link', { name: 'Ben person' }).waitFor();
    await page.getByRole('link', { name: 'Show in the graph' }).click();
    await settled(page);
    expect(await selected(page)).toBe('Ben lives in Porto., memory');
    expect(writes).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('draws each type in its colour, also where motion is reduced', async () => {
    const id = await remember('Ben lives in Porto.');
    const { page } = await console.open(`/graph?memory=${id}`, key, still);
    await settled(page);
    // The colours of the legend, and whether a pixel of the canvas has them.
    const drawn = await page.evaluate<boolean[]>(`(() => {
      const canvas = document.querySelector('.graph-canvas canvas');
      const probe = new OffscreenCanvas(1, 1).getContext('2d');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return [...document.querySelectorAll('.graph-types .graph-dot')].map((dot) => {
        probe.fillStyle = getComputedStyle(dot).backgroundColor;
        probe.fillRect(0, 0, 1, 1);
        const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
        for (let i = 0; i < data.length; i += 4) {
          if (data[i] === r && data[i + 1] === g && data[i + 2] === b) return true;
        }
        return false;
      });
    })()`);
    expect(drawn).toEqual([true, true, true]);
  });

  it('continues by itself after the server was away, and ends with the session', async () => {
    const id = await remember('Ben lives in Porto.');
    await remember('Mia lives in Porto.');
    const { page } = await console.open(`/graph?memory=${id}`, key, still);
    await settled(page);
    await panel(page).getByRole('button', { name: /Porto/ }).first().click();
    const expand = panel(page).getByRole('button', { name: /^Expand/ });
    await page.route('**/v1/knowledge/**', (route) => route.abort('connectionrefused'));
    await expand.click();
    await page.getByText('The server does not respond.').first().waitFor();
    await page.unroute('**/v1/knowledge/**');
    await panel(page).getByRole('button', { name: /Mia/ }).first().waitFor();
    for (const token of (await client.auth.listTokens()).data) {
      await client.auth.revokeToken({ params: { id: token.id } });
    }
    await page.getByLabel('Distance').selectOption('3');
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });

  it('is moved, zoomed and expanded by touch', async () => {
    const id = await remember('Ben lives in Porto.');
    const { page } = await console.open(`/graph?memory=${id}`, key, { width: 400 });
    await settled(page);
    const box = (await canvas(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[][]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([px = 0, py = 0], i) => ({ x: px, y: py, id: i })),
      });
    const pixels = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
    const first = await pixels();
    await send('touchStart', [x, y]);
    await send('touchMove', [x + 40, y + 20]);
    await send('touchEnd');
    await expect.poll(pixels).not.toBe(first);
    const moved = await pixels();
    await send('touchStart', [x - 20, y], [x + 20, y]);
    await send('touchMove', [x - 70, y], [x + 70, y]);
    await send('touchEnd');
    await expect.poll(pixels).not.toBe(moved);
    expect(await page.evaluate('visualViewport.scale')).toBe(1);
  });

  it('shows hostile texts as texts, and what does not exist as such', async () => {
    const html = '<img src=x onerror="document.title=1"> Ben lives in Porto.';
    const id = await remember(html);
    const { page, faults } = await console.open(`/graph?memory=${id}`, key, still);
    await settled(page);
    await panel(page).getByText(html).first().waitFor();
    expect(await page.locator('.graph img').count()).toBe(0);
    expect(await page.title()).toBe('Mneme');
    await page.goto(`${console.service.url}/console/graph?entity=${id}`);
    await page.getByRole('heading', { name: 'This memory or entity does not exist' }).waitFor();
    expect(faults).toEqual([]);
  });
});
