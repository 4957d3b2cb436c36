import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repositoryFiles } from '../tidy/files.ts';
import { testAreasByImportGraph } from './areas.ts';
import { buildImportGraph } from './graph.ts';
import { selectTests } from './select.ts';

const server = 'packages/server/src';
const domains = `${server}/domains`;
const start = "import { startService } from '../../support/service.ts';";
const withClock = "import { clock } from '../../kernel/clock.ts';";
const wired = ['spaces', 'memories', 'webhooks', 'email', 'search'];
const small: Readonly<Record<string, string>> = {
  [`${server}/serve.ts`]: "import './context.ts';",
  [`${server}/context.ts`]: [
    "import './kernel/clock.ts';",
    ...wired.map((name) => `import './domains/${name}/index.ts';`),
  ].join('\n'),
  [`${server}/kernel/clock.ts`]: 'export const clock = 1;',
  'packages/text/src/index.ts':
    "export { stem } from './stem.ts'; export { terms } from './terms.ts';",
  'packages/text/src/stem.ts': 'export const stem = 1;',
  'packages/text/src/stem.test.ts': "import { stem } from './stem.ts';",
  'packages/text/src/terms.ts': 'export const terms = 1;',
  [`${domains}/spaces/index.ts`]: `${withClock} export { read } from './read.ts';`,
  [`${domains}/spaces/read.ts`]: 'export const read = 1;',
  [`${domains}/memories/index.ts`]:
    "export { create } from './create.ts'; export { list } from './list.ts';",
  [`${domains}/memories/create.ts`]: `${withClock} export const create = 1;`,
  [`${domains}/memories/list.ts`]: 'export const list = 1;',
  [`${domains}/webhooks/index.ts`]: `${withClock} export const send = 1;`,
  [`${domains}/email/index.ts`]:
    "import { create } from '../memories/index.ts'; export const mail = 1;",
  [`${domains}/email/words.json`]: '{}',
  [`${domains}/email/mail.test.ts`]:
    "import { mail } from './index.ts'; read(new URL('words.json', import.meta.url));",
  [`${domains}/search/index.ts`]: `${withClock} import { stem } from '@mneme/text';`,
  'test/support/service.ts': "import { serve } from '../../packages/server/src/serve.ts';",
  'test/support/words.ts': 'export const words = 1;',
  'test/acceptance/memories/a.test.ts': start,
  'test/acceptance/email/b.test.ts': `${start} import { words } from '../../support/words.ts';`,
  'test/acceptance/email/c.slow.test.ts': start,
  'test/acceptance/search/d.test.ts': "import type { words } from '../../support/words.ts';",
  'test/acceptance/webhooks/e.test.ts': start,
  'tools/tidy.test.ts': '',
};
const files = Object.entries(small).map(([path, text]) => ({ path, text }));
const chosen = (path: string, slow = false): string[] =>
  selectTests(files, [path], { slow })
    .tests.filter((test) => test !== 'tools/tidy.test.ts')
    .map((test) => test.split('/').at(-1) ?? '');

describe('the tests of a change', () => {
  it('import what was changed, directly or through others, types left out', () => {
    expect(chosen('packages/text/src/stem.test.ts')).toEqual(['stem.test.ts']);
    expect(chosen('test/support/words.ts')).toEqual(['b.test.ts']);
    expect(chosen('test/support/service.ts')).toEqual(['b.test.ts', 'a.test.ts', 'e.test.ts']);
  });

  it('are of the areas of the domains that import it, and not all that start a server', () => {
    expect(chosen(`${domains}/webhooks/index.ts`)).toEqual(['e.test.ts']);
    expect(chosen('packages/text/src/stem.ts')).toEqual(['stem.test.ts', 'd.test.ts']);
  });

  it('follow a name through an index file to where it is made', () => {
    expect(chosen(`${domains}/memories/create.ts`)).toEqual([
      'mail.test.ts',
      'b.test.ts',
      'a.test.ts',
    ]);
    expect(chosen(`${domains}/memories/list.ts`)).toEqual(['a.test.ts']);
  });

  it('are of all areas where nearly all domains import it, or none', () => {
    const all = ['b.test.ts', 'a.test.ts', 'd.test.ts', 'e.test.ts'];
    expect(chosen(`${server}/kernel/clock.ts`)).toEqual(['mail.test.ts', ...all]);
    expect(chosen(`${server}/context.ts`)).toEqual(all);
  });

  it('read a file that is no code', () => {
    expect(chosen(`${domains}/email/words.json`)).toEqual(['mail.test.ts']);
  });

  it('have the slow ones among them where these are wanted', () => {
    expect(chosen(`${domains}/email/index.ts`, true)).toEqual([
      'mail.test.ts',
      'b.test.ts',
      'c.slow.test.ts',
    ]);
  });

  it('are all where everything depends on it, and none without a change', () => {
    expect(selectTests(files, ['package.json']).tests).toHaveLength(7);
    expect(selectTests(files, []).tests).toEqual([]);
  });

  it('always have those that read the whole repository, with the reason for each file', () => {
    const { tests, total, reasons } = selectTests(files, [
      'README.md',
      `${domains}/webhooks/index.ts`,
    ]);
    expect(tests).toEqual(['test/acceptance/webhooks/e.test.ts', 'tools/tidy.test.ts']);
    expect(total).toBe(7);
    expect(reasons).toEqual([
      'README.md: 0 by imports',
      `${domains}/webhooks/index.ts: 0 by imports, 1 by area (webhooks)`,
    ]);
  });
});

describe('the areas of this repository', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const graph = buildImportGraph(repositoryFiles(root));
  const areasOf = testAreasByImportGraph(graph);
  const folders = new Set(readdirSync(`${root}test/acceptance`));

  it('are folders of test/acceptance, for every file of the source', () => {
    const named = [...graph.keys()].flatMap((path) => {
      const areas = areasOf(path);
      return areas === 'all' ? [] : areas;
    });
    expect([...new Set(named)].filter((area) => !folders.has(area))).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(15);
  });

  it('are few for what one domain has for itself', () => {
    expect(areasOf(`${domains}/webhooks/delivery/sender.ts`)).toEqual(['webhooks']);
    expect(areasOf('packages/clustering/src/hdbscan/hdbscan.ts')).toEqual(['clusters']);
    const extraction = areasOf('packages/extraction/src/entities/extract.ts');
    expect(extraction).toEqual(areasOf(`${server}/providers/language/local/topics.ts`));
    expect(areasOf(`${server}/kernel/clock.ts`)).toBe('all');
    expect(areasOf('packages/contract/src/routes/webhooks.ts')).toEqual([
      'contract',
      'errors',
      'webhooks',
    ]);
  });
});
