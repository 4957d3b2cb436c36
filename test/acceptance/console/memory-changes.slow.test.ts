import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

describe.runIf(isAvailable('chromium'))('the changes of a memory in the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  it('are all that happened to it, newest first', async () => {
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
});
