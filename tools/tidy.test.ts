/** The house rules, held over every file; STYLE.md and CONTRIBUTING.md say why they are there. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withoutAllowed } from './tidy/allowed.ts';
import { badExamples } from './tidy/examples.ts';
import { repositoryFiles } from './tidy/files.ts';
import { createFinding, formatFinding, type RuleName, ruleSources } from './tidy/finding.ts';
import { goodExamples } from './tidy/good-examples.ts';
import { rules } from './tidy/rules.ts';

const root = resolve(import.meta.dirname, '..');
const names = Object.keys(rules) as RuleName[];

describe('the repository keeps the house rules', () => {
  const files = repositoryFiles(root);
  const broken = withoutAllowed(names.flatMap((name) => rules[name](files))).sort(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line,
  );

  test('the files are really there to be read', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('package-lock.json');
    expect(paths).toContain('tools/tidy.test.ts');
    expect(paths.some((path) => path.includes('node_modules'))).toBe(false);
  });

  test.each(names)('%s', (name) => {
    const lines = broken.filter(({ rule }) => rule === name).map(formatFinding);
    expect(lines.join('\n')).toBe('');
  });
});

describe('each rule', () => {
  const titled = (name: RuleName) => badExamples[name].map((example) => ({ name, ...example }));

  test.each(names.flatMap(titled))('$name reports: $says', ({ name, files, location, message }) => {
    const found = rules[name](files.map(([path, text]) => ({ path, text })));
    expect(found).toHaveLength(1);
    expect(formatFinding(found[0] ?? createFinding(name, '', 0, ''))).toBe(
      `${location}  ${name}: ${message}  (${ruleSources[name]})`,
    );
  });

  test.each(names)('%s says nothing about what is well', (name) => {
    expect(rules[name](goodExamples.map(([path, text]) => ({ path, text })))).toEqual([]);
  });

  test.each(Object.values(ruleSources))('is written down where it says: %s', (place) => {
    const [file, heading] = place.split(/, "|"$/);
    const page = resolve(root, file ?? '');
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page, 'utf8')).toMatch(new RegExp(`^#+ ${heading}$`, 'm'));
  });
});

describe('the list of exceptions', () => {
  const found = createFinding('size', 'a.ts', 7, '120 columns, at most 100');
  const allowance = { rule: 'size', path: 'a.ts', max: 1, reason: 'one long formula' } as const;

  test('takes off what it names', () => {
    expect(withoutAllowed([found], [allowance])).toEqual([]);
  });

  test('takes off nothing of another file or rule', () => {
    const other = createFinding('size', 'b.ts', 7, '120 columns, at most 100');
    expect(withoutAllowed([found, other], [allowance])).toEqual([other]);
  });

  test('reports every place once there are more than it allows', () => {
    expect(withoutAllowed([found, found], [allowance])).toEqual([found, found]);
  });

  test('only tightens: an allowance that is too wide is a finding', () => {
    expect(withoutAllowed([], [allowance]).map(({ message }) => message)).toEqual([
      'tools/tidy/allowed.ts allows 1, only 0 needed',
    ]);
  });
});
