import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/kernel/settings.ts';
import { settingsText } from './emit-settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const markdownIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(folder, name));
const benches = ['.', 'knowledge', 'results', 'retrieval', 'search'];
const documents = [
  ...['.', 'docs', 'docs/decisions', 'docs/operate', 'clients/python'],
  ...['cli', 'clustering', 'contract', 'extraction', 'sdk', 'text'].map(
    (name) => `packages/${name}`,
  ),
  ...['bench', 'bench/first-person'].map((name) => `packages/extraction/${name}`),
  ...benches.map((folder) => path.posix.join('bench', folder)),
].flatMap(markdownIn);

/** As GitHub forms the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(file: string): string[] {
  const text = read(file).replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** Links to files that do not exist, or to headings that they do not have. */
function brokenLinks(file: string): string[] {
  const links = [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)];
  return links
    .map(([, link = '']) => link)
    .filter((link) => {
      const [target = '', anchor] = link.split('#');
      const named = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
      if (!existsSync(path.join(root, named))) return true;
      return anchor !== undefined && !anchorsOf(named).includes(anchor);
    });
}

describe('docs/settings.md', () => {
  const page = read('docs/settings.md');

  it('lists every setting with its default and meaning, and no other', () => {
    const rows = [...page.matchAll(/^\| `((?:MNEME|OTEL)_\w+)` \| (?:`([^`]*)` )?\| (.+) \|$/gm)];
    const listed = Object.fromEntries(
      rows.map(([, name, defaultValue, meaning]) => [
        name,
        { defaultValue: defaultValue ?? '', meaning },
      ]),
    );
    const expected = Object.fromEntries(
      Object.entries(settings).map(([name, setting]) => [
        name,
        {
          defaultValue: ('defaultValue' in setting && setting.defaultValue) || '',
          meaning: setting.description,
        },
      ]),
    );
    expect(listed).toEqual(expected);
    expect(rows).toHaveLength(Object.keys(settings).length);
  });

  it('is what the code says: run npm run settings', () => {
    expect(page).toBe(settingsText());
  });
});

describe('the documents', () => {
  it.each(documents)('%s links to files and headings that exist', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  it('begin with a README of at most 130 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(130);
  });
});
