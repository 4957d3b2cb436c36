import type { Client, SearchResult } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

const contents = [
  'The car would not start because its battery was dead.',
  'Ana prefers tea in the morning.',
  'The office in Graz closes at four on Fridays.',
];

describe.runIf(isAvailable('chromium'))('the search of the console', () => {
  let console: ConsoleBrowser;
  beforeAll(async () => {
    console = await startConsoleBrowser();
  });
  afterAll(() => console[Symbol.asyncDispose]());

  let client: Client;
  let key: string;
  let ids: string[];
  beforeEach(async () => {
    ({ client, key } = await console.service.createAccount());
    const body = { memories: contents.map((content) => ({ content })) };
    ids = (await client.memories.bulkCreate({ body })).memories.map(({ id }) => id);
  });

  it('answers while one types, with matched words marked and scores', async () => {
    const { page, faults } = await console.open('/memories', key);
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').waitFor();
    // Each use of a memory changes its salience, so that scores differ from one search to the next.
    const bodies: Promise<{ data: SearchResult[] }>[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('/v1/search')) return;
      const body = response.json();
      // One that is replaced by the next may be gone with its page.
      body.catch(() => undefined);
      bodies.push(body);
    });
    await page.keyboard.type('battery of the car');
    const first = page.locator('.result').first();
    await first.getByText('would not start').waitFor();
    // Results of the first words come before those of all.
    const marks = () => first.locator('mark').allTextContents();
    await expect.poll(marks).toEqual(['car', 'battery']);
    const showsLatestScore = async () => {
      const shown = await first.getByRole('img').getAttribute('aria-label');
      const score = (await Promise.all(bodies)).at(-1)?.data[0]?.score ?? 0;
      return shown === `Score ${Math.round(score * 100)} of 100`;
    };
    await expect.poll(showsLatestScore).toBe(true);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('battery of the car');
    expect(faults).toEqual([]);
  });

  it('explains a score by bars whose values are those of the service', async () => {
    const { page } = await console.open('/search?explain=true', key);
    const searching = page.waitForResponse(/\/v1\/search$/);
    await page.getByRole('searchbox').fill('battery');
    const { data } = (await (await searching).json()) as { data: SearchResult[] };
    const first = page.locator('.result').first();
    await first.getByRole('table').waitFor();
    const values = await first.locator('.feature-value').allTextContents();
    const features = Object.values(data[0]?.why_matched?.features ?? {});
    const shown = features.filter((value) => Math.abs(value) >= 0.005);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
    expect(values).toHaveLength(shown.length);
    expect(sum(values.map((text) => Number(text.replace('−', '-'))))).toBeCloseTo(sum(shown), 1);
  });

  it('says why a memory is not found, from its detail', async () => {
    const { page, faults } = await console.open(`/memories?id=${ids[1]}`, key);
    await page.getByRole('link', { name: 'See why in a search' }).click();
    await page.getByText('Enter the query that should find it.').waitFor();
    await page.getByRole('searchbox').fill('-tea morning');
    await page.getByText('A filter, a quoted phrase or an excluded word removes it').waitFor();
    await page.getByRole('searchbox').fill('tea');
    await page.getByText(/^It is result 1 with a score of \d+\.$/).waitFor();
    await page.getByRole('button', { name: 'Close the explanation' }).click();
    expect(new URL(page.url()).searchParams.get('why')).toBeNull();
    expect(faults).toEqual([]);
  });

  it('keeps to the chosen type, time and priority, which are in its address', async () => {
    const body = { content: 'The battery has twelve volts.', priority: 9 };
    await client.memories.create({ body });
    const { page, faults } = await console.open('/search?q=battery', key);
    await page.getByText('2 matches').waitFor();
    await page.getByLabel('Priority').selectOption('9');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.getByLabel('Time').selectOption('day');
    await page.reload();
    await page.locator('.result', { hasText: 'twelve volts' }).waitFor();
    const address = new URL(page.url()).searchParams;
    expect([address.get('priority'), address.get('age')]).toEqual(['9', 'day']);
    await page.getByLabel('Type').selectOption('url');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps to the chosen space, and says what to do if nothing matches', async () => {
    const space = await client.spaces.create({ body: { name: 'Garage' } });
    const content = 'The battery charger is in the garage.';
    await client.memories.create({ body: { content, space_id: space.id } });
    const { page } = await console.open('/search?q=battery', key);
    await page.getByText('2 matches').waitFor();
    await page.getByLabel('Space').selectOption('Garage');
    await page.getByText('1 match', { exact: true }).waitFor();
    expect(await page.locator('.result').count()).toBe(1);
    await page.getByRole('searchbox').fill('"no such phrase"');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });
});
