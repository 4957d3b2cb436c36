import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@mneme/sdk';
import { type Browser, chromium, type Page } from 'playwright-core';
import { readConfig } from '../../packages/server/src/kernel/config.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { fillSampleAccount } from './sample-account.ts';

const root = path.resolve(import.meta.dirname, '../..');
const bytesMax = 150_000;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Of an account with texts of twenty topics. */
  readonly showsTopics?: boolean;
  readonly prepare: (page: Page) => Promise<void>;
}

const shots: readonly Shot[] = [
  {
    name: 'console-memories',
    path: '/memories',
    colorScheme: 'light',
    prepare: async (page) => {
      await page.locator('.row', { hasText: 'Ana prefers tea' }).click();
      await page.getByRole('tab', { name: 'Properties' }).waitFor();
    },
  },
  {
    name: 'console-phone',
    path: '/timeline',
    colorScheme: 'dark',
    width: 390,
    height: 720,
    prepare: async (page) => {
      await page.getByText('Move to Graz').click();
      await page.locator('.session-memories a').first().waitFor();
    },
  },
  {
    name: 'console-search',
    path: '/search?q=why+did+the+vehicle+fail&explain=true',
    colorScheme: 'dark',
    prepare: (page) => page.locator('.features').first().waitFor(),
  },
  {
    name: 'console-graph',
    path: '/graph',
    colorScheme: 'dark',
    prepare: async (page) => {
      await page.getByRole('link', { name: /^Ana person/ }).click();
      await page.getByLabel('Distance').selectOption('2');
      await page.locator('.graph-frame[data-settled]').waitFor();
      await page.getByRole('heading', { name: 'Links 6' }).waitFor();
    },
  },
  {
    name: 'console-timeline',
    path: '/timeline?view=facts',
    colorScheme: 'light',
    prepare: async (page) => {
      await page.getByLabel('Entity').selectOption({ label: 'Ben Carvalho (person)' });
      await page.locator('.fact-bars').first().waitFor();
    },
  },
  {
    name: 'console-map',
    path: '/map',
    showsTopics: true,
    height: 540,
    colorScheme: 'light',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Make the map' }).click();
      await page.locator('.map-label').first().waitFor();
      // The progress of the run gives way to the button.
      await page.getByRole('button', { name: 'Update' }).waitFor();
    },
  },
  {
    name: 'console-settings',
    path: '/settings',
    colorScheme: 'light',
    prepare: (page) => page.getByText('Household').waitFor(),
  },
];

/** Returns the key of a new account with the labelled texts of the benchmark. */
async function createTopicsAccount(operator: Client, url: string): Promise<string> {
  const account = await operator.admin.createAccount({ body: { name: 'Topics' } });
  const params = { id: account.id };
  const { key } = await operator.admin.createKey({ params, body: { name: 'screenshots' } });
  const client = createClient({ url, apiKey: key });
  const file = path.join(root, 'bench/clusters/topics-short.jsonl');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const contents = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  for (let from = 0; from < contents.length; from += 100) {
    const memories = contents.slice(from, from + 100).map((content) => ({ content }));
    await client.memories.bulkCreate({ body: { memories } });
  }
  return key;
}

interface Visit {
  readonly browser: Browser;
  readonly url: string;
  readonly key: string;
  readonly folder: string;
}

async function take({ browser, url, key, folder }: Visit, shot: Shot): Promise<void> {
  const { name, colorScheme, prepare, width = 1_200, height = 720 } = shot;
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
  await page.goto(`${url}/console${shot.path}`);
  await prepare(page);
  // What is below the pointer would be highlighted.
  await page.mouse.move(0, 0);
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  const { size } = await stat(file);
  if (size > bytesMax) throw new Error(`${file} has ${size} bytes, more than ${bytesMax}.`);
  await context.close();
}

/** Writes the screenshots of docs/console.md into a folder. The console must be built. */
export async function takeScreenshots(folder: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'mneme-screenshots-'));
  const { config } = readConfig({
    MNEME_DATA_DIR: dataDir,
    MNEME_PORT: '0',
    MNEME_LOG_LEVEL: 'error',
  });
  const running = await serve(config, '0.0.0');
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const { url } = running;
    const key = running.context.firstKey?.key ?? '';
    const operator = createClient({ url, apiKey: key });
    await fillSampleAccount(operator);
    const topicsKey = await createTopicsAccount(operator, url);
    await running.context.extractionWorker.drain();
    for (const shot of shots) {
      await take({ browser, url, key: shot.showsTopics ? topicsKey : key, folder }, shot);
    }
  } finally {
    await browser.close();
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
