import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveId } from './derived-ids.ts';

const uuid = fc.uuid({ version: 7 });

describe('the id of an imported record', () => {
  test('is a UUID of version 7 that depends on the account and the former id only', () => {
    fc.assert(
      fc.property(uuid, uuid, (account, id) => {
        const derived = deriveId(account, id);
        expect(derived).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        expect(deriveId(account, id)).toBe(derived);
        expect(derived.slice(0, 13)).toBe(id.slice(0, 13));
      }),
    );
  });

  test('differs for each account and each record', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(uuid, { minLength: 3, maxLength: 3 }),
        ([a = '', b = '', id = '']) => {
          expect(deriveId(a, id)).not.toBe(deriveId(b, id));
          expect(deriveId(id, a)).not.toBe(deriveId(id, b));
        },
      ),
    );
  });
});
