import { expect, it } from 'vitest';
import { visibleParts } from './visible.ts';

it('hides older names at every depth, and the position of a page', () => {
  const record = { id: 'a', created_at: 1, createdAt: 1, parts: [{ createdAt: 2, size: 3 }] };
  const page = { data: [record], results: [record], pagination: { total: 1 } };
  expect(visibleParts(page, ['createdAt', 'results'])).toEqual({
    data: [{ id: 'a', created_at: 1, parts: [{ size: 3 }] }],
  });
  expect(visibleParts({ pagination: { total: 1 } }, [])).toEqual({ pagination: { total: 1 } });
  expect(visibleParts(null, ['a'])).toBeNull();
});
