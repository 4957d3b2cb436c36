import { describe, expect, it } from 'vitest';
import { describeRecords, describeResult } from './describe.ts';
import { createStyle, plainStyle } from './style.ts';

const display = { width: null, style: plainStyle };
const created = '2026-01-05T09:30:00.000Z';

describe('describeRecords', () => {
  it('shows the columns of the operation that have a value', () => {
    const memory = { id: 'm1', created_at: created, tags: [], content: 'Ana\ndrinks tea.' };
    expect(describeRecords('memories.list', [memory], display)).toEqual([
      'ID  CREATED AT            CONTENT',
      'm1  2026-01-05T09:30:00Z  Ana drinks tea.',
    ]);
  });

  it('shows the scalar fields of a list without declared columns', () => {
    const records = [{ id: 'a', size: 3, name: 'x', extra: { y: 1 }, gone: null }];
    expect(describeRecords('some.list', records, display)).toEqual([
      'ID  SIZE  NAME',
      'a   3     x',
    ]);
  });

  it('names a column after the field that has the value', () => {
    const records = [{ score: 0.5, audio_file_id: 'f1', text: 'said' }];
    expect(describeRecords('search.post', records, display)[0]).toBe('SCORE  AUDIO FILE ID  TEXT');
  });

  it('says that nothing was found', () => {
    expect(describeRecords('memories.list', [], display)).toEqual(['nothing found']);
  });

  it('has the time of a deletion only if a record is deleted', () => {
    const kept = { id: 'a', content: 'x', deleted_at: null };
    const deleted = { id: 'b', content: 'y', deleted_at: '2026-01-05T09:30:00Z' };
    expect(describeRecords('memories.list', [kept], display)[0]).not.toContain('DELETED AT');
    expect(describeRecords('memories.list', [kept, deleted], display)).toEqual([
      'ID  DELETED AT            CONTENT',
      'a                         x',
      'b   2026-01-05T09:30:00Z  y',
    ]);
  });
});

describe('describeResult', () => {
  it('aligns the fields that have a value, and keeps the lines of a text', () => {
    const memory = { id: 'm1', content: 'one\ntwo\u001b[31m', tags: ['a', 'b'], note: null };
    expect(describeResult('memories.get', { ...memory, pinned: true }, display)).toEqual([
      'id       m1',
      'content  one',
      '         two [31m',
      'tags     a, b',
      'pinned   yes',
    ]);
  });

  it('shows nested fields with their path, and lists as tables', () => {
    const result = { id: 'c1', limits: { memories: 5 }, parts: { facts: [{ a: 1, name: 'x' }] } };
    expect(describeResult('some.get', result, display)).toEqual([
      'id               c1',
      'limits.memories  5',
      '',
      'parts.facts:',
      'A  NAME',
      '1  x',
    ]);
  });

  it('shows fields once that a record contains twice', () => {
    const entity = { id: 'e1', name: 'Ana' };
    expect(describeResult('some.get', { ...entity, entity }, display)).toEqual([
      'id    e1',
      'name  Ana',
    ]);
  });
});

describe('createStyle', () => {
  it.each([
    ['on a terminal', true, { TERM: 'xterm' }, '\u001b[1mx\u001b[22m'],
    ['with NO_COLOR', true, { TERM: 'xterm', NO_COLOR: '1' }, 'x'],
    ['on a dumb terminal', true, { TERM: 'dumb' }, 'x'],
    ['elsewhere', false, { TERM: 'xterm' }, 'x'],
  ])('has colours or not: %s', (_, isTerminal, environment, bold) => {
    expect(createStyle(isTerminal, environment).bold('x')).toBe(bold);
  });
});
