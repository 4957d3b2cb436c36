import type { Client } from '@mneme/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  colorRules,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

const pages = ['timeline', 'recordings', 'deliveries', 'mail', 'jobs', 'audit'] as const;
const schemes = [
  ['light', null],
  ['dark', colorRules],
] as const;
const nameOf = (page: string): string => `${page[0]?.toUpperCase()}${page.slice(1)}`;

describe.runIf(isAvailable('chromium'))('the operations of the console', () => {
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
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const db = () => console.service.running.context.app.engine.db;

  it.each(pages)(
    '%s is reached by name with the keyboard, accessible, and narrow',
    async (name) => {
      const { page, faults } = await console.open('/memories', key, { width: 360 });
      await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await heading(page, nameOf(name)).waitFor();
      for (const [colorScheme, rules] of schemes) {
        await page.emulateMedia({ colorScheme });
        expect(await findAccessibilityFaults(page, rules)).toEqual([]);
      }
      for (const width of [360, 768, 1_600]) {
        await page.setViewportSize({ width, height: 800 });
        const shown = await page.evaluate('document.documentElement.scrollWidth');
        expect(shown).toBeLessThanOrEqual(width);
      }
      expect(faults).toEqual([]);
    },
  );

  it('show memories and sessions in time, and open one by mouse and by keyboard', async () => {
    const { id } = await client.memories.create({ body: { content: '<b>Ana</b> drinks tea.' } });
    await client.cliSessions.create({ body: { name: 'Planning the move', type: 'project' } });
    const { page, faults } = await console.open('/timeline', key);
    await page.getByText('Planning the move').waitFor();
    await page.getByText('1 memory, 1 session').waitFor();
    await page.getByRole('button', { name: 'Year' }).click();
    await page.getByText('Planning the move').waitFor({ state: 'detached' });
    const bucket = page.locator('.timeline-bucket');
    await bucket.press('Enter');
    await page.getByRole('link', { name: '<b>Ana</b> drinks tea.' }).press('Enter');
    await page.getByRole('tab', { name: 'Properties' }).waitFor();
    expect(page.url()).toContain(id);
    expect(faults).toEqual([]);
  });

  it('show what others store, delete and state while the timeline is open', async () => {
    const { id } = await client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const { page, faults } = await console.open('/timeline', key);
    await page.getByText('Ana drinks tea.').waitFor();
    const { id: memory_id } = await client.memories.create({
      body: { content: 'Ben lives in Porto.' },
    });
    await page.getByText('Ben lives in Porto.').waitFor();
    await client.memories.remove({ params: { id } });
    await page.getByText('Ana drinks tea.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Facts' }).click();
    await page.getByText('No facts yet').waitFor();
    await client.knowledge.extract({ body: { memory_id } });
    await page.locator('.fact-bars [data-bar]').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('show facts as intervals of valid and known time', async () => {
    const body = { content: 'Ben lives in Porto.' };
    const { id: memory_id } = await client.memories.create({ body });
    await client.knowledge.extract({ body: { memory_id } });
    const { page, faults } = await console.open('/timeline', key);
    await page.getByRole('button', { name: 'Facts' }).click();
    await page.getByLabel('Entity').selectOption({ label: 'Ben (person)' });
    await page.getByText('Ben lives in Porto').waitFor();
    expect(await page.locator('.fact-bars [data-bar]').count()).toBe(2);
    await page.getByRole('link', { name: 'Show in the graph' }).click();
    await heading(page, 'Ben').waitFor();
    expect(faults).toEqual([]);
  });

  it('show what a webhook sent, retry it, pause it and replay events', async () => {
    const webhook = await client.webhooks.create({
      body: { name: 'Tickets', url: 'https://127.0.0.1:9/', events: ['memory.*'], max_retries: 0 },
    });
    const content = '<img src=x onerror="document.title=1">';
    await client.memories.create({ body: { content } });
    const { page, faults } = await console.open('/deliveries', key);
    await page.getByRole('button', { name: 'Tickets' }).press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'memory.created' });
    await row.getByText('failed', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'memory.created' }).press('Enter');
    await row.locator('.code', { hasText: 'onerror' }).waitFor();
    expect(await page.title()).toBe('Mneme');
    await row.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Failed again:').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The webhook is paused.').waitFor();
    const params = { webhookId: webhook.id };
    expect((await client.webhooks.get({ params })).is_active).toBe(false);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Replay events' }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('The replay runs as a job.').waitFor();
    const kinds = (await client.jobs.list()).data.map(({ kind }) => kind);
    expect(kinds).toContain('webhooks.replay');
    expect(faults).toEqual([]);
  });

  it('show events as they happen, and keep still while they are paused', async () => {
    const { page, faults } = await console.open('/deliveries?view=events', key);
    const url = page.url();
    // Ends the first stream, whose late response would be taken for that of the next one.
    await page.goto('about:blank');
    const stream = page.waitForResponse(/events\/stream/);
    await page.goto(url);
    await stream;
    await client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const row = page.getByRole('listitem').filter({ hasText: 'memory.created' });
    await row.getByText('Ana drinks tea.').waitFor();
    await page.getByRole('button', { name: 'memory.created' }).press('Enter');
    await row.locator('.code', { hasText: '"content"' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await client.memories.create({ body: { content: 'Ben drinks milk.' } });
    const next = page.waitForResponse(/events\/stream/);
    await page.getByRole('button', { name: 'Pause' }).click();
    await next;
    await client.memories.create({ body: { content: 'Mia drinks water.' } });
    await page.getByText('Mia drinks water.').waitFor();
    // An event that arrived during the pause would be above the first one.
    expect(await page.getByText('Ben drinks milk.').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('tell who changed a key, and filter by action', async () => {
    await client.keys.create({ body: { name: 'reader' } });
    const { page, faults } = await console.open('/audit', key);
    await page.getByRole('button', { name: 'key.created' }).first().press('Enter');
    await page.locator('.code', { hasText: 'reader' }).waitFor();
    await page.getByLabel('Action').selectOption('webhook.deleted');
    await page.getByText('No such changes.').waitFor();
    expect(faults).toEqual([]);
  });

  it('retry failed jobs of the account, and hide the operator’s view from others', async () => {
    const { id: account_id } = await client.account.get();
    const { ids, clock } = console.service.running.context.app;
    const [id, now] = [ids.uuid(), clock.now()];
    const times = { run_at: now, created_at: now, finished_at: now };
    const job = { id, account_id, kind: 'memories.erase', payload: '{"ids":[]}' };
    const failed = { status: 'failed' as const, error: 'It failed.' };
    await db()
      .insertInto('jobs')
      .values({ ...job, ...failed, ...times })
      .execute();
    const { page } = await console.open('/jobs', key);
    await page.getByText('It failed.').waitFor();
    expect(await page.getByRole('button', { name: 'All accounts' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Retry' }).click();
    const status = async () => (await client.jobs.get({ params: { id } })).status;
    await expect.poll(status).not.toBe('failed');
  });

  it('pause and resume queues for operators', async () => {
    const operatorKey = console.service.running.context.firstKey?.key ?? '';
    const { page, faults } = await console.open('/jobs', operatorKey);
    await page.getByRole('button', { name: 'All accounts' }).press('Enter');
    await page.getByRole('button', { name: 'Pause model-tests' }).waitFor();
    for (const [colorScheme, rules] of schemes) {
      await page.emulateMedia({ colorScheme });
      expect(await findAccessibilityFaults(page, rules)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Pause model-tests' }).press('Enter');
    await page.getByRole('button', { name: 'Resume model-tests' }).waitFor();
    const { data } = await console.service.operator().admin.listQueues();
    const paused = data.filter(({ paused_at }) => paused_at !== null).map(({ name }) => name);
    expect(paused).toEqual(['model-tests']);
    await page.getByRole('button', { name: 'Resume model-tests' }).press('Enter');
    await page.getByRole('button', { name: 'Pause model-tests' }).waitFor();
    expect(faults).toEqual([]);
  });
});
