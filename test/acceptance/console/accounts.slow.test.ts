import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
} from './console-browser.ts';

describe.runIf(isAvailable('chromium'))('the accounts of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser({ isExclusive: true });
  });
  afterAll(() => console[Symbol.asyncDispose]());

  let client: Client;
  beforeEach(async () => {
    ({ client } = await console.service.createAccount('pro'));
  });

  it('let operators look around in another account, and return', async () => {
    const { id } = await client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const { name } = await client.account.get();
    const { page, faults } = await console.open('/settings', console.service.adminKey);
    await page.getByRole('button', { name: `Look around in ${name}`, exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findAccessibilityFaults(page)).toEqual([]);
    }
    await page.getByRole('button', { name: `Look around in ${name}`, exact: true }).click();
    await page.getByRole('option', { name: 'Ana drinks tea.' }).waitFor();
    await page.getByText(`Account ${name}`).waitFor();
    await page.getByText('Read only', { exact: true }).waitFor();
    // It survives a reload, and the account tells who was there.
    await page.reload();
    await page.getByRole('option', { name: 'Ana drinks tea.' }).waitFor();
    const [entry] = (await client.account.audit()).data;
    const keys = (await client.keys.list()).data;
    const opened = keys.find(({ name: called }) => called === 'Console of the operator');
    expect(entry).toMatchObject({ action: 'key.created', target_id: opened?.id });
    expect(opened?.scopes.every((scope) => scope.endsWith(':read'))).toBe(true);
    await page.getByRole('option', { name: 'Ana drinks tea.' }).click();
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    await page.getByRole('button', { name: 'Back to yours' }).click();
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    await page.getByRole('option', { name: 'Ana drinks tea.' }).waitFor({ state: 'detached' });
    expect(await page.getByText('Read only', { exact: true }).count()).toBe(0);
    expect((await client.auth.listTokens()).data).toEqual([]);
    await client.memories.get({ params: { id } });
    expect(faults).toEqual([]);
  });

  it('let operators open an account with all rights; signing out ends both sessions', async () => {
    const { name } = await client.account.get();
    const { page } = await console.open('/settings', console.service.adminKey);
    await page.getByRole('button', { name: `Open with all rights: ${name}` }).click();
    await page.getByText(`Account ${name}`).waitFor();
    await page.getByRole('button', { name: 'New memory' }).waitFor();
    const before = (await console.service.operator().auth.listTokens()).data.length;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect((await client.auth.listTokens()).data).toEqual([]);
    expect((await console.service.operator().auth.listTokens()).data).toHaveLength(before - 1);
  });

  it('are not listed for other keys', async () => {
    const { key } = await console.service.createAccount();
    const { page } = await console.open('/settings', key);
    const refused = page.waitForResponse(/admin\/accounts/);
    await page.reload();
    expect((await refused).status()).toBe(403);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Accounts' }).count()).toBe(0);
  });
});
