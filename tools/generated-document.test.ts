import { describe, expect, test } from 'vitest';
import { describeStaleness, firstDifference } from './generated-document.ts';

describe('the difference between two documents', () => {
  test('is none where they are the same', () => {
    expect(firstDifference('a\nb\n', 'a\nb\n')).toBeNull();
  });

  test('names the first line that differs', () => {
    const found = { line: 2, committed: 'b', fresh: 'c' };
    expect(firstDifference('a\nb\n', 'a\nc\n')).toEqual(found);
  });

  test('names the end where one is shorter', () => {
    const found = { line: 2, committed: '(end of file)', fresh: 'b' };
    expect(firstDifference('a', 'a\nb')).toEqual(found);
  });
});

describe('a document that is not as it should be', () => {
  test('is told with its first line that differs, also where there is no file', () => {
    const document = { path: 'docs/none.md', command: 'npm run none', text: '# None\n' };
    expect(describeStaleness(document)).toBe(
      'docs/none.md is stale from line 1 on: npm run none\n- \n+ # None',
    );
  });
});
