import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailSendFailed } from '../../../packages/server/src/providers/mail/index.ts';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  colorRules,
  findAccessibilityFaults,
  readLayoutShift,
} from './console-browser.ts';
import { views } from './console-views.ts';
import {
  createHostileAccount,
  type HostileAccount,
  hostileText,
  startHostileConsole,
} from './hostile-account.ts';

/** What web vitals consider good. */
const layoutShiftMax = 0.1;
const widths = [360, 600, 900, 1_200, 1_600];

const isPossible = isAvailable('chromium') && isAvailable('ffmpeg');

describe.runIf(isPossible)('a page of the console with hostile texts', () => {
  let console: ConsoleBrowser;
  let account: HostileAccount;
  beforeAll(async () => {
    console = await startHostileConsole(async () => {
      const kind = { isPermanent: true, isRecipientRejected: false };
      throw new MailSendFailed(hostileText(2_000), kind);
    });
    account = await createHostileAccount(console.service);
  }, 240_000);
  afterAll(() => console[Symbol.asyncDispose]());

  it.each(Object.entries(views))(
    'is still while it loads, inert, accessible, narrow, and has UTC on hover: %s',
    async (_, { path, show }) => {
      const { page, faults } = await console.open(path(account), account.key);
      await show(page, account);
      const found: Record<string, unknown> = {};
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const rules = colorScheme === 'dark' ? colorRules : null;
        const accessibility = await findAccessibilityFaults(page, rules);
        if (accessibility.length > 0) found[colorScheme] = accessibility;
      }
      expect(await readLayoutShift(page)).toBeLessThan(layoutShiftMax);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate<string[]>(findTooWide);
        if (wide.length > 0) found[width] = wide;
      }
      expect({ ...found, faults }).toEqual({ faults: [] });
      expect(await page.evaluate(findTimesWithoutUtc)).toEqual([]);
      expect(await page.title()).toBe('Mneme');
      expect(await page.locator('#root script, img[src="x"]').count()).toBe(0);
    },
    90_000,
  );
});

/** In the page: the times that do not show UTC when they are pointed at. */
const findTimesWithoutUtc = `[...document.querySelectorAll('time')]
  .filter(({ title }) => !/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC$/.test(title))
  .map((it) => it.outerHTML)`;

/** In the page: whether it scrolls sideways, and the elements that stick out. */
const findTooWide = `(() => {
  const scrollers = [document.documentElement, document.getElementById('content')];
  if (scrollers.every((it) => it === null || it.scrollWidth <= innerWidth)) return [];
  return [...document.querySelectorAll('#content *')]
    .filter((it) => it.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 4)
    .map((it) => it.tagName + '.' + it.className);
})()`;
