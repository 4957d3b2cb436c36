import { describe, expect, it } from 'vitest';
import { coverageProblems, coverageText } from './emit-coverage.ts';
import { findCoverageProblems } from './published/coverage-check.ts';
import { parseStatementArea } from './published/statements.ts';
import { parseTitles } from './published/titles.ts';

describe('the statements of docs/published', () => {
  it('name only tests that there are, every route, and every error code', () => {
    expect(coverageProblems()).toEqual([]);
  });

  it('become a page with a row for each', () => {
    const text = coverageText();
    const count = Number(/^(\d+) statements/m.exec(text)?.[1]);
    const rows = text.split('## Every error code')[0]?.match(/^\| (?!statement|---).* \|$/gm);
    expect(count).toBeGreaterThan(600);
    expect(rows).toHaveLength(count);
  });
});

const area = `# Memories
## Part A
content is required
> memories.create memories.bulkCreate
- memories/fields: refuse %s, naming the field
Media
! Later.
`;

describe('a file of statements', () => {
  it('is read line by line', () => {
    expect(parseStatementArea(area)).toEqual({
      title: 'Memories',
      statements: [
        {
          source: 'Part A',
          text: 'content is required',
          routes: ['memories.create', 'memories.bulkCreate'],
          tests: [
            {
              path: 'test/acceptance/memories/fields.test.ts',
              title: 'refuse %s, naming the field',
            },
          ],
          reason: null,
        },
        { source: 'Part A', text: 'Media', routes: [], tests: [], reason: 'Later.' },
      ],
    });
  });

  it('is refused where a line belongs to no statement', () => {
    expect(() => parseStatementArea('# Memories\n> memories.create')).toThrow(
      'nothing is said before it',
    );
  });
});

describe('the titles of a test file', () => {
  it('are those of its tests with their groups, however they are made', () => {
    const text = `
      describe.each(engines)('on %s', () => {
        it('one', f);
        describe('group', () => { it.each(rows)('two %s', f); });
        it.each\`a\`(\`three \${x}\`, f);
      });
      test('four', f);
      notATest('five', f);
    `;
    expect(parseTitles('a.test.ts', text)).toEqual([
      { title: 'one', fullTitle: 'on %s › one' },
      { title: 'two %s', fullTitle: 'on %s › group › two %s' },
      { title: 'three …', fullTitle: 'on %s › three …' },
      { title: 'four', fullTitle: 'four' },
    ]);
  });
});

describe('a page of statements', () => {
  const path = 'test/acceptance/memories/fields.test.ts';
  const titles = new Map([[path, [{ title: 'other', fullTitle: 'other' }]]]);

  it('has a fault for a test that is gone, an unknown route, and what is held by none', () => {
    const areas = [parseStatementArea(`${area}Held by none\n> memories.none`)];
    expect(findCoverageProblems(areas, titles, []).slice(0, 3)).toEqual([
      `"content is required": there is no test "refuse %s, naming the field" in ${path}`,
      '"Held by none": is held by no test',
      '"Held by none": there is no route memories.none',
    ]);
  });

  it('has a fault for each route that nothing names, and each code that nothing provokes', () => {
    const faults = findCoverageProblems([parseStatementArea(area)], titles, [
      { code: 'not_found', route: null },
    ]);
    expect(faults).toContain('no statement names the route search.get');
    expect(faults).not.toContain('no statement names the route memories.create');
    expect(faults).toContain('no row of the table of errors provokes invalid_json');
    expect(faults).not.toContain('no row of the table of errors provokes not_found');
  });
});
