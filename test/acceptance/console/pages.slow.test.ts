import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSampleAccount } from '../../../tools/console/sample-account.ts';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  colorRules,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

/**
 * Pages with ordinary texts, or which console-views.ts does not have with hostile ones, and what
 * they show when they are complete.
 */
const pages: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/memories': (page) => page.locator('.row[role="option"]').first().waitFor(),
  '/search?q=battery&explain=true': (page) => page.locator('.features').first().waitFor(),
  '/search': (page) => page.getByRole('heading', { name: 'Ask as your agents do' }).waitFor(),
  '/nothing': (page) => page.getByRole('heading', { name: 'There is no such page' }).waitFor(),
};

const widths = [360, 600, 900, 1_200, 1_600];

describe.runIf(isAvailable('chromium'))('the pages of the console', () => {
  let console: ConsoleBrowser;
  let key: string;
  let id = '';
  beforeAll(async () => {
    console = await startConsoleBrowser();
    const account = await console.service.createAccount();
    ({ key } = account);
    await fillSampleAccount(account.client);
    id = (await account.client.memories.list({ query: { limit: 1 } })).data[0]?.id ?? '';
  });
  afterAll(() => console[Symbol.asyncDispose]());

  const cases = [...Object.keys(pages), 'detail', 'dialog', 'sign-in'];
  const openCase = async (name: string) => {
    const show = pages[name];
    if (show !== undefined) {
      const opened = await console.open(name, key);
      await show(opened.page);
      return opened;
    }
    const isSignedIn = name !== 'sign-in';
    const path = name === 'dialog' ? '/settings' : `/memories?id=${id}`;
    const opened = await console.open(path, isSignedIn ? key : null);
    const { page } = opened;
    if (name === 'sign-in') await page.getByLabel('API key').waitFor();
    else if (name === 'dialog') await page.getByRole('button', { name: 'Create key' }).click();
    else await page.getByRole('tab', { name: 'Properties' }).waitFor();
    return opened;
  };

  it.each(cases)(
    'have no serious faults of accessibility, and fit from 360 to 1600 px: %s',
    async (name) => {
      const { page, faults } = await openCase(name);
      for (const [colorScheme, rules] of [
        ['light', null],
        ['dark', colorRules],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await findAccessibilityFaults(page, rules);
        expect({ [colorScheme]: found }).toEqual({ [colorScheme]: [] });
      }
      const overflows: string[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const shown = await page.evaluate<number>(
          `Math.max(...['html', '#content']
            .map((it) => document.querySelector(it)?.scrollWidth ?? 0))`,
        );
        if (shown > width) overflows.push(`${width}: ${shown}`);
      }
      expect(overflows).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('are reached by the palette, and by the links of the navigation', async () => {
    const { page } = await console.open('/memories', key);
    await page.locator('.row[role="option"]').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('settings');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('support desk');
    await page.keyboard.press('Enter');
    await page.locator('.row[role="option"]').first().waitFor();
    expect(new URL(page.url()).searchParams.get('space')).not.toBeNull();
    for (const name of ['Search', 'Jobs', 'Settings', 'Memories']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
    }
  });

  it('show times in the zone of the reader, and in UTC on hover', async () => {
    const { page } = await console.open(`/memories?id=${id}`, key);
    const time = page.locator('.properties time').first();
    await time.waitFor();
    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  });
});
