import { describe, expect, it } from 'vitest';
import { readSearch, toSearchRequest } from './search-state.ts';

const nowMs = Date.parse('2026-03-02T10:00:30.500Z');

describe('the address of a search', () => {
  it('keeps what is valid, and leaves out the rest', () => {
    const valid = { type: 'audio', age: 'week', priority: 7 } as const;
    expect(readSearch({ q: 'tea', ...valid })).toEqual({ q: 'tea', ...valid });
    expect(readSearch({ type: 'film', age: 'ever', priority: 11, tags: [] })).toEqual({});
  });
});

describe('the request of a search', () => {
  it('has its filters', () => {
    const state = { q: ' tea ', type: 'url', age: 'day', priority: 5 } as const;
    expect(toSearchRequest(state, nowMs)).toMatchObject({
      q: 'tea',
      content_type: 'url',
      created_after: '2026-03-01T10:00:00.000Z',
      min_priority: 5,
    });
  });

  it('is the same within a minute, so that results stay while one types', () => {
    const state = { q: 'tea', age: 'day' } as const;
    expect(toSearchRequest(state, nowMs + 20_000)).toEqual(toSearchRequest(state, nowMs));
  });

  it('searches memories without a space by null', () => {
    expect(toSearchRequest({ q: 'tea', space: 'default' }, nowMs).space_id).toBeNull();
  });
});
