import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuestions } from './questions.ts';

const id = '019b8d1c-0000-7000-8000-000000000001';
const parse = (...lines: unknown[]) =>
  parseQuestions(
    'q.jsonl',
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );

describe('parseQuestions', () => {
  it('reads ids, parts of texts and metadata, with the scope of the question', () => {
    expect(
      parse(
        { query: 'a', expected: [id, `mem_${id.toUpperCase()}`, 'tea'] },
        '',
        { query: 'b', expected: { metadata: { source: 7 } }, space: 's', user_id: 'u' },
        { query: 'c', answerable: false, as_of: '2026-01-01' },
      ),
    ).toEqual([
      { line: 1, query: 'a', expected: [{ id }, { id }, { text: 'tea' }] },
      { line: 3, query: 'b', expected: [{ metadata: { source: 7 } }], space: 's', user_id: 'u' },
      { line: 4, query: 'c', expected: [], as_of: '2026-01-01' },
    ]);
  });

  it.each([
    ['{"query":', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    [{ expected: ['x'] }, 'query is required'],
    [{ query: ' ', expected: ['x'] }, 'query must be a text that is not empty'],
    [{ query: 'a' }, 'expected is required, unless answerable is false'],
    [{ query: 'a', expected: [] }, 'expected is required, unless answerable is false'],
    [{ query: 'a', expected: ['x'], answerable: false }, 'expected must be empty'],
    [{ query: 'a', expected: ['x', 5] }, 'expected.1 must be an id'],
    [{ query: 'a', expected: [{ id: 'x' }] }, 'expected.0 must be an id'],
    [{ query: 'a', expected: [{ metadata: {} }] }, 'expected.0 must be an id'],
    [{ query: 'a', expected: [{ id, text: 'x' }] }, 'expected.0 must be an id'],
    [{ query: 'a', expected: ['x'], answerable: 'no' }, 'answerable must be true or false'],
    [{ query: 'a', expected: ['x'], as_of: 'soon' }, 'as_of must be a time'],
    [{ query: 'a', expected: ['x'], user: 'u' }, 'user is not a field; the fields are query'],
  ])('names file, line and field of %j', (line, problem) => {
    expect(() => parse({ query: 'fine', expected: ['x'] }, line)).toThrow(`q.jsonl:2: ${problem}`);
  });

  it('rejects a file without questions', () => {
    expect(() => parse('', ' ')).toThrow('q.jsonl has no questions');
  });

  it('throws nothing but errors that name the line, whatever the text is', () => {
    const anyLine = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object().map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(fc.array(anyLine), (lines) => {
        try {
          parse(...lines);
        } catch (error) {
          expect(String(error)).toMatch(/^CliError: q\.jsonl(?::\d+: | has no questions)/);
        }
      }),
    );
  });
});
