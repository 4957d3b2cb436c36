import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailSendFailed } from '../../../packages/server/src/providers/mail/index.ts';
import { emptyDns } from '../../support/mail.ts';
import { isAvailable } from '../../support/requirements.ts';
import { createFakeEndpoints } from '../webhooks/delivery/fake-endpoints.ts';
import {
  type ConsoleBrowser,
  colorRules,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';
import {
  createHostileAccount,
  type HostileAccount,
  hostileEndpoint,
  hostileText,
} from './hostile-account.ts';

const widths = [360, 600, 900, 1_200, 1_600];

interface View {
  readonly path: (account: HostileAccount) => string;
  /** Opens what the page hides at first, and waits until everything is shown. */
  readonly show: (page: Page, account: HostileAccount) => Promise<void>;
}

const seen = (page: Page, selector: string) => page.locator(selector).first().waitFor();
const open = (page: Page) =>
  page.locator('.row-item [aria-expanded="false"]').first().press('Enter');
const detailTab = (name: string): View => ({
  path: ({ memory }) => `/memories?id=${memory}`,
  show: async (page) => {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel').waitFor();
    await page.getByText('Loading…').waitFor({ state: 'detached' });
  },
});

/** Every page with all of its parts. */
const views: Readonly<Record<string, View>> = {
  Memories: { path: () => '/memories', show: (page) => seen(page, '.row') },
  'the properties of a memory': detailTab('Properties'),
  'the links of a memory': detailTab('Links'),
  'the facts of a memory': detailTab('Facts'),
  'the changes of a memory': detailTab('Changes'),
  'the JSON of a memory': detailTab('JSON'),
  'the editor of a memory': {
    path: ({ memory }) => `/memories?id=${memory}`,
    show: (page) => page.getByRole('button', { name: 'Edit' }).click(),
  },
  'the deletion of a memory': {
    path: ({ memory }) => `/memories?id=${memory}`,
    show: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      await page.locator('.row').first().click();
      await page.keyboard.press('x');
      await seen(page, '.selection-bar');
    },
  },
  Search: {
    path: () => '/search?q=notes+about+bees&explain=true',
    show: (page) => seen(page, '.features'),
  },
  Graph: {
    path: ({ entity }) => `/graph?entity=${entity}`,
    show: (page) => seen(page, '.graph-frame[data-settled]'),
  },
  'Graph as a list': {
    path: ({ entity }) => `/graph?entity=${entity}`,
    show: async (page) => {
      await seen(page, '.graph-frame[data-settled]');
      await page.getByRole('button', { name: 'List', exact: true }).click();
      await seen(page, '.graph-list-label');
    },
  },
  'the choice of Graph': { path: () => '/graph', show: (page) => seen(page, '.graph-start a') },
  Map: {
    path: () => '/map',
    show: async (page) => {
      await page.locator('.map-clusters button').first().click();
      await seen(page, '.map-texts button');
    },
  },
  Timeline: { path: () => '/timeline', show: (page) => seen(page, '.timeline-item') },
  'a session of Timeline': {
    path: ({ session }) => `/timeline?session=${session}`,
    show: (page) => seen(page, '.session-memories a'),
  },
  'the facts of Timeline': {
    path: ({ entity }) => `/timeline?view=facts&entity=${entity}`,
    show: (page) => seen(page, '.fact-bars'),
  },
  Recordings: {
    path: ({ recording }) => `/recordings?id=${recording}`,
    show: (page) => seen(page, '.transcript-segment'),
  },
  'the hits of Recordings': {
    path: () => '/recordings?q=battery',
    show: (page) => seen(page, '.recording-second'),
  },
  Deliveries: {
    path: () => '/deliveries',
    show: (page) => seen(page, '.row-item'),
  },
  'a delivery': {
    path: ({ webhook }) => `/deliveries?webhook=${webhook}`,
    show: async (page) => {
      await open(page);
      await seen(page, '.row-detail .code');
    },
  },
  'the events of Deliveries': {
    path: () => '/deliveries?view=events',
    show: async (page, { client }) => {
      const { length } = Array.from({ length: 5 });
      await page.getByText('Live', { exact: true }).waitFor();
      for (let i = 0; i < length && (await page.locator('.row-item').count()) === 0; i += 1) {
        await client.memories.create({ body: { content: `${i} ${hostileText(10_000)}` } });
        await page
          .locator('.row-item')
          .first()
          .waitFor({ timeout: 2_000 })
          .catch(() => undefined);
      }
      await open(page);
      await seen(page, '.row-detail .code');
    },
  },
  'received Mail': {
    path: () => '/mail',
    show: async (page) => {
      await open(page);
      await seen(page, '.row-detail');
    },
  },
  'sent Mail': {
    path: () => '/mail?view=sent',
    show: (page) => page.getByRole('button', { name: 'Retry' }).first().waitFor(),
  },
  Jobs: { path: () => '/jobs', show: (page) => seen(page, '.job-error') },
  Audit: {
    path: () => '/audit',
    show: async (page) => {
      await open(page);
      await seen(page, '.row-detail .code');
    },
  },
  Settings: { path: () => '/settings', show: (page) => seen(page, '.row-item, .rows li') },
  'the palette': {
    path: () => '/memories',
    show: async (page) => {
      await seen(page, '.row');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, space or action' }).fill('img');
      await seen(page, '.palette [role="option"]');
    },
  },
};

const isPossible = isAvailable('chromium') && isAvailable('ffmpeg');

describe.runIf(isPossible)('a page of the console with hostile texts', () => {
  let console: ConsoleBrowser;
  let account: HostileAccount;
  beforeAll(async () => {
    const endpoints = createFakeEndpoints();
    endpoints.setReply(hostileEndpoint, () => ({ status: 500, body: hostileText(5_000) }));
    console = await startConsoleBrowser({
      env: { MNEME_EMAIL_DOMAIN: 'mail.example.com' },
      overrides: {
        fetchOutside: endpoints.fetchOutside,
        resolveName: emptyDns,
        transcribers: [hostileTranscriber],
        sendMail: async () => {
          const kind = { isPermanent: true, isRecipientRejected: false };
          throw new MailSendFailed(hostileText(2_000), kind);
        },
      },
    });
    account = await createHostileAccount(console.service);
  }, 240_000);
  afterAll(() => console[Symbol.asyncDispose]());

  it.each(Object.entries(views))(
    'is inert, accessible in both themes, and fits from 360 to 1600 px: %s',
    async (_, { path, show }) => {
      const { page, faults } = await console.open(path(account), account.key);
      await show(page, account);
      const found: Record<string, unknown> = {};
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(
          'Promise.all(document.getAnimations().map(({ finished }) => finished))',
        );
        const rules = colorScheme === 'dark' ? colorRules : null;
        const accessibility = await findAccessibilityFaults(page, rules);
        if (accessibility.length > 0) found[colorScheme] = accessibility;
      }
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate<string[]>(findTooWide);
        if (wide.length > 0) found[width] = wide;
      }
      expect({ ...found, faults }).toEqual({ faults: [] });
      expect(await page.title()).toBe('Mneme');
      expect(await page.locator('#root script, img[src="x"]').count()).toBe(0);
      await page.context().close();
    },
    90_000,
  );
});

/** In the page: whether it scrolls sideways, and the elements that stick out. */
const findTooWide = `(() => {
  const scrollers = [document.documentElement, document.getElementById('content')];
  if (scrollers.every((it) => it === null || it.scrollWidth <= innerWidth)) return [];
  return [...document.querySelectorAll('#content *')]
    .filter((it) => it.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 4)
    .map((it) => it.tagName + '.' + it.className);
})()`;

const hostileTranscriber = {
  provider: 'openai' as const,
  model: 'staged',
  supportedHints: new Set<never>(),
  secondsMax: 600,
  transcribe: async () => ({
    language: 'en',
    languageConfidence: 0.98,
    segments: [
      {
        start: 0,
        end: 5,
        text: `The battery ${hostileText(5_000)}`,
        speaker: hostileText(200),
        confidence: 0.9,
      },
    ],
  }),
};
