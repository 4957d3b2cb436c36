import { eventTypes } from '@mneme/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesSubscription, type Subscription, subscribedTypes } from './matching.ts';

const all: Subscription = { events: ['*'], space_id: null, spaces: null, filters: {} };
const event = {
  type: 'memory.created',
  space_id: 's1',
  second_space: null as string | null,
  hidden_from: null as string | null,
  data: {
    id: 'm1',
    tags: ['a', 'b'],
    content_type: 'text',
    priority: 5,
    metadata: { team: 'blue', deep: { x: [1, 2], y: null } },
  } as Record<string, unknown>,
};
const onlyId = { ...event, type: 'memory.deleted', data: { id: 'm1' } };
const isMatch = (change: Partial<Subscription>, what: Partial<typeof event> = {}): boolean =>
  matchesSubscription({ ...all, ...change }, { ...event, ...what });

describe('matching', () => {
  it.each([
    [['*'], true],
    [['memory.*'], true],
    [['memory.created'], true],
    [['space.*', 'memory.created'], true],
    [['memory.updated'], false],
    [['mem.*'], false],
    [['memory'], false],
    [['space.*'], false],
  ])('of the subscription %s with memory.created is %s', (events, expected) => {
    expect(isMatch({ events })).toBe(expected);
  });

  it('reads only event types that a subscription can match', () => {
    expect(subscribedTypes(['*'])).toEqual(Object.keys(eventTypes));
    expect(subscribedTypes(['space.*', 'audio.played'])).toEqual([
      'space.created',
      'space.updated',
      'space.deleted',
    ]);
  });

  it('of one space includes events with that space on either side', () => {
    expect(isMatch({ space_id: 's1' })).toBe(true);
    expect(isMatch({ space_id: 's2' })).toBe(false);
    expect(isMatch({ space_id: 's2' }, { second_space: 's2' })).toBe(true);
    expect(isMatch({ space_id: 's1' }, { space_id: null as never })).toBe(false);
  });

  it('excludes events of other spaces for a limited key, also as the second space', () => {
    expect(isMatch({ spaces: ['s1'] })).toBe(true);
    expect(isMatch({ spaces: ['s2', 'default'] })).toBe(false);
    expect(isMatch({ spaces: ['default'] }, { space_id: null as never })).toBe(true);
    expect(isMatch({ spaces: ['s1'] }, { second_space: 's2' })).toBe(false);
    expect(isMatch({ spaces: ['s1'] }, { second_space: 'default' })).toBe(false);
    expect(isMatch({ spaces: ['s1', 's2'] }, { second_space: 's2' })).toBe(true);
    expect(isMatch({ spaces: [] })).toBe(false);
  });

  it('includes events hidden from a space only for keys without access to that space', () => {
    const hidden = { hidden_from: 's2' };
    expect(isMatch({ spaces: ['s1'] }, hidden)).toBe(true);
    expect(isMatch({ spaces: ['s1', 's2'] }, hidden)).toBe(false);
    expect(isMatch({}, hidden)).toBe(false);
    expect(isMatch({ spaces: ['s2'] }, hidden)).toBe(false);
  });

  it.each<[Subscription['filters'], boolean]>([
    [{}, true],
    [{ tags: [] }, true],
    [{ tags: ['a'] }, true],
    [{ tags: ['a', 'b'] }, true],
    [{ tags: ['a', 'c'] }, false],
    [{ content_type: ['text', 'markdown'] }, true],
    [{ content_type: ['markdown'] }, false],
    [{ min_priority: 5 }, true],
    [{ min_priority: 6 }, false],
    [{ metadata: { team: 'blue' } }, true],
    [{ metadata: { team: 'red' } }, false],
    [{ metadata: { deep: { y: null, x: [1, 2] } } }, true],
    [{ metadata: { deep: { x: [2, 1], y: null } } }, false],
    [{ metadata: { toString: 'x' } }, false],
    [{ space_ids: ['s1', 's2'] }, true],
    [{ space_ids: ['s2'] }, false],
    [{ tags: ['a'], min_priority: 9 }, false],
  ])('of the filters %j is %s', (filters, expected) => {
    expect(isMatch({ filters })).toBe(expected);
  });

  it('fails for a filter on a field that the event does not have', () => {
    const each: Subscription['filters'][] = [
      { tags: ['a'] },
      { content_type: ['text'] },
      { min_priority: 1 },
      { metadata: { team: 'blue' } },
    ];
    for (const filters of each) {
      expect(matchesSubscription({ ...all, filters }, onlyId)).toBe(false);
    }
    expect(matchesSubscription(all, onlyId)).toBe(true);
  });

  it('requires all conditions to match', () => {
    const condition = fc.record({
      tags: fc.subarray(['a', 'b', 'c']),
      content_type: fc.subarray(['text' as const, 'markdown' as const]),
      min_priority: fc.integer({ min: 1, max: 10 }),
      space_ids: fc.subarray(['s1', 's2']),
    });
    fc.assert(
      fc.property(condition, (filters) => {
        const alone = Object.entries(filters).map(([key, value]) =>
          isMatch({ filters: { [key]: value } }),
        );
        expect(isMatch({ filters })).toBe(alone.every(Boolean));
      }),
    );
  });
});
