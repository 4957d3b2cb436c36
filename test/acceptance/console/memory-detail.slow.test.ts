import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

describe.runIf(isAvailable('chromium'))('the detail of a memory in the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  it('lists all that happened to the memory, newest first', async () => {
    const { client, key } = await console.service.createAccount();
    const { id } = await client.memories.create({ body: { content: 'Ben lives in Porto.' } });
    const params = { id };
    await client.memories.get({ params });
    await client.memories.update({ params, body: { content: 'Ben lives in Lisbon.' } });
    await client.memories.verify({ params });
    await client.memories.remove({ params, query: { soft: true } });
    await client.memories.restore({ params });
    const { page, faults } = await console.open(`/memories?id=${id}`, key);
    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.locator('.changes > li > :not(time)');
    await expect
      .poll(() => changes.allTextContents())
      .toEqual([
        'Restored.',
        'Deleted.',
        'Verified.',
        'contentBen lives in Porto.Ben lives in Lisbon.',
        'Stored.',
      ]);
    expect(faults).toEqual([]);
  });

  it('follows J and K, has the focus after Enter, and is closed by Escape', async () => {
    const { client, key } = await console.service.createAccount();
    for (const content of ['Older.', 'Newer.']) await client.memories.create({ body: { content } });
    const { page, faults } = await console.open('/memories', key);
    await page.locator('.row', { hasText: 'Newer.' }).waitFor();
    for (const [pressed, shown] of [
      ['j', 'Newer.'],
      ['j', 'Older.'],
      ['k', 'Newer.'],
    ] as const) {
      await page.keyboard.press(pressed);
      await page.locator('.detail .content', { hasText: shown }).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.locator('#memory-detail:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('is beside a list that says so where the key may not follow events', async () => {
    const { client } = await console.service.createAccount();
    const body = { name: 'reader', scopes: ['memories:read' as const] };
    const { key } = await client.keys.create({ body });
    const { page } = await console.open('/memories', key);
    const mark = page.getByText('Not live', { exact: true });
    await mark.waitFor();
    expect(await mark.getAttribute('title')).toContain('scope webhooks:read');
  });
});
