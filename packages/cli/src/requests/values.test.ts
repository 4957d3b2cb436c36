import { describe, expect, it } from 'vitest';
import type { ValueType } from '../command-data.ts';
import { parseTime, parseValue, type ValueSource } from './values.ts';

const source: ValueSource = {
  readInput: async () => 'from stdin\nsecond line',
  readFile: async (path) => `content of ${path}`,
  now: () => new Date('2026-03-10T12:00:00Z'),
};

const parse = (type: ValueType, ...texts: string[]): Promise<unknown> =>
  parseValue({ type, field: 'field' }, texts, '--field', source);

describe('parseValue', () => {
  it.each<[ValueType, string, unknown]>([
    ['text', 'tea', 'tea'],
    ['text', '-', 'from stdin\nsecond line'],
    ['text', '@notes.txt', 'content of notes.txt'],
    ['text', '@@ana drinks tea', '@ana drinks tea'],
    ['word', '@ana', '@ana'],
    ['word', '-', '-'],
    ['integer', '-3', -3],
    ['number', '0.25', 0.25],
    ['number', '1e-3', 0.001],
    ['list', 'a, b,,c', ['a', 'b', 'c']],
    ['list', '-', ['from stdin', 'second line']],
    ['numbers', '1,0.5 -2', [1, 0.5, -2]],
    ['numbers', '[1,2]', [1, 2]],
    ['object', 'year=2026', { year: 2026 }],
    ['object', 'name=Ana=x', { name: 'Ana=x' }],
    ['object', '{"a":{"b":1}}', { a: { b: 1 } }],
    ['filter', 'year=2026', { year: '2026' }],
    ['json', '{"a":1}', [{ a: 1 }]],
    ['json', '[{"a":1}]', [{ a: 1 }]],
    ['json', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ])('reads %s from %j', async (type, text, value) => {
    expect(await parse(type, text)).toEqual(value);
  });

  it('joins repeated lists and objects, and takes the last of other values', async () => {
    expect(await parse('list', 'a', 'b,c')).toEqual(['a', 'b', 'c']);
    expect(await parse('object', 'a=1', 'b=x', 'a=2')).toEqual({ a: 2, b: 'x' });
    expect(await parse('integer', '1', '2')).toBe(2);
  });

  it.each<[ValueType, string, string]>([
    ['integer', '1.5', '--field must be an integer.'],
    ['integer', 'many', '--field must be an integer.'],
    ['number', 'many', '--field must be a number.'],
    ['numbers', '1,x', '--field must be a number.'],
    ['object', 'tea', '--field must be key=value or a JSON object.'],
    ['object', '', '--field must be key=value or a JSON object.'],
    ['object', '[1]', '--field must be key=value or a JSON object.'],
    ['json', 'tea', '--field is not valid JSON: '],
  ])('rejects %s %j and names the option', async (type, text, message) => {
    await expect(parse(type, text)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    });
  });
});

describe('parseTime', () => {
  it.each([
    ['7d', '2026-03-03T12:00:00.000Z'],
    ['90m', '2026-03-10T10:30:00.000Z'],
    ['+2w', '2026-03-24T12:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['2026-03-01T10:00:00+01:00', '2026-03-01T10:00:00+01:00'],
    ['yesterday', 'yesterday'],
  ])('reads %s', (text, time) => {
    expect(parseTime(text, source.now())).toBe(time);
  });
});
