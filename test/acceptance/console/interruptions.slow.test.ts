import type { Client } from '@mneme/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../packages/server/src/kernel/log.ts';
import { type ServerHandle, serve } from '../../../packages/server/src/serve.ts';
import { findFreePort } from '../../support/free-port.ts';
import { emptyDns, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { isAvailable } from '../../support/requirements.ts';
import { memoriesOfTopic, runFullClustering } from '../clusters/clusterable-memories.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

interface LivePage {
  readonly path: string;
  /** What is typed, where it filters what is shown. */
  readonly text?: string;
  /** Where something is typed that must not be lost; opens it first. */
  readonly field: (page: Page) => Promise<Locator>;
  /** It follows changes; others read again when they continue. */
  readonly isLive?: true;
  /** What the page shows of the change `round` that happens meanwhile. */
  readonly shows: (round: string) => string;
}

interface OpenPage {
  readonly name: string;
  readonly live: LivePage;
  readonly page: Page;
  readonly input: Locator;
}

const dialogField = (button: string, label: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  return page.getByRole('dialog').getByLabel(label);
};
const field = (label: string) => async (page: Page) => page.getByLabel(label);
/** Pages without a field keep what is chosen in the palette. */
const palette = async (page: Page) => {
  await page.keyboard.press('Control+k');
  return page.getByRole('combobox', { name: 'Page, space or action' });
};

const pages: Readonly<Record<string, LivePage>> = {
  Memories: {
    path: '/memories',
    isLive: true,
    field: dialogField('New memory', 'Content'),
    shows: (round) => `Memory of ${round}`,
  },
  Search: {
    path: '/search?q=memory',
    field: field('Id of a memory that you expected'),
    shows: (round) => `Memory of ${round}`,
  },
  Graph: {
    path: '/graph',
    text: 'Entity',
    field: field('Find an entity'),
    shows: (round) => `Entity ${round}`,
  },
  Map: {
    path: '/map',
    field: field('Find a cluster'),
    shows: () => 'in 2 clusters',
  },
  Timeline: { path: '/timeline', field: palette, shows: (round) => `Session of ${round}` },
  Recordings: {
    path: '/recordings',
    field: field('Find what was said'),
    shows: () => 'Nobody says that in a recording.',
  },
  Deliveries: {
    path: '/deliveries',
    isLive: true,
    field: palette,
    shows: (round) => `Webhook of ${round}`,
  },
  'Live events': {
    path: '/deliveries?view=events',
    isLive: true,
    field: palette,
    shows: (round) => (round === 'start' ? 'Live' : `Memory of ${round}`),
  },
  Mail: { path: '/mail', isLive: true, field: palette, shows: (round) => `Mail of ${round}` },
  Jobs: { path: '/jobs', field: palette, shows: () => 'clusters run' },
  Audit: { path: '/audit', field: palette, shows: () => 'webhook.created' },
  Settings: {
    path: '/settings',
    field: dialogField('Create key', 'Name'),
    shows: (round) => `Space of ${round}`,
  },
};

/** Each has a stream of events. */
const tabsOfContext = 4;
const typed = 'typed before it happened';

describe.runIf(isAvailable('chromium'))('the pages of the console that are in use', () => {
  let console: ConsoleBrowser;
  let again: ServerHandle | undefined;
  let client: Client;
  let key: string;
  beforeAll(async () => {
    console = await startConsoleBrowser({
      env: { MNEME_PORT: `${await findFreePort()}`, MNEME_EMAIL_DOMAIN: 'mail.example.com' },
      overrides: { resolveName: emptyDns },
    });
    ({ client, key } = await console.service.createAccount());
    const memories = [0, 1].flatMap((topic) => memoriesOfTopic(topic, 12));
    await client.memories.bulkCreate({ body: { memories } });
    await getOrCreateAddress(client);
    await change('start');
    await runFullClustering(client);
    await openAll();
  }, 240_000);
  afterAll(async () => {
    await again?.stop();
    await console[Symbol.asyncDispose]();
  });

  /** Something new on every page. */
  async function change(round: string): Promise<void> {
    await client.memories.create({ body: { content: `Memory of ${round} is here.` } });
    await client.knowledge.create({ body: { name: `Entity ${round}`, type: 'person' } });
    await client.cliSessions.create({ body: { name: `Session of ${round}`, type: 'project' } });
    const url = `https://127.0.0.1:9/${round}`;
    await client.webhooks.create({
      body: { name: `Webhook of ${round}`, url, events: ['memory.deleted'] },
    });
    await client.spaces.create({ body: { name: `Space of ${round}` } });
    const { email } = await client.email.getAddress();
    const raw = ['From: ana@example.com', `To: ${email}`, `Subject: Mail of ${round}`, '', 'Hello'];
    await postInboundMail(client, raw.join('\r\n'));
  }

  const opened: OpenPage[] = [];
  async function openAll() {
    for (const [name, live] of Object.entries(pages)) {
      const last = opened.length % tabsOfContext === 0 ? undefined : opened.at(-1)?.page;
      const { page } = await console.open(live.path, key, last && { beside: last });
      await page.locator('#content h1').first().waitFor({ state: 'attached' });
      const input = await live.field(page);
      await input.fill(live.text ?? typed);
      opened.push({ name, live, page, input });
    }
  }

  it('say that the server restarts, continue by themselves, and keep what was typed', async () => {
    await console.service.running.stop();
    for (const { page } of opened) {
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('The server does not respond.').first().waitFor();
    }
    const log = createLog('error', { write: () => undefined });
    again = await serve(console.service.config, '0.0.0-test', { log });
    await change('restart');
    for (const { name, live, page, input } of opened) {
      await page.locator('.no-server:empty').waitFor({ state: 'attached' });
      await page
        .getByText(live.shows(live.isLive ? 'restart' : 'start'))
        .first()
        .waitFor({ state: 'attached' });
      expect(await input.inputValue(), name).toBe(live.text ?? typed);
    }
  }, 240_000);

  it('ask to sign in when the session ends, and continue with what was typed', async () => {
    expect(opened).toHaveLength(Object.keys(pages).length);
    for (const { id } of (await client.auth.listTokens()).data) {
      await client.auth.revokeToken({ params: { id } });
    }
    await change('expiry');
    for (const { name, live, page, input } of opened) {
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('Your session has ended. Sign in again.').waitFor();
      await page.getByLabel('API key', { exact: true }).fill(key);
      await page.keyboard.press('Enter');
      await page.getByLabel('API key', { exact: true }).waitFor({ state: 'detached' });
      await page.getByText(live.shows('expiry')).first().waitFor({ state: 'attached' });
      expect(await input.inputValue(), name).toBe(live.text ?? typed);
      await page.close();
    }
  }, 240_000);

  it('leave nothing behind for another key', async () => {
    const { page } = await console.open('/memories', key);
    await page.getByText('Note 1 about').first().waitFor();
    const [token] = (await client.auth.listTokens()).data;
    await client.auth.revokeToken({ params: { id: token?.id ?? '' } });
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const other = await console.service.createAccount();
    await page.getByLabel('API key', { exact: true }).fill(other.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Store your first memory' }).waitFor();
    expect(await page.content()).not.toContain('Note 1 about');
  });
});
