import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, signIn, startConsoleBrowser } from './console-browser.ts';

describe.runIf(isAvailable('chromium'))('signing in to the console', () => {
  let console: ConsoleBrowser;
  let account: Awaited<ReturnType<ConsoleBrowser['service']['createAccount']>>;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());
  beforeEach(async () => {
    account = await console.service.createAccount();
  });

  it('takes a key by the keyboard, says what is wrong with it, and survives a reload', async () => {
    const { page, faults } = await console.open('');
    // The field has the focus already.
    await page.keyboard.type('mnk_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This key is not valid').waitFor();
    await page.getByLabel('API key').fill('');
    await page.keyboard.type(account.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/memories');
    await page.reload();
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('stores the key nowhere, and nothing that outlives the tab', async () => {
    const { page } = await console.open('', account.key);
    const stored = await page.evaluate<string[]>(
      '[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie]',
    );
    expect(stored[0]).toBe('{}');
    expect(stored.join()).not.toContain(account.key);
    expect(stored[2]).toBe('');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('API key').waitFor();
  });

  it('keeps a token, and not the key, if it is asked to', async () => {
    const { page } = await console.open('');
    await page.getByLabel('Keep me signed in').check();
    await signIn(page, account.key);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
    const stored = await page.evaluate<string>('JSON.stringify(localStorage)');
    expect(stored).not.toContain(account.key);
    const [session] = (await account.client.auth.listTokens()).data;
    const days = (Date.parse(session?.renewable_until ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
  });

  it('can be read only: what changes something is left out, for keys too', async () => {
    const { id } = await account.client.memories.create({ body: { content: 'Ana drinks tea.' } });
    const { page, faults } = await console.open('');
    await page.getByLabel('Read only').check();
    await signIn(page, account.key);
    await page.getByText('Read only', { exact: true }).waitFor();
    await page.getByRole('option', { name: 'Ana drinks tea.' }).click();
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    for (const name of ['Edit', 'Delete', 'New memory']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }
    // Keys do nothing either.
    for (const key of ['e', 'p', '#', 'n', 'x']) await page.keyboard.press(key);
    expect(await page.locator('dialog[open], textarea, .selection-bar').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Plan and usage' }).waitFor();
    expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create space' }).count()).toBe(0);
    const [session] = (await account.client.auth.listTokens()).data;
    expect(session?.scopes?.every((scope) => scope.endsWith(':read'))).toBe(true);
    expect((await account.client.memories.get({ params: { id } })).is_pinned).toBe(false);
    expect(faults).toEqual([]);
  });

  it('renews the session silently when its token expires', async () => {
    const { page } = await console.open('', null, { isSpoiled: true });
    await page.clock.install();
    await signIn(page, account.key);
    const renewal = page.waitForResponse(/auth\/tokens\/renew/);
    await page.clock.fastForward('14:30');
    await page.getByRole('link', { name: 'Settings' }).click();
    expect((await renewal).status()).toBe(200);
    await page.getByRole('heading', { name: 'Plan and usage' }).waitFor();
    expect((await account.client.auth.listTokens()).data).toHaveLength(1);
  });

  it('ends with the session: by signing out, which revokes it, and by a revocation', async () => {
    const { page } = await console.open('', account.key);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect((await account.client.auth.listTokens()).data).toEqual([]);
    await signIn(page, account.key);
    const [session] = (await account.client.auth.listTokens()).data;
    await account.client.auth.revokeToken({ params: { id: session?.id ?? '' } });
    // Dispatched, because a request of the page itself may notice first and open the dialog.
    await page.getByRole('link', { name: 'Settings' }).dispatchEvent('click');
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });

  it('takes a link once, and removes its token from the address', async () => {
    const { token } = await account.client.auth.createToken({
      body: { expires_in: 900, renewable_for: 43_200, single_use: true },
    });
    const { page, faults } = await console.open(`#token=${token}`);
    await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
    expect(page.url()).not.toContain(token);
    expect(faults).toEqual([]);
    const second = await console.open(`#token=${token}`);
    await second.page.getByRole('alert').getByText('used already or has expired').waitFor();
  });
});
