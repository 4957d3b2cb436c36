import type { Client } from '@mneme/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

/** Runs in the page: the element and the name of what has the focus. */
const describeFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return '';
  const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return element.tagName + ' ' + label.trim().slice(0, 40);
})()`;

describe.runIf(isAvailable('chromium'))('the memories of the console', () => {
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

  const store = async (...contents: readonly string[]) => {
    const ids: string[] = [];
    for (const content of contents) {
      ids.push((await client.memories.create({ body: { content } })).id);
    }
    return ids;
  };
  const row = (page: Page, name: RegExp | string) => page.locator('.row', { hasText: name });
  const get = (id = '') => client.memories.get({ params: { id } });

  it('teach three ways to store the first one, which appears without a reload', async () => {
    const { page, faults } = await console.open('/memories', key);
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    const ways = await page.getByRole('tab').allTextContents();
    expect(ways).toEqual(['Command line', 'TypeScript', 'An agent over MCP']);
    await page.getByText('Live', { exact: true }).waitFor();
    await store('Ana prefers tea.');
    await row(page, 'Ana prefers tea.').waitFor();
    expect(faults).toEqual([]);
  });

  it('have what was stored after the list was read and before the stream began', async () => {
    await store('Read at first.');
    const { page } = await console.open('/search', key);
    const streamed = Promise.withResolvers<void>();
    await page.route('**/v1/events/stream*', async (route) => {
      await streamed.promise;
      await route.continue();
    });
    await page.goto(`${console.service.url}/console/memories`);
    await row(page, 'Read at first.').waitFor();
    await store('Stored before the stream.');
    streamed.resolve();
    await row(page, 'Stored before the stream.').waitFor();
  });

  it('are read, changed, deleted and restored with the keyboard alone', async () => {
    const [, second] = await store('The first note.', 'The second note.');
    const { page, faults } = await console.open('/memories', key);
    await row(page, 'The second note.').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Content').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('The corrected note.');
    await page.keyboard.press('Control+Enter');
    await row(page, 'The corrected note.').waitFor();
    // The event of the change may come before the response that closes the editor.
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect((await get(second)).content).toBe('The corrected note.');
    await page.keyboard.press('p');
    await page.getByText('Pinned.').waitFor();
    expect((await get(second)).is_pinned).toBe(true);
    await page.keyboard.press('#');
    await page.getByText('Deleted 1 memory.').waitFor();
    expect((await get(second)).is_deleted).toBe(true);
    await page.keyboard.press('z');
    await row(page, 'The corrected note.').waitFor();
    expect((await get(second)).is_deleted).toBe(false);
    expect(faults).toEqual([]);
  });

  it('have a complete order of focus, without a trap', async () => {
    const [id = ''] = await store('A note.');
    const { page } = await console.open(`/memories?id=${id}`, key);
    await page.getByRole('tab', { name: 'Properties' }).waitFor();
    const reached: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate<string>(describeFocus);
      if (name === '') break;
      reached.push(name);
    }
    const order = [
      'A Skip to content',
      'A Memories',
      'A Settings',
      'BUTTON Sign out',
      'SELECT Space',
      'INPUT Tags',
      'DIV Memories',
      'BUTTON Edit',
      'BUTTON Delete',
      'BUTTON Properties',
      'A See why in a search',
    ];
    expect(reached.filter((name) => order.includes(name))).toEqual(order);
  });

  it('are changed in bulk, with the count and a way back', async () => {
    const ids = await store('One.', 'Two.', 'Three.');
    const had = { params: { id: ids[1] ?? '' }, body: { tags: ['checked'] } };
    await client.memories.update(had);
    const { page } = await console.open('/memories', key);
    await row(page, 'Three.').locator('.row-check').click();
    await row(page, 'One.')
      .locator('.row-check')
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 memories selected').waitFor();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByLabel('Add tags').fill('checked');
    await page.getByRole('button', { name: 'Tag 3 memories' }).click();
    await page.getByText('Tagged 3 memories.').waitFor();
    expect((await get(ids[0])).tags).toEqual(['checked']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await get(ids[2])).tags).toEqual([]);
    expect((await get(ids[1])).tags).toEqual(['checked']);
    await row(page, 'Two.').locator('.row-check').click();
    await row(page, 'One.').locator('.row-check').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted 2 memories.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row(page, 'Two.').waitFor();
    expect((await get(ids[1])).is_deleted).toBe(false);
  });

  it('are changed all together by their filters, with the count and a way back', async () => {
    const memories = Array.from({ length: 150 }, (_, i) => ({
      content: `Draft ${i}.`,
      tags: i === 0 ? ['draft', 'kept'] : ['draft'],
    }));
    for (const from of [0, 100]) {
      await client.memories.bulkCreate({ body: { memories: memories.slice(from, from + 100) } });
    }
    await store('Final.');
    const { page, faults } = await console.open('/memories?tags=%5B%22draft%22%5D', key);
    await row(page, 'Draft 149.').locator('.row-check').click();
    await page.getByRole('button', { name: 'Select all 150 that match' }).click();
    await page.getByText('All 150 memories that match').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Delete 150 memories?' }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete 150 memories' }).click();
    await page.getByText('Deleted 150 memories.').waitFor();
    expect((await client.memories.facets()).total).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Draft 149.').waitFor();
    await expect.poll(async () => (await client.memories.facets()).total).toBe(151);
    // With the keyboard.
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 150 that match' }).press('Enter');
    await page.getByRole('button', { name: 'Tag', exact: true }).press('Enter');
    await page.getByLabel('Add tags').fill('seen');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Tag 150 memories' }).press('Enter');
    await page.getByText('Tagged 150 memories.').waitFor();
    const { tags } = await client.memories.facets();
    expect(tags).toContainEqual({ tag: 'seen', count: 150 });
    expect(faults).toEqual([]);
  });

  it('have counts in their filters, which are one row on wide screens', async () => {
    const { id } = await client.spaces.create({ body: { name: 'Desk' } });
    await client.memories.create({ body: { content: 'Placed.', space_id: id, tags: ['a'] } });
    await store('Plain.');
    const { page } = await console.open('/memories', key);
    const options = () => page.getByLabel('Space').locator('option').allTextContents();
    await expect.poll(options).toEqual(['All spaces', 'No space (1)', 'Desk (1)']);
    await page.getByLabel('Type').selectOption('url');
    await expect.poll(options).toEqual(['All spaces', 'No space (0)', 'Desk (0)']);
    const box = await page.locator('.filters').boundingBox();
    expect(box?.height).toBeLessThan(60);
  });

  it('ask before they delete for good or what is protected, and name the count', async () => {
    const [gone, safe] = await store('To forget.', 'To keep.');
    await client.memories.protect({
      params: { id: safe ?? '' },
      body: { protection_level: 'soft' },
    });
    await client.memories.remove({ params: { id: gone ?? '' }, query: { soft: true } });
    const { page } = await console.open('/memories?deleted=true', key);
    await row(page, 'To forget.').click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('button', { name: 'Permanently delete 1 memory' }).click();
    await page.getByText('Permanently deleted 1 memory.').waitFor();
    await expect(get(gone)).rejects.toMatchObject({ code: 'memory_not_found' });
    await row(page, 'To keep.').click();
    await page.keyboard.press('#');
    await page.getByRole('dialog').getByText('protected against deletion').waitFor();
    await page.keyboard.press('Escape');
    expect((await get(safe)).is_deleted).toBe(false);
  });

  it('merge changes that somebody else made meanwhile', async () => {
    const [id = ''] = await store('The meeting is on Monday.');
    const { page } = await console.open(`/memories?id=${id}`, key);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Content').fill('The meeting is on Tuesday.');
    await client.memories.update({
      params: { id },
      body: { content: 'The meeting is on Friday.', tags: ['meeting'], priority: 8 },
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody changed this memory').waitFor();
    // What only the other one changed is merged; what both changed is a choice.
    expect(await page.getByLabel('Priority, 0 to 10').inputValue()).toBe('8');
    await page.getByRole('radio', { name: /^Theirs/ }).check();
    expect(await page.getByLabel('Content').inputValue()).toBe('The meeting is on Friday.');
    await page.getByRole('radio', { name: /^Yours/ }).check();
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await get(id)).toMatchObject({
      content: 'The meeting is on Tuesday.',
      tags: ['meeting'],
      priority: 8,
    });
  });

  it('are filtered by the address, which changes with the filters', async () => {
    await client.memories.create({ body: { content: 'Tagged.', tags: ['a', 'b'], priority: 9 } });
    await store('Plain.');
    const { page } = await console.open('/memories', key);
    await row(page, 'Plain.').waitFor();
    await page.getByLabel('Tags', { exact: true }).fill('a');
    await page.keyboard.press('Enter');
    await row(page, 'Plain.').waitFor({ state: 'detached' });
    await page.getByLabel('Priority').selectOption('9');
    await page.reload();
    await row(page, 'Tagged.').waitFor();
    expect(await page.locator('.row').count()).toBe(1);
    await page.getByLabel('Type').selectOption('url');
    await page.getByRole('heading', { name: 'No memory matches these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, 'Plain.').waitFor();
  });

  it('show what changed, links and facts', async () => {
    const [id = '', other = ''] = await store('Ben lives in Porto.', 'Ben moved in March.');
    await client.memories.update({ params: { id }, body: { priority: 7, tags: ['people'] } });
    await client.relationships.create({
      params: { memoryId: id },
      body: { target_id: other, relationship_type: 'derived_from' },
    });
    const { page } = await console.open(`/memories?id=${id}`, key);
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('deletion').first().waitFor();
    expect(await page.locator('.change ins').allTextContents()).toContain('["people"]');
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Porto', { exact: false }).nth(1).waitFor();
    await page.getByRole('tab', { name: 'Links' }).click();
    await page.getByRole('button', { name: 'Ben moved in March.' }).click();
    await page.locator('.content', { hasText: 'Ben moved in March.' }).waitFor();
  });

  it('show hostile texts as texts', async () => {
    const rtl = 'مرحبا بالعالم';
    const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const [id = ''] = await store(
      html,
      `\u202e${rtl}`,
      `long ${'0123456789abcdef'.repeat(65_000)}`,
    );
    const { page, faults } = await console.open(`/memories?id=${id}`, key);
    await page.locator('.content', { hasText: html }).waitFor();
    expect(await page.locator('.row img, .row script, .content img').count()).toBe(0);
    expect(await page.title()).toBe('Mneme');
    await row(page, rtl).waitFor();
    const direction = "getComputedStyle(document.querySelectorAll('.row-text')[1]).direction";
    expect(await page.evaluate(direction)).toBe('rtl');
    await row(page, 'long').click();
    await page.getByRole('button', { name: 'Show all 1,040,005 characters' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1_280);
    expect(faults).toEqual([]);
  });

  it('have their next page after a refresh that runs when the end is reached', async () => {
    const memories = Array.from({ length: 120 }, (_, i) => ({ content: `Note ${i} of many.` }));
    await client.memories.bulkCreate({ body: { memories: memories.slice(0, 60) } });
    await client.memories.bulkCreate({ body: { memories: memories.slice(60) } });
    const { page } = await console.open('/search', key);
    const refreshing = Promise.withResolvers<void>();
    const refreshed = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/v1/memories?limit=100', async (route) => {
      requests += 1;
      // The list is read again when the stream of events has begun.
      if (requests === 2) {
        refreshing.resolve();
        await refreshed.promise;
      }
      await route.continue();
    });
    await page.goto(`${console.service.url}/console/memories`);
    await refreshing.promise;
    await row(page, 'Note 119 of').waitFor();
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await row(page, 'Note 20 of').waitFor();
    refreshed.resolve();
    await eventually(
      () => page.locator('.list').evaluate((list) => list.scrollHeight),
      (height) => height === 120 * 68,
    );
  });

  it('scroll through 5,000 with few elements in the page', async () => {
    for (let i = 0; i < 50; i += 1) {
      const memories = Array.from({ length: 100 }, (_, j) => ({
        content: `Note ${i * 100 + j} of five thousand.`,
      }));
      await client.memories.bulkCreate({ body: { memories } });
    }
    const { page, faults } = await console.open('/memories', key);
    await row(page, 'Note 4999 of').waitFor();
    const last = row(page, /^Note 0 of/);
    for (let i = 0; i < 400 && (await last.count()) === 0; i += 1) {
      await page.locator('.list').evaluate((list) => list.scrollBy(0, 20_000));
      await page.evaluate('new Promise(requestAnimationFrame)');
      expect(await page.locator('.row').count()).toBeLessThan(60);
    }
    await last.waitFor();
    expect(faults).toEqual([]);
  });
});
