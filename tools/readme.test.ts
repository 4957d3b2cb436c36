import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/kernel/settings.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('README', () => {
  it('lists every setting with its default and meaning, and no other', () => {
    const rows = [...readme.matchAll(/^\| `(MNEME_\w+)` \| (?:`([^`]*)` )?\| (.+) \|$/gm)];
    const told = Object.fromEntries(
      rows.map(([, name, fallback, meaning]) => [name, { fallback: fallback ?? '', meaning }]),
    );
    const known = Object.fromEntries(
      Object.entries(settings).map(([name, setting]) => [
        name,
        {
          fallback: ('defaultValue' in setting && setting.defaultValue) || '',
          meaning: setting.description,
        },
      ]),
    );
    expect(told).toEqual(known);
  });
});
