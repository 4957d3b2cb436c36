import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import type { HostileAccount } from './hostile-account.ts';
import type { Person } from './person.ts';

/** What people do besides the main task of a view. */
interface FurtherTask {
  readonly path: (account: HostileAccount) => string;
  readonly run: (person: Person, account: HostileAccount) => Promise<void>;
}

const store = async ({ client }: HostileAccount, content: string) =>
  (await client.memories.create({ body: { content } })).id;
const get = ({ client }: HostileAccount, id: string) => client.memories.get({ params: { id } });
const addressOf = ({ page }: Person) => new URL(page.url()).searchParams;
const button = ({ page }: Person, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

const ofMemories: Readonly<Record<string, FurtherTask>> = {
  'see where a memory is on the map, from its clusters': {
    path: ({ linked }) => `/memories?id=${linked}`,
    run: async (person, { linked }) => {
      const { page } = person;
      await person.openTab('Links');
      await person.press(page.getByRole('link', { name: 'Show on the map' }));
      await page.locator('.map-label').first().waitFor();
      expect(addressOf(person).get('id')).toBe(linked);
    },
  },
  'store a memory by hand': {
    path: () => '/memories',
    run: async (person, account) => {
      const content = `By hand with the ${person.means}.`;
      await button(person, 'New memory').waitFor();
      await person.act({
        mouse: () => button(person, 'New memory').click(),
        keyboard: () => person.page.keyboard.press('n'),
      });
      const dialog = person.page.getByRole('dialog');
      await person.type(dialog.getByLabel('Content'), content);
      await person.press(dialog.getByRole('button', { name: 'Store' }));
      await dialog.waitFor({ state: 'detached' });
      const { data } = await account.client.memories.list({ query: { limit: 1 } });
      expect(data[0]?.content).toBe(content);
    },
  },
  'filter the list, and clear the filters': {
    path: () => '/memories',
    run: async (person) => {
      const { page } = person;
      await person.choose(page.getByLabel('Type'), 'audio');
      await expect.poll(() => page.locator('.row[role="option"]').count()).toBe(1);
      await person.type(page.getByLabel('Tags', { exact: true }), 'none');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'No memory matches these filters' }).waitFor();
      await person.press(button(person, 'Clear filters'));
      await expect.poll(() => addressOf(person).get('type')).toBeNull();
    },
  },
  'pin and protect a memory, and undo it': {
    path: ({ linked }) => `/memories?id=${linked}`,
    run: async (person, account) => {
      const { page } = person;
      await person.press(button(person, 'Pin: exempt it from decay'));
      await page.getByText('Pinned.').waitFor();
      await person.press(button(person, 'Protect against deletion'));
      await page.getByText('Protection: soft.').waitFor();
      const stored = await get(account, account.linked);
      expect([stored.is_pinned, stored.protection_level]).toEqual([true, 'soft']);
      for (const text of ['Pinned.', 'Protection: soft.']) {
        const toast = page.locator('.toast', { hasText: text });
        await person.press(toast.getByRole('button', { name: 'Undo' }));
        await toast.waitFor({ state: 'detached' });
      }
      await expect
        .poll(async () => (await get(account, account.linked)).protection_level)
        .toBe('none');
      expect((await get(account, account.linked)).is_pinned).toBe(false);
    },
  },
  'restore a memory, delete it again, and then for good': {
    path: () => '/memories?deleted=true',
    run: async (person, account) => {
      const { page } = person;
      const id = await store(account, `Deleted with the ${person.means}.`);
      await account.client.memories.remove({ params: { id }, query: { soft: true } });
      await page.goto(page.url().replace(/\?.*/, `?deleted=true&id=${id}`));
      await person.press(page.locator('.detail').getByRole('button', { name: 'Restore' }));
      await page.getByText('Restored 1 memory.').waitFor();
      expect((await get(account, id)).is_deleted).toBe(false);
      await person.press(page.locator('.detail').getByRole('button', { name: 'Delete' }));
      await page.getByText('Deleted 1 memory.').waitFor();
      await person.press(page.locator('.detail').getByRole('button', { name: /^Delete perm/ }));
      await person.press(button(person, 'Permanently delete 1 memory'));
      await page.getByText('Permanently deleted 1 memory.').waitFor();
      await expect(get(account, id)).rejects.toMatchObject({ code: 'memory_not_found' });
    },
  },
  'tag all memories that match, and undo it': {
    path: () => '/memories?type=text',
    run: async (person, { client }) => {
      const { page } = person;
      const countTagged = async () =>
        (await client.memories.facets()).tags.find(({ tag }) => tag === 'seen')?.count ?? 0;
      const count = (await client.memories.facets({ query: { content_type: 'text' } })).total;
      await page.locator('.row[role="option"]').first().waitFor();
      await person.act({
        mouse: () => page.locator('.row-check').first().click(),
        keyboard: async () => {
          await page.keyboard.press('j');
          await page.locator('.row[data-active]').waitFor();
          await page.keyboard.press('x');
        },
      });
      await person.press(button(person, `Select all ${count} that match`));
      await person.press(button(person, 'Tag'));
      await person.type(page.getByLabel('Add tags'), 'seen');
      await page.keyboard.press('Enter');
      await person.press(button(person, `Tag ${count} memories`));
      const toast = page.locator('.toast', { hasText: `Tagged ${count} memories.` });
      await toast.waitFor();
      expect(await countTagged()).toBe(count);
      await person.press(toast.getByRole('button', { name: 'Undo' }));
      await expect.poll(countTagged).toBe(0);
    },
  },
  'merge an edit with that of somebody else': {
    path: ({ linked }) => `/memories?id=${linked}`,
    run: async (person, account) => {
      const { page } = person;
      const id = account.linked;
      await person.press(button(person, 'Edit'));
      await person.type(page.getByLabel('Content'), 'Ours.');
      const body = { content: `Theirs, against the ${person.means}.`, priority: 8 };
      await account.client.memories.update({ params: { id }, body });
      await person.press(button(person, 'Save'));
      await page.getByText('Somebody changed this memory').waitFor();
      await person.chooseRadio(page.getByRole('radio', { name: /^Theirs/ }));
      await person.press(button(person, 'Save merged version'));
      await button(person, 'Edit').waitFor();
      expect(await get(account, id)).toMatchObject(body);
    },
  },
};

const ofKnowledge: Readonly<Record<string, FurtherTask>> = {
  'see why a memory is not found': {
    path: () => '/search',
    run: async (person, { memory }) => {
      const { page } = person;
      await person.type(page.getByLabel('Id of a memory that you expected'), memory);
      await page.keyboard.press('Enter');
      await page.getByText('Enter the query that should find it.').waitFor();
      await page.keyboard.press('/');
      await person.type(page.getByRole('searchbox'), '"no such phrase"');
      await page.getByText('A filter, a quoted phrase or an excluded word removes it').waitFor();
      await person.press(button(person, 'Close the explanation'));
      await expect.poll(() => addressOf(person).get('why')).toBeNull();
    },
  },
  'filter a search, and see the parts of the scores': {
    path: () => '/search?q=battery',
    run: async (person) => {
      const { page } = person;
      await page.locator('.result').first().waitFor();
      await person.press(button(person, 'Explain scores'));
      await page.locator('.features').first().waitFor();
      await person.choose(page.getByLabel('Type'), 'url');
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    },
  },
  'hide a type of nodes, keep a type of edges, and go back in time': {
    path: ({ entity }) => `/graph?entity=${entity}`,
    run: async (person) => {
      const { page } = person;
      await page.locator('.graph-frame[data-settled]').waitFor();
      await person.press(page.locator('.graph-menu summary'));
      await person.check(page.getByRole('checkbox', { name: 'knows' }));
      await page.getByText('1 types of edges').waitFor();
      await person.act({
        mouse: () => page.getByLabel('Known at').click({ position: { x: 2, y: 8 } }),
        keyboard: async () => {
          await person.tabTo(page.getByLabel('Known at'));
          await page.keyboard.press('Home');
        },
      });
      await expect.poll(() => addressOf(person).get('knownAt')).not.toBeNull();
    },
  },
  'delete the memories of a cluster on the map, and undo it': {
    path: () => '/map',
    run: async (person, { client }) => {
      const { page } = person;
      const count = async () => (await client.memories.facets()).total;
      const before = await count();
      await person.press(page.locator('.map-clusters button').first());
      await person.press(button(person, /^Select all \d+$/));
      await page.getByText(/^\d+ memories selected$/).waitFor();
      await person.act({
        mouse: () => page.locator('.selection-bar').getByRole('button', { name: 'Delete' }).click(),
        keyboard: () => page.keyboard.press('#'),
      });
      await page.getByText(/^Deleted \d+ memories\.$/).waitFor();
      expect(await count()).toBeLessThan(before);
      await person.act({
        mouse: () => button(person, 'Undo').click(),
        keyboard: () => page.keyboard.press('z'),
      });
      await expect.poll(count).toBe(before);
    },
  },
  'open a year of the timeline': {
    path: () => '/timeline',
    run: async (person) => {
      const { page } = person;
      await page.locator('.timeline-item').first().waitFor();
      await person.press(button(person, 'Year'));
      await person.press(page.locator('.timeline-bucket[aria-expanded="false"]').first());
      await page.locator('.timeline-item').first().waitFor();
    },
  },
  'jump to a hit in a transcript': {
    path: ({ recording }) => `/recordings?id=${recording}`,
    run: async (person) => {
      const { page } = person;
      await person.type(page.getByLabel('Find in the transcript'), 'battery');
      await page.getByText('1 hit', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.transcript-segment[aria-current]').waitFor();
    },
  },
};

const spam = 'spam@example.net';

const ofOperations: Readonly<Record<string, FurtherTask>> = {
  'send a test to a webhook, and replay events': {
    path: ({ webhook }) => `/deliveries?webhook=${webhook}`,
    run: async (person, { client }) => {
      const { page } = person;
      await person.press(button(person, 'Send a test'));
      await page.getByText(/^The test failed: /).waitFor();
      await person.press(button(person, 'Replay events'));
      await person.press(button(person, 'Replay'));
      await page.getByText('The replay runs as a job.').waitFor();
      await person.press(button(person, 'Done'));
      const kinds = (await client.jobs.list()).data.map(({ kind }) => kind);
      expect(kinds).toContain('webhooks.replay');
    },
  },
  'let the sender of a rejected mail in': {
    path: () => '/mail?received=rejected',
    run: async (person, { client }) => {
      const { page } = person;
      const to = await getOrCreateAddress(client);
      const raw = [`From: ${spam}`, `To: ${to}`, 'Subject: Spam', '', 'Hello'].join('\r\n');
      await postInboundMail(client, raw);
      await eventually(
        () => client.email.listHistory({ query: { status: 'rejected' } }),
        ({ data }) => data.some(({ sender }) => sender === spam),
      );
      await page.reload();
      const row = page.locator('.row-item', { hasText: spam });
      await person.press(row.getByRole('button', { name: 'Allow sender' }));
      await page.getByText(`Later mail of ${spam} is accepted.`).waitFor();
      const patterns = (await client.email.listSenders()).data.map((rule) => rule.email_pattern);
      expect(patterns).toContain(spam);
    },
  },
  'end another session': {
    path: () => '/settings',
    run: async (person, { client }) => {
      const { page } = person;
      const { id } = await client.auth.createToken({ body: { expires_in: 900 } });
      await page.reload();
      const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
      await rows.filter({ hasText: 'this browser' }).waitFor();
      const others = rows.filter({ hasNotText: 'this browser' });
      await person.press(others.first().getByRole('button', { name: 'End' }));
      await page.getByText('Session ended.').waitFor();
      const left = (await client.auth.listTokens()).data.map((token) => token.id);
      expect(left).not.toContain(id);
    },
  },
  'revoke a key, after its count was named': {
    path: () => '/settings',
    run: async (person, { client }) => {
      const name = `revoked by ${person.means}`;
      await client.keys.create({ body: { name } });
      await person.page.reload();
      await person.press(button(person, `Revoke ${name}`));
      await person.press(button(person, 'Revoke 1 key'));
      await button(person, `Revoke ${name}`).waitFor({ state: 'detached' });
    },
  },
  'create, change and delete a space with its memories': {
    path: () => '/settings',
    run: async (person, { client }) => {
      const { page } = person;
      const name = `Travel by ${person.means}`;
      const find = async () => (await client.spaces.list()).data.find((one) => one.name === name);
      await person.press(button(person, 'Create space'));
      await person.type(page.getByRole('dialog').getByLabel('Name'), name);
      await person.press(page.getByRole('dialog').getByRole('button', { name: 'Create space' }));
      await person.press(button(person, `Edit ${name}`));
      await person.type(page.getByLabel('Forget memories after, in days'), '30');
      await person.press(button(person, 'Save'));
      await page.getByText('memories are forgotten after 30 days').waitFor();
      const space = await find();
      expect(space?.memory_lifetime_days).toBe(30);
      await client.memories.create({ body: { content: 'On the way.', space_id: space?.id } });
      await person.press(button(person, `Delete ${name}`));
      await person.check(page.getByLabel(/^Also erase its 1 memory/));
      await person.press(button(person, 'Delete it and 1 memory'));
      await expect.poll(find).toBeUndefined();
    },
  },
  'export the account, and import the archive': {
    path: () => '/settings',
    run: async (person) => {
      const { page } = person;
      const downloading = page.waitForEvent('download');
      await person.press(button(person, 'Export'));
      const file = await (await downloading).path();
      const choosing = page.waitForEvent('filechooser');
      await person.press(button(person, 'Import an archive'));
      await (await choosing).setFiles(file);
      await page.getByText('Import completed.').waitFor();
    },
  },
  'use dark colours, and light ones again': {
    path: () => '/settings',
    run: async (person) => {
      const { page } = person;
      await person.press(button(person, 'Use dark colours'));
      await page.locator('html[data-theme="dark"]').waitFor();
      await person.press(button(person, 'Use light colours'));
      await page.locator('html[data-theme="light"]').waitFor();
    },
  },
  'read the list of shortcuts': {
    path: () => '/settings',
    run: async (person) => {
      const { page } = person;
      await button(person, 'Create key').waitFor();
      await person.act({
        mouse: async () => {
          await page.locator('.palette-opener').click();
          await page.getByRole('option', { name: 'Keyboard shortcuts' }).click();
        },
        keyboard: () => page.keyboard.press('?'),
      });
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  'sign in to look around': {
    path: () => '/settings',
    run: async (person, { key }) => {
      const { page } = person;
      await person.press(button(person, 'Sign out'));
      await person.check(page.getByLabel('Read only'));
      await person.type(page.getByLabel('API key'), key);
      await person.press(button(person, 'Sign in'));
      await page.getByText('Read only', { exact: true }).waitFor();
      await person.press(button(person, 'Sign out'));
      await person.type(page.getByLabel('API key'), key);
      await person.press(button(person, 'Sign in'));
      await button(person, 'Create key').waitFor();
    },
  },
};

export const furtherTasks = { ...ofMemories, ...ofKnowledge, ...ofOperations };

/** Of operators; `account` is another one than theirs. */
export const operatorTasks: Readonly<Record<string, FurtherTask>> = {
  'look around in another account, and return': {
    path: () => '/settings',
    run: async (person, { client }) => {
      const { page } = person;
      const { name } = await client.account.get();
      await person.press(button(person, `Look around in ${name}`));
      await page.getByText(`Account ${name}`).waitFor();
      await page.locator('.row[role="option"]').first().waitFor();
      await person.press(button(person, 'Back to yours'));
      await page.getByText(`Account ${name}`).waitFor({ state: 'detached' });
    },
  },
  'pause a queue, and resume it': {
    path: () => '/jobs',
    run: async (person) => {
      await person.press(button(person, 'All accounts'));
      await person.press(button(person, 'Pause model-tests'));
      await person.press(button(person, 'Resume model-tests'));
      await button(person, 'Pause model-tests').waitFor();
    },
  },
};
