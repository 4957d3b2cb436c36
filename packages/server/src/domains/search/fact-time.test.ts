import { describe, expect, it } from 'vitest';
import { parseFactTime } from './fact-time.ts';
import { parseQueryIntent } from './intent.ts';

const now = new Date('2026-03-02T10:00:00Z');

function timeOf(text: string, asOf?: Date): string {
  const { isAboutPast } = parseQueryIntent(text, now);
  const { from, to, wanted } = parseFactTime(text, isAboutPast, { now, asOf });
  const toDay = (ms: number): string =>
    Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '…';
  return to - from === 1 ? `${wanted} ${toDay(from)}` : `${wanted} ${toDay(from)} ${toDay(to)}`;
}

describe('the time that a question for a fact is about', () => {
  it.each([
    ['Where does Ana work?', 'held 2026-03-02'],
    ['Where does Ana live on Fridays?', 'held 2026-03-02'],
    ['Where did Ana work before?', 'ended 2026-03-02'],
    ['Who was previously the boss of Ana?', 'ended 2026-03-02'],
    ['Where did Ana work?', 'held_or_ended 2026-03-02'],
    ['Who was the boss of Ana in 2023?', 'held 2023-01-01 2024-01-01'],
    ['Where did Ana work in May 2023?', 'held 2023-05-01 2023-06-01'],
    ['Where did Ana work last year?', 'held 2025-01-01 2026-01-01'],
    ['Where did Ana work from 2019 to 2021?', 'held 2019-01-01 2022-01-01'],
    ['Where did Ana work before 2023?', 'held … 2023-01-01'],
    ['Where did Ana work until May 2023?', 'held … 2023-05-01'],
    ['Where did Ana work after 2023?', 'held 2024-01-01 2026-03-02'],
    ['Where does Ana work in 2026?', 'held 2026-01-01 2027-01-01'],
  ])('%s %s', (text, expected) => {
    expect(timeOf(text)).toBe(expected);
  });

  it('is that of as_of, whatever the question names', () => {
    const asOf = new Date('2024-05-01T00:00:00Z');
    for (const text of ['Where does Ana work?', 'Where did Ana work before 2023?']) {
      expect(timeOf(text, asOf), text).toBe('held 2024-05-01');
    }
  });
});
