import { readFile } from 'node:fs/promises';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

describe.runIf(isAvailable('chromium'))('the settings of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  let client: Client;
  let key: string;
  beforeEach(async () => {
    ({ client, key } = await console.service.createAccount('pro'));
  });

  it('create a key that is shown once, and revoke it', async () => {
    const { page, faults } = await console.open('/settings', key);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('reader of reports');
    await dialog.getByRole('radio', { name: /^Reader/ }).check();
    await page.keyboard.press('Enter');
    const secret = (await dialog.locator('[data-secret]').textContent())?.trim() ?? '';
    expect(secret).toMatch(/^mnk_/);
    const reader = console.service.client(secret);
    expect((await reader.memories.list()).data).toEqual([]);
    const stored = reader.memories.create({ body: { content: 'x' } });
    await expect(stored).rejects.toMatchObject({ code: 'insufficient_permissions' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke reader of reports' }).click();
    await page.getByRole('button', { name: 'Revoke 1 key' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'reader of reports' });
    await row.waitFor({ state: 'detached' });
    await expect(reader.memories.list()).rejects.toMatchObject({ code: 'revoked_api_key' });
    expect(faults).toEqual([]);
  });

  it('show the usage of the plan and end other sessions', async () => {
    await client.memories.create({ body: { content: 'One.' } });
    const other = await client.auth.createToken();
    const { page } = await console.open('/settings', key);
    const memories = page.locator('.usage > div', { hasText: 'Memories' });
    const { limits } = await client.account.get();
    await memories.getByText(`of ${limits.memories?.toLocaleString('en-US')}`).waitFor();
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'this browser' }).waitFor();
    await sessions.filter({ hasNotText: 'this browser' }).getByRole('button').click();
    await page.getByText('Session ended.').waitFor();
    const use = console.service.client(other.token).account.get();
    await expect(use).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('delete a space with its memories, whose number is confirmed', async () => {
    const full = await client.spaces.create({ body: { name: 'Full' } });
    await client.spaces.create({ body: { name: 'Empty' } });
    for (const content of ['One.', 'Two.']) {
      await client.memories.create({ body: { content, space_id: full.id } });
    }
    await client.memories.create({ body: { content: 'Elsewhere.' } });
    const { page, faults } = await console.open('/settings', key);
    const names = async () => (await client.spaces.list()).data.map(({ name }) => name);
    await page.getByRole('button', { name: 'Delete Empty' }).press('Enter');
    await page.getByText('It has no memories.').waitFor();
    await page.getByRole('button', { name: 'Delete space' }).press('Enter');
    await expect.poll(names).toEqual(['Full']);
    await page.getByRole('button', { name: 'Delete Full' }).click();
    const remove = page.getByRole('button', { name: 'Delete it and 2 memories' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel(/^Also erase its 2 memories/).check();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await remove.click();
    await expect.poll(names).toEqual([]);
    const left = (await client.memories.list({ query: { include_deleted: true } })).data;
    expect(left.map(({ content }) => content)).toEqual(['Elsewhere.']);
    expect(faults).toEqual([]);
  });

  it('create and change spaces, and say which name is taken', async () => {
    const { page } = await console.open('/settings', key);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create space' }).click();
    await dialog.getByLabel('Name').fill('Travel');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit Travel' }).click();
    await dialog.getByLabel('Forget memories after, in days').fill('30');
    await page.keyboard.press('Enter');
    await page.getByText('memories are forgotten after 30 days').waitFor();
    const [space] = (await client.spaces.list()).data;
    expect(space).toMatchObject({ name: 'Travel', memory_lifetime_days: 30 });
    await page.getByRole('button', { name: 'Create space' }).click();
    await dialog.getByLabel('Name').fill('Travel');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
  });

  it('export an archive, and import it with progress and a report', async () => {
    await client.memories.create({ body: { content: 'A memory that travels.' } });
    const { page, faults } = await console.open('/settings', key);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await (await downloading).path();
    expect((await readFile(file)).length).toBeGreaterThan(500);
    const target = await console.service.createAccount();
    const second = await console.open('/settings', target.key);
    const chooser = second.page.waitForEvent('filechooser');
    await second.page.getByRole('button', { name: 'Import an archive' }).click();
    await (await chooser).setFiles(file);
    await second.page.getByText('Import completed.').waitFor();
    await second.page.getByText('memories: 1 created').waitFor();
    const [memory] = (await target.client.memories.list()).data;
    expect(memory?.content).toBe('A memory that travels.');
    await second.page.getByRole('link', { name: 'Jobs' }).click();
    await second.page.getByText('import', { exact: false }).first().waitFor();
    expect([...faults, ...second.faults]).toEqual([]);
  });
});
