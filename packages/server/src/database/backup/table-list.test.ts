import { describe, expect, it } from 'vitest';
import { DatabaseBackupInvalid } from '../errors.ts';
import { parseTableList, sortTablesByReferences } from './table-list.ts';

const table = (name: string) => ({ name, columns: [{ name: 'id', type: 'integer' }] });

describe('the list of tables', () => {
  it('has each table after the tables that its foreign keys reference', () => {
    const references = [
      { source: 'a', target: 'c' },
      { source: 'c', target: 'b' },
      { source: 'd', target: 'b' },
    ];
    const ordered = sortTablesByReferences(['a', 'b', 'c', 'd'].map(table), references);
    expect(ordered.map(({ name }) => name)).toEqual(['b', 'c', 'd', 'a']);
  });

  it('is rejected if foreign keys form a cycle, since no loading order exists', () => {
    const references = [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'a' },
    ];
    expect(() => sortTablesByReferences(['a', 'b', 'c'].map(table), references)).toThrow(
      'cycle: a, b',
    );
    expect(() => sortTablesByReferences([table('a')], [{ source: 'a', target: 'a' }])).toThrow(
      'cycle: a',
    );
  });

  it.each([
    ['no JSON', '{"tables":'],
    ['other JSON', '{"tables":{}}'],
    ['a name that would need quotes', JSON.stringify({ tables: [table('a"; --')], sequences: [] })],
    [
      'a value of a sequence that is no number',
      JSON.stringify({
        tables: [],
        sequences: [{ name: 's', last_value: '1); --', is_called: true }],
      }),
    ],
  ])('is rejected for %s', (_, text) => {
    expect(() => parseTableList(text)).toThrow(DatabaseBackupInvalid);
  });
});
