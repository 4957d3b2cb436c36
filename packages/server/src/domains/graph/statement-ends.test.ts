import { describe, expect, it } from 'vitest';
import { combineEnds, findStatementEnds, type Statement } from './statement-ends.ts';

const state = (
  memoryId: string,
  object: string,
  observedAt: number,
  extra: Partial<Statement> = {},
): Statement => ({
  id: `of ${memoryId}`,
  memoryId,
  object,
  observedAt,
  confidence: 0.9,
  validFrom: null,
  validTo: null,
  ...extra,
});

const endsOf = (statements: readonly Statement[], singleValued = true): object =>
  Object.fromEntries(findStatementEnds(statements, singleValued));

describe('a statement', () => {
  it('ends when a later one of the same subject gives another value', () => {
    const chain = [state('1', 'acme', 10), state('2', 'globex', 20), state('3', 'initech', 30)];
    const ends = { 'of 1': { at: 20, by: ['2'] }, 'of 2': { at: 30, by: ['3'] } };
    expect(endsOf(chain)).toEqual(ends);
    expect(endsOf(chain.toReversed())).toEqual(ends);
    expect(endsOf(chain, false)).toEqual({});
  });

  it('ends by all that state the next value, of which the ten oldest count', () => {
    const ids = Array.from({ length: 12 }, (_, i) => String(i + 10));
    const later = ids.map((id, i) => state(id, 'globex', 20 + i));
    // A further repetition changes nothing: nothing has to be marked again.
    for (const count of [10, 11, 12]) {
      expect(endsOf([state('1', 'acme', 10), ...later.slice(0, count)])).toEqual({
        'of 1': { at: 20, by: ids.slice(0, 10) },
      });
    }
  });

  it('ends when another memory says so, whatever the predicate', () => {
    const statements = [state('1', 'acme', 10), state('2', 'acme', 20, { validTo: 25 })];
    const ends = { 'of 1': { at: 25, by: ['2'] } };
    expect(endsOf(statements)).toEqual(ends);
    expect(endsOf(statements, false)).toEqual(ends);
  });

  it('has not ended if it tells the end itself', () => {
    const past = state('1', 'acme', 10, { validFrom: 1, validTo: 5 });
    const left = state('2', 'acme', 10, { validTo: 12 });
    const limited = state('3', 'acme', 10, { validTo: 50 });
    for (const one of [past, left, limited]) {
      expect(endsOf([one, state('9', 'globex', 20)])).toEqual({});
    }
  });

  it('has not ended if its fact was over when it was made', () => {
    const statements = [state('1', 'acme', 30, { validFrom: 10 }), state('2', 'globex', 20)];
    expect(endsOf(statements)).toEqual({});
  });

  it('is not ended by a memory that repeats it together with another value', () => {
    const both = [state('3', 'acme', 30), { ...state('3', 'globex', 30), id: 'second of 3' }];
    const chain = [state('1', 'acme', 10), state('2', 'globex', 20), ...both];
    expect(endsOf(chain)).toEqual({ 'of 1': { at: 20, by: ['2'] } });
    const moved = [state('3', 'acme', 30, { validTo: 25 }), state('4', 'globex', 30)];
    expect(endsOf([state('1', 'acme', 10), ...moved])).toEqual({ 'of 1': { at: 25, by: ['3'] } });
  });

  it('is not ended by one that gives the same start to another value', () => {
    const from = { validFrom: 50 };
    expect(endsOf([state('1', 'acme', 10, from), state('2', 'globex', 20, from)])).toEqual({});
  });

  it('is not ended by its own memory, nor by a repetition', () => {
    const own = { ...state('1', 'globex', 20), id: 'second of 1' };
    expect(endsOf([state('1', 'acme', 10), own])).toEqual({});
    expect(endsOf([state('1', 'acme', 10), state('2', 'acme', 20)])).toEqual({});
  });
});

describe('all that a memory states', () => {
  const end = (at: number, ...by: string[]) => ({ at, by });

  it('has ended when the last of its statements has', () => {
    expect(combineEnds([end(20, '2'), end(30, '3'), end(10, '4')])).toEqual(end(30, '3'));
    expect(combineEnds([end(20, '3'), end(20, '2')])).toEqual(end(20, '2', '3'));
  });

  it('has not ended while one holds, or if it states nothing', () => {
    expect(combineEnds([end(20, '2'), null])).toBeNull();
    expect(combineEnds([])).toBeNull();
  });
});
