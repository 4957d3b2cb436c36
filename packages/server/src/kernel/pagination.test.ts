import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, toPagination } from './pagination.ts';

const anyPlace = (_at: unknown): _at is unknown => true;
const isNumber = (at: unknown): at is number => typeof at === 'number';
const filters = fc.record({ account: fc.uuid(), type: fc.option(fc.string()) });
const place = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const refused = expect.objectContaining({ code: 'invalid_request', status: 400 });

describe('cursors', () => {
  it('preserve any position, in characters of a URL', () => {
    fc.assert(
      fc.property(filters, place, (bound, at) => {
        const cursor = encodeCursor(bound, at);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(bound, cursor, anyPlace)).toEqual(at);
      }),
    );
  });

  it('are rejected with other filters', () => {
    fc.assert(
      fc.property(filters, filters, place, (one, other, at) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(() => decodeCursor(other, encodeCursor(one, at), anyPlace)).toThrow(refused);
      }),
    );
  });

  it('are rejected after any change, removal or insertion of a character', () => {
    fc.assert(
      fc.property(filters, place, fc.nat(), fc.constantFrom(...'aZ09_-=!'), (bound, at, i, c) => {
        const cursor = encodeCursor(bound, at);
        const from = i % cursor.length;
        const [head, tail] = [cursor.slice(0, from), cursor.slice(from + 1)];
        for (const altered of [
          `${head}${c}${tail}`,
          head + tail,
          `${head}${c}${cursor.slice(from)}`,
        ]) {
          if (altered === cursor) continue;
          expect(() => decodeCursor(bound, altered, anyPlace)).toThrow(refused);
        }
      }),
    );
  });

  it('are rejected if they are any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor({}, text, anyPlace)).toThrow(refused);
        const encoded = Buffer.from(text).toString('base64url');
        expect(() => decodeCursor({}, encoded, anyPlace)).toThrow(refused);
      }),
    );
  });

  it('are rejected with a position of another type', () => {
    const cursor = encodeCursor({}, 'not a number');
    expect(() => decodeCursor({}, cursor, isNumber)).toThrow(refused);
  });
});

describe('toPagination', () => {
  it('has more exactly when records remain', () => {
    fc.assert(
      fc.property(
        fc.nat(300),
        fc.nat(300),
        fc.integer({ min: 1, max: 100 }),
        (total, offset, limit) => {
          const shown = Math.max(0, Math.min(limit, total - offset));
          expect(toPagination({ limit, offset }, total, shown)).toEqual({
            total,
            limit,
            offset,
            has_more: total > offset + limit,
          });
        },
      ),
    );
  });
});
