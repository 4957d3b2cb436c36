import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimestamp } from './timestamp.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-05T09:30:00Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00.5Z', '2026-01-05T09:30:00.500Z'],
    ['2026-01-05T09:30:00,25Z', '2026-01-05T09:30:00.250Z'],
    ['2026-01-05T09:30:00.123456789Z', '2026-01-05T09:30:00.123Z'],
    ['2026-01-05T09:30:00.9999Z', '2026-01-05T09:30:00.999Z'],
    ['2026-01-05t09:30:00z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09Z', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T09:30:00+02:00', '2026-01-05T07:30:00.000Z'],
    ['2026-01-05T09:30:00-0530', '2026-01-05T15:00:00.000Z'],
    ['2026-01-05T00:30:00+01', '2026-01-04T23:30:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['20260105T093000Z', '2026-01-05T09:30:00.000Z'],
    ['20260105T093000.25+0200', '2026-01-05T07:30:00.250Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['20260105', '2026-01-05T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-01-05T24:00:00Z', '2026-01-06T00:00:00.000Z'],
    ['2026-06-30T23:59:60Z', '2026-07-01T00:00:00.000Z'],
    ['2024-366', '2024-12-31T00:00:00.000Z'],
    ['2026005T0930Z', '2026-01-05T09:30:00.000Z'],
    ['2026-W01-1', '2025-12-29T00:00:00.000Z'],
    ['2020W537', '2021-01-03T00:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(iso);
  });

  it.each([
    '2026-01-05T09:30:00',
    '2026-01-05 09:30:00Z',
    '2026-02-29',
    '1900-02-29',
    '2026-02-30T00:00:00Z',
    '2026-04-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-05T24:00:01Z',
    '2026-01-05T09:60:00Z',
    '2026-01-05T09:30:61Z',
    '2026-000',
    '2026-366',
    '2026-W54-1',
    '2025-W53-1',
    '2026-W01-8',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-01-05T09:30:00+24:00',
    '2026-01-05T09:30:00+01:60',
    '2026-01-05T09:30:00.Z',
    '2026-01-05T',
    '2026-01',
    '26-01-05',
    '0000-01-01',
    '+12026-01-05',
    '1767605400',
    'yesterday',
    ' 2026-01-05',
    '2026-01-05\n',
    '２０２６-01-05',
    '',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('reads back every instant that is written', () => {
    const between = { min: new Date(Date.UTC(1900, 0)), max: new Date(Date.UTC(2100, 0)) };
    fc.assert(
      fc.property(fc.date({ ...between, noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).toEqual(date);
      }),
    );
  });

  it('keeps every millisecond', () => {
    for (let ms = 0; ms < 1_000; ms += 1) {
      const fraction = String(ms).padStart(3, '0');
      expect(parseTimestamp(`2026-01-05T00:00:00.${fraction}Z`)?.getUTCMilliseconds()).toBe(ms);
    }
  });

  it('reads the same instant under any offset', () => {
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), noInvalidDate: true, max: new Date(4e12) }),
        minutes,
        (date, offset) => {
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const two = (n: number): string => String(n).padStart(2, '0');
          const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
          const zone = `${offset < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
          expect(parseTimestamp(local + zone)).toEqual(date);
        },
      ),
    );
  });
});
