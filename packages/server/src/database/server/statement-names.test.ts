import { describe, expect, it } from 'vitest';
import { StatementNames } from './statement-names.ts';

describe('names of statements', () => {
  it('are assigned when a statement occurs the second time, and do not change', () => {
    const names = new StatementNames();
    expect(names.getName('select 1')).toBeUndefined();
    const name = names.getName('select 1');
    expect(name).toMatch(/^mneme_\d+$/);
    expect(names.getName('select 1')).toBe(name);
    names.getName('select 2');
    expect(names.getName('select 2')).not.toBe(name);
  });

  it('are not assigned to statements that are too long', () => {
    const names = new StatementNames();
    const long = `select ${'1,'.repeat(10_000)}1`;
    for (let i = 0; i < 3; i += 1) expect(names.getName(long)).toBeUndefined();
  });

  it('are limited to a thousand, and statements that occur once are eventually dropped', () => {
    const names = new StatementNames();
    const twice = (text: string): string | undefined => {
      names.getName(text);
      return names.getName(text);
    };
    for (let i = 0; i < 1_000; i += 1) expect(twice(`select ${i}`)).toBeDefined();
    expect(twice('select one more')).toBeUndefined();
    expect(names.getName('select 0')).toBe('mneme_1');

    const busy = new StatementNames();
    busy.getName('select first');
    for (let i = 0; i < 5_000; i += 1) busy.getName(`select ${i}`);
    expect(busy.getName('select first')).toBeUndefined();
    expect(busy.getName('select 4999')).toBeDefined();
  });
});
