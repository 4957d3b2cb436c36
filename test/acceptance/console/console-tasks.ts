import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ViewName } from './console-views.ts';
import type { HostileAccount } from './hostile-account.ts';
import type { Person } from './person.ts';

/** The task for which people open a view. */
interface Task {
  /** What the person does, as the end of a sentence. */
  readonly does: string;
  readonly run: (person: Person, account: HostileAccount) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const first = (page: Page, selector: string) => page.locator(selector).first();
const memoryIsOpen = (page: Page) => page.getByRole('tab', { name: 'Properties' }).waitFor();
const idOf = (page: Page) => new URL(page.url()).searchParams.get('id');
const graphIsShown = (page: Page) => first(page, '.graph-frame[data-settled]').waitFor();

/** Not one of those that are shown while the list loads. */
const firstRow = (page: Page) => first(page, '.row[role="option"]');

const openMemory = (person: Person) =>
  person.act({
    mouse: () => firstRow(person.page).click(),
    keyboard: async () => {
      await firstRow(person.page).waitFor();
      await person.page.keyboard.press('j');
    },
  });

const openRowDetail = async (person: Person, shows: string) => {
  await person.press(first(person.page, '.row-item [aria-expanded="false"]'));
  await first(person.page, shows).waitFor();
};

const ofMemories = {
  Memories: {
    does: 'opens a memory of the list',
    run: async (person) => {
      await openMemory(person);
      await memoryIsOpen(person.page);
    },
  },
  'the properties of a memory': {
    does: 'reads them and opens the session',
    run: async (person) => {
      await person.openTab('Properties');
      await person.press(link(person.page, 'Open session'));
      await first(person.page, '.session-head').waitFor();
    },
  },
  'the links of a memory': {
    does: 'opens the linked memory',
    run: async (person, { linked }) => {
      await person.openTab('Links');
      await person.press(first(person.page, '.link-text'));
      await expect.poll(() => idOf(person.page)).not.toBe(linked);
      await memoryIsOpen(person.page);
    },
  },
  'the facts of a memory': {
    does: 'shows them in the graph',
    run: async (person) => {
      await person.openTab('Facts');
      await person.press(link(person.page, 'Show in the graph'));
      await graphIsShown(person.page);
    },
  },
  'the changes of a memory': {
    does: 'sees what was replaced',
    run: async (person) => {
      await person.openTab('Changes');
      await person.page.getByRole('deletion').first().waitFor();
    },
  },
  'the JSON of a memory': {
    does: 'reads it',
    run: async (person) => {
      await person.openTab('JSON');
      await person.page.getByRole('tabpanel').getByText('"content_type"').waitFor();
    },
  },
  'the editor of a memory': {
    does: 'corrects the text',
    run: async (person, { client, memory }) => {
      const corrected = `Corrected by ${person.means}.`;
      await person.press(button(person.page, 'Edit'));
      await person.type(person.page.getByLabel('Content'), corrected);
      await person.press(button(person.page, 'Save'));
      const content = async () => (await client.memories.get({ params: { id: memory } })).content;
      await expect.poll(content).toBe(corrected);
    },
  },
  'the deletion of a memory': {
    does: 'selects it, deletes it, and undoes it',
    run: async (person, { client }) => {
      const { page } = person;
      const count = async () => (await client.memories.facets()).total;
      const before = await count();
      await openMemory(person);
      await memoryIsOpen(page);
      await person.act({
        mouse: async () => {
          await page.locator('.row[data-active] .row-check').click();
          const bar = page.getByRole('region', { name: 'Selection' });
          await bar.getByRole('button', { name: 'Delete' }).click();
        },
        keyboard: async () => {
          await page.keyboard.press('x');
          await page.getByText('1 memory selected').waitFor();
          await page.keyboard.press('#');
        },
      });
      await page.getByText('Deleted 1 memory.').waitFor();
      expect(await count()).toBe(before - 1);
      await person.act({
        mouse: () => button(page, 'Undo').click(),
        keyboard: () => page.keyboard.press('z'),
      });
      await expect.poll(count).toBe(before);
    },
  },
} satisfies Partial<Record<ViewName, Task>>;

const ofKnowledge = {
  Search: {
    does: 'searches and opens a result',
    run: async (person) => {
      const { page } = person;
      await person.type(page.getByRole('searchbox'), 'notes about bees');
      const results = page.getByRole('list', { name: 'Results for “notes about bees”' });
      await person.press(results.getByRole('link').first());
      await memoryIsOpen(page);
    },
  },
  Graph: {
    does: 'selects a neighbour',
    run: async (person) => {
      const { page } = person;
      await graphIsShown(page);
      const selected = () => page.locator('.graph-panel h2').textContent();
      const centre = await selected();
      await person.act({
        mouse: async () => {
          for (const { x, y } of await page.evaluate<{ x: number; y: number }[]>(nodesOnCanvas)) {
            await page.mouse.click(x, y);
            if ((await selected()) !== centre) break;
          }
        },
        keyboard: async () => {
          await person.tabTo(page.getByRole('application'));
          for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
            await page.keyboard.press(key);
            if ((await selected()) !== centre) break;
          }
        },
      });
      await link(page, 'Centre here').waitFor();
      expect(await selected()).not.toBe(centre);
    },
  },
  'Graph as a list': {
    does: 'selects a neighbour',
    run: async (person) => {
      const { page } = person;
      await graphIsShown(page);
      await person.press(button(page, 'List'));
      await person.press(page.locator('.graph-list-label').nth(1));
      await page.locator('.graph-list li:nth-child(2)[aria-current]').waitFor();
    },
  },
  'the choice of Graph': {
    does: 'finds an entity and opens it',
    run: async (person) => {
      await person.type(person.page.getByLabel('Find an entity'), 'onerror');
      await person.press(first(person.page, '.graph-entities a'));
      await graphIsShown(person.page);
    },
  },
  Map: {
    does: 'zooms to a cluster and opens one of its memories',
    run: async (person) => {
      await person.press(first(person.page, '.map-label:not([data-hidden])'));
      await person.press(first(person.page, '.map-texts button'));
      await first(person.page, '.detail .content').waitFor();
    },
  },
  Timeline: {
    does: 'opens a memory of a day',
    run: async (person) => {
      await person.press(first(person.page, '.timeline-item:not([data-session])'));
      await memoryIsOpen(person.page);
    },
  },
  'a session of Timeline': {
    does: 'opens a memory of the session',
    run: async (person) => {
      await person.press(first(person.page, '.session-memories a'));
      await memoryIsOpen(person.page);
    },
  },
  'the facts of Timeline': {
    does: 'sees those of another entity',
    run: async (person) => {
      const { page } = person;
      const select = page.getByLabel('Entity');
      await select.locator('option').nth(1).waitFor({ state: 'attached' });
      const now = await select.inputValue();
      const values = await select
        .locator('option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''));
      const other = values.find((value) => value !== now) ?? '';
      await person.choose(select, other);
      await expect.poll(() => new URL(page.url()).searchParams.get('entity')).toBe(other);
      await first(page, '.fact-bars').waitFor();
    },
  },
  Recordings: {
    does: 'opens a recording and plays a line',
    run: async (person) => {
      await person.press(first(person.page, '.recording-item'));
      await person.press(first(person.page, '.transcript-segment'));
      const time = () => person.page.evaluate("document.querySelector('audio').currentTime");
      await expect.poll(time).toBeGreaterThan(0);
    },
  },
  'the hits of Recordings': {
    does: 'finds what was said and opens it',
    run: async (person) => {
      const { page } = person;
      await person.type(page.getByLabel('Find what was said'), 'battery');
      const hit = page.locator('.recording-item', { has: page.locator('.recording-second') });
      await person.press(hit.first());
      await first(page, '.transcript-segment').waitFor();
    },
  },
} satisfies Partial<Record<ViewName, Task>>;

/** In the page: the outermost points of the canvas that have the colour of a node. */
const nodesOnCanvas = `(() => {
  const canvas = document.querySelector('.graph-canvas canvas');
  const { left, top, width } = canvas.getBoundingClientRect();
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const probe = new OffscreenCanvas(1, 1).getContext('2d');
  probe.fillStyle = getComputedStyle(document.querySelector('.graph-types .graph-dot'))
    .backgroundColor;
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const scale = width / canvas.width;
  const points = [];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== r || data[i + 1] !== g || data[i + 2] !== b) continue;
    const pixel = i / 4;
    const y = Math.floor(pixel / canvas.width);
    points.push({ x: left + (pixel % canvas.width) * scale, y: top + y * scale });
  }
  const outermost = (size) => points.reduce((a, b) => (size(b) > size(a) ? b : a));
  return [({ x }) => x, ({ x }) => -x, ({ y }) => y, ({ y }) => -y].map(outermost);
})()`;

const ofOperations = {
  Deliveries: {
    does: 'opens a webhook, pauses and resumes it',
    run: async (person) => {
      const { page } = person;
      await person.press(first(page, '.row-item .link'));
      await person.press(button(page, 'Pause'));
      await page.getByText('The webhook is paused.').waitFor();
      await person.press(button(page, 'Resume'));
      await page.getByText('The webhook is active.').waitFor();
    },
  },
  'a delivery': {
    does: 'reads what was sent and retries it',
    run: async (person) => {
      await openRowDetail(person, '.row-detail .code');
      await person.press(button(person.page, 'Retry').first());
      await person.page.getByText('Failed again: ').waitFor();
    },
  },
  'the events of Deliveries': {
    does: 'reads an event as it happens',
    run: async (person, { client }) => {
      await person.page.getByText('Live', { exact: true }).waitFor();
      await client.memories.create({ body: { content: `Happens for the ${person.means}.` } });
      await openRowDetail(person, '.row-detail .code');
    },
  },
  'received Mail': {
    does: 'reads a mail',
    run: (person) => openRowDetail(person, '.row-detail .property-list'),
  },
  'sent Mail': {
    does: 'retries a mail that failed for good',
    run: async (person, { client }) => {
      const count = async (status: 'failed' | 'sent') =>
        (await client.email.listOutbound({ query: { status } })).data.length;
      const [failed, sent] = [await count('failed'), await count('sent')];
      await person.press(button(person.page, 'Retry').first());
      await person.page.getByText(/^The mail to .* is sent again\.$/).waitFor();
      await expect.poll(() => count('sent')).toBe(sent + 1);
      expect(await count('failed')).toBe(failed - 1);
    },
  },
  Jobs: {
    does: 'retries a job that failed',
    run: async (person, { client }) => {
      const failed = async () =>
        (await client.jobs.list({ query: { status: 'failed' } })).data.length;
      const before = await failed();
      await person.press(button(person.page, 'Retry').first());
      await expect.poll(failed).toBe(before - 1);
    },
  },
  Audit: {
    does: 'filters by action and reads a change',
    run: async (person) => {
      const { page } = person;
      await person.choose(page.getByLabel('Action'), 'webhook.created');
      await page.getByRole('button', { name: 'webhook.created' }).first().waitFor();
      await openRowDetail(person, '.row-detail .code');
    },
  },
  Settings: {
    does: 'creates a key',
    run: async (person, { client }) => {
      const { page } = person;
      const name = `made by ${person.means}`;
      await person.press(button(page, 'Create key'));
      const dialog = page.getByRole('dialog');
      await person.type(dialog.getByLabel('Name'), name);
      await person.press(dialog.getByRole('button', { name: 'Create key' }));
      await dialog.locator('[data-secret]').waitFor();
      await person.press(dialog.getByRole('button', { name: 'Done' }));
      const keys = (await client.keys.list()).data.map((key) => key.name);
      expect(keys).toContain(name);
    },
  },
  'the palette': {
    does: 'goes to a page by its name',
    run: async (person) => {
      const { page } = person;
      await firstRow(page).waitFor();
      await person.act({
        mouse: () => page.locator('.palette-opener').click(),
        keyboard: () => page.keyboard.press('Control+k'),
      });
      await page.getByRole('combobox', { name: 'Page, space or action' }).waitFor();
      await page.keyboard.type('settings');
      await person.act({
        mouse: () => page.getByRole('option', { name: 'Settings', exact: true }).click(),
        keyboard: () => page.keyboard.press('Enter'),
      });
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    },
  },
  'Sign in': {
    does: 'signs out and in again',
    run: async (person, { key }) => {
      const { page } = person;
      await person.press(button(page, 'Sign out'));
      await person.type(page.getByLabel('API key'), key);
      await person.press(button(page, 'Sign in'));
      await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
    },
  },
} satisfies Partial<Record<ViewName | 'Sign in', Task>>;

/** A view without a task is an error of types here. */
export const tasks: Readonly<Record<ViewName | 'Sign in', Task>> = {
  ...ofMemories,
  ...ofKnowledge,
  ...ofOperations,
};
