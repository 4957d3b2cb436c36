import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailSendFailed } from '../../../packages/server/src/providers/mail/index.ts';
import { isAvailable } from '../../support/requirements.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { furtherTasks, operatorTasks } from './console-further-tasks.ts';
import { tasks } from './console-tasks.ts';
import { type ViewName, views } from './console-views.ts';
import {
  createHostileAccount,
  type HostileAccount,
  startHostileConsole,
} from './hostile-account.ts';
import { type Means, Person } from './person.ts';

const isPossible = isAvailable('chromium') && isAvailable('ffmpeg');
const names = Object.keys(tasks) as (keyof typeof tasks)[];
const pathOf = (name: keyof typeof tasks, account: HostileAccount): string =>
  name === 'Sign in' ? '/memories' : views[name satisfies ViewName].path(account);

describe.runIf(isPossible)('the task of each view of the console', () => {
  let console: ConsoleBrowser;
  /** Until the account is complete: its mails fail for good. */
  let isMailRefused = true;
  beforeAll(async () => {
    console = await startHostileConsole(async () => {
      if (!isMailRefused) return 'accepted';
      throw new MailSendFailed('Refused.', { isPermanent: true, isRecipientRejected: false });
    });
  });
  afterAll(() => console[Symbol.asyncDispose]());

  describe.each<Means>(['mouse', 'keyboard'])('with the %s alone', (means) => {
    let account: HostileAccount;
    let page: Page;
    let faults: readonly string[];
    beforeAll(async () => {
      isMailRefused = true;
      account = await createHostileAccount(console.service);
      isMailRefused = false;
      // Whom motion disturbs has the same tasks.
      const isStill = means === 'keyboard';
      ({ page, faults } = await console.open('/memories', account.key, { isStill }));
    }, 240_000);

    it.each(names.map((name) => [name, tasks[name].does] as const))('%s: %s', async (name) => {
      await page.goto(`${console.service.url}/console${pathOf(name, account)}`);
      await tasks[name].run(new Person(page, means), account);
      expect(faults).toEqual([]);
    });

    it.each(Object.entries(furtherTasks))('can %s', async (_, { path, run }) => {
      await page.goto(`${console.service.url}/console${path(account)}`);
      await run(new Person(page, means), account);
      expect(faults).toEqual([]);
    });

    it.each(Object.entries(operatorTasks))('lets operators %s', async (_, { path, run }) => {
      const opened = await console.open(path(account), console.service.adminKey);
      await run(new Person(opened.page, means), account);
      expect(opened.faults).toEqual([]);
    });

    it('every page of the navigation has one', async () => {
      await page.goto(`${console.service.url}/console/memories`);
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      await links.first().waitFor();
      const pages = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      const paths = names.map((name) => `/console${pathOf(name, account)}`.split('?')[0]);
      expect(pages.filter((href) => !paths.includes(href ?? ''))).toEqual([]);
    });
  });
});
