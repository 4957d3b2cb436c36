import type { Locator, Page } from 'playwright-core';

export type Means = 'mouse' | 'keyboard';

/** More than any page has. */
const stopsMax = 250;
const stepsMax = 60;

/** The part of an element of a page that is used here: tests have no types of a browser. */
interface Focusable {
  readonly isConnected: boolean;
  matches(selector: string): boolean;
}

/** In the page. A page that renders again may replace the element. */
const readFocus = (element: Focusable): 'has focus' | 'has none' | 'is gone' => {
  if (!element.isConnected) return 'is gone';
  return element.matches(':focus') ? 'has focus' : 'has none';
};

/** Works with the mouse, which also types texts into fields, or with the keyboard alone. */
export class Person {
  readonly page: Page;
  readonly means: Means;

  constructor(page: Page, means: Means) {
    this.page = page;
    this.means = means;
  }

  /** Activates a button or a link. */
  async press(target: Locator): Promise<void> {
    if (this.means === 'mouse') return target.click();
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
  }

  /** Replaces the text of a field. */
  async type(field: Locator, text: string): Promise<void> {
    await this.#enter(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Chooses the option of a select that has this value. */
  async choose(select: Locator, value: string): Promise<void> {
    // The browser shows the options in a window of its own, which Playwright cannot click.
    if (this.means === 'mouse') {
      await select.selectOption(value);
      return;
    }
    await this.tabTo(select);
    await this.page.keyboard.press('Home');
    await this.#pressUntil('ArrowDown', async () => (await select.inputValue()) === value);
  }

  /** Checks a box. */
  async check(box: Locator): Promise<void> {
    if (this.means === 'mouse') return box.check();
    await this.tabTo(box);
    await this.page.keyboard.press('Space');
  }

  /** Chooses a radio button of the form; Tab reaches the one of its group that is chosen. */
  async chooseRadio(radio: Locator): Promise<void> {
    if (this.means === 'mouse') return radio.check();
    const name = await radio.getAttribute('name');
    await this.tabTo(this.page.locator(`input[name="${name}"]:checked`));
    await this.#pressUntil('ArrowDown', () => radio.isChecked());
  }

  /** Selects a tab of the detail of a memory. */
  async openTab(name: string): Promise<void> {
    const tab = this.page.getByRole('tab', { name, exact: true });
    await tab.waitFor();
    if (this.means === 'mouse') return tab.click();
    await this.tabTo(this.page.getByRole('tab', { selected: true }));
    const isSelected = async () => (await tab.getAttribute('aria-selected')) === 'true';
    await this.#pressUntil('ArrowRight', isSelected);
  }

  /** For what has a key of its own. */
  async act(ways: Readonly<Record<Means, () => Promise<unknown>>>): Promise<void> {
    await ways[this.means]();
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(target: Locator): Promise<void> {
    let element = await target.elementHandle();
    for (let i = 0; i < stopsMax; i += 1) {
      // To find an element by its name takes ten times as long as to look at it.
      const state = await element?.evaluate(readFocus);
      if (state === 'has focus') return;
      if (state === 'is gone') element = await target.elementHandle();
      else await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}.`);
  }

  async #enter(field: Locator): Promise<void> {
    if (this.means === 'mouse') await field.click();
    else await this.tabTo(field);
  }

  async #pressUntil(key: string, isDone: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < stepsMax; i += 1) {
      if (await isDone()) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead there.`);
  }
}
