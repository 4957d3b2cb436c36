import type { Page } from 'playwright-core';
import { type HostileAccount, hostileText } from './hostile-account.ts';

export interface View {
  readonly path: (account: HostileAccount) => string;
  /** Opens what the page hides at first, and waits until everything is shown. */
  readonly show: (page: Page, account: HostileAccount) => Promise<void>;
}

const seen = (page: Page, selector: string) => page.locator(selector).first().waitFor();
const open = (page: Page) =>
  page.locator('.row-item [aria-expanded="false"]').first().press('Enter');
const detailTab = (name: string, id: (account: HostileAccount) => string): View => ({
  path: (account) => `/memories?id=${id(account)}`,
  show: async (page) => {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel').waitFor();
    await page.getByText('Loading…').waitFor({ state: 'detached' });
  },
});

/** Every page with all of its parts. */
export const views = {
  Memories: { path: () => '/memories', show: (page) => seen(page, '.row[role="option"]') },
  'the properties of a memory': detailTab('Properties', ({ memory }) => memory),
  'the links of a memory': detailTab('Links', ({ linked }) => linked),
  'the facts of a memory': detailTab('Facts', ({ memory }) => memory),
  'the changes of a memory': detailTab('Changes', ({ memory }) => memory),
  'the JSON of a memory': detailTab('JSON', ({ memory }) => memory),
  'the editor of a memory': {
    path: ({ memory }) => `/memories?id=${memory}`,
    show: (page) => page.getByRole('button', { name: 'Edit' }).click(),
  },
  'the deletion of a memory': {
    path: ({ memory }) => `/memories?id=${memory}`,
    show: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      await page.locator('.row[role="option"]').first().click();
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
      await page.getByText('Live', { exact: true }).waitFor();
      await client.memories.create({ body: { content: hostileText(10_000) } });
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
      await seen(page, '.row[role="option"]');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, space or action' }).fill('img');
      await seen(page, '.palette [role="option"]');
    },
  },
} satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof views;
