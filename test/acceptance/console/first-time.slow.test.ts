import type { Client } from '@mneme/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { type ConsoleBrowser, startConsoleBrowser } from './console-browser.ts';

const actionsMax = 40;
const notes = ['Ben lives in Porto.', 'Ana prefers tea.', 'The office closes at 17:00.'];
const corrected = 'Ben lives in Lisbon.';

/** What a person does: each click, key or typed text is one action. */
class Person {
  actions = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(locator: ReturnType<Page['locator']>): Promise<void> {
    this.actions += 1;
    await locator.click();
  }

  async press(key: string): Promise<void> {
    this.actions += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.actions += 1;
    await this.#page.keyboard.type(text);
  }

  async goBack(): Promise<void> {
    this.actions += 1;
    await this.#page.goBack();
  }

  /** Presses Tab until the focused element has this text. */
  async tabTo(text: string): Promise<void> {
    const focused = () =>
      this.#page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');
    while (!(await focused()).startsWith(text)) {
      if (this.actions > actionsMax) throw new Error(`${text} is too far away.`);
      await this.press('Tab');
    }
  }
}

describe.runIf(isAvailable('chromium'))('the first time in the console', () => {
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
  const extracted = () => console.service.running.context.extractionWorker.drain();
  const row = (page: Page, text: string) => page.locator('.row', { hasText: text });
  const shown = (page: Page, text: string) => page.locator('.content', { hasText: text }).waitFor();
  const explained = (page: Page) =>
    page.getByRole('region', { name: 'Why not this memory?' }).getByText('It is result').waitFor();
  const inGraph = async (page: Page) => {
    await page.locator('.graph-frame[data-settled]').waitFor();
    const panel = page.getByRole('complementary', { name: 'Selected node' });
    await panel.getByRole('region', { name: 'Facts' }).getByText('Ben lives in Lisbon').waitFor();
  };
  const contents = async () =>
    (await client.memories.list()).data.map(({ content }) => content).toSorted();
  const expectUndone = async (page: Page, person: Person, faults: readonly string[]) => {
    await row(page, corrected).waitFor();
    await expect.poll(contents).toEqual([corrected, ...notes.slice(1)].toSorted());
    expect(person.actions).toBeLessThanOrEqual(actionsMax);
    expect(faults).toEqual([]);
  };

  it('takes at most 40 actions with the mouse', async () => {
    const { page, faults } = await console.open('');
    const person = new Person(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByLabel('API key').waitFor();
    await person.type(key);
    await person.click(button('Sign in'));
    for (const note of notes) {
      await person.click(button('New memory'));
      await person.type(note);
      await person.click(button('Store'));
      await row(page, note).waitFor();
    }
    await person.click(page.getByRole('link', { name: 'Search' }));
    await person.type('where does Ben live');
    await person.click(page.locator('.results').getByRole('link', { name: notes[0] ?? '' }));
    await person.click(button('Edit'));
    await person.click(page.getByLabel('Content'));
    await person.press('Control+a');
    await person.type(corrected);
    await person.click(button('Save'));
    await shown(page, corrected);
    await extracted();
    await person.click(page.getByRole('link', { name: 'See why in a search' }));
    await person.type('where does Ben live');
    await explained(page);
    await person.click(page.locator('.placement-text').getByRole('link'));
    await person.click(page.getByRole('tab', { name: 'Facts' }));
    await person.click(page.getByRole('link', { name: 'Show in the graph' }));
    await inGraph(page);
    await person.click(page.getByRole('link', { name: 'Open memory' }));
    await person.click(button('Delete'));
    await page.getByText('Deleted 1 memory.').waitFor();
    await expect.poll(contents).toEqual(notes.slice(1).toSorted());
    await person.click(
      page.locator('.toast', { hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }),
    );
    await expectUndone(page, person, faults);
  });

  it('takes at most 40 actions with the keyboard', async () => {
    const { page, faults } = await console.open('');
    const person = new Person(page);
    await page.getByLabel('API key').waitFor();
    await person.type(key);
    await person.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor();
    for (const note of notes) {
      await person.press('n');
      await page.getByRole('dialog').waitFor();
      await person.type(note);
      await person.press('Control+Enter');
      await row(page, note).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await person.press('/');
    await page.getByLabel('Search memories').waitFor();
    await person.type('where does Ben live');
    await page
      .locator('.results')
      .getByRole('link', { name: notes[0] ?? '' })
      .waitFor();
    await person.tabTo(notes[0] ?? '');
    await person.press('Enter');
    await shown(page, notes[0] ?? '');
    await row(page, notes[0] ?? '').waitFor();
    await person.press('e');
    await page.getByLabel('Content').waitFor();
    await person.press('Control+a');
    await person.type(corrected);
    await person.press('Control+Enter');
    await shown(page, corrected);
    await extracted();
    await person.press('w');
    await page.getByLabel('Search memories').waitFor();
    await person.type('where does Ben live');
    await explained(page);
    await person.goBack();
    await shown(page, corrected);
    await person.press('g');
    await inGraph(page);
    await person.goBack();
    await shown(page, corrected);
    await row(page, corrected).waitFor();
    await person.press('#');
    await page.getByText('Deleted 1 memory.').waitFor();
    await expect.poll(contents).toEqual(notes.slice(1).toSorted());
    await person.press('z');
    await expectUndone(page, person, faults);
  });
});
