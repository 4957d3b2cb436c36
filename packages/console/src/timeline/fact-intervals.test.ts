import { describe, expect, it } from 'vitest';
import { toFactChart } from './fact-intervals.ts';

const fact = (predicate: string, valid_from: string | null, valid_to: string | null) => ({
  id: `${predicate} ${valid_from}`,
  subject_id: 's',
  subject_name: 'Ana',
  predicate,
  object_id: null,
  object_value: 'x',
  statement: 'Ana …',
  confidence: 0.9,
  source_memory_ids: [],
  valid_from,
  valid_to,
  recorded_at: '2026-01-01T00:00:00.000Z',
  invalidated_at: null,
});

describe('toFactChart', () => {
  const nowMs = Date.parse('2026-06-01T00:00:00.000Z');

  it('shows when facts hold, in their order within a predicate, with open ends', () => {
    const { rows, fromMs, toMs } = toFactChart(
      [
        fact('lives_in', '2025-06-01T00:00:00.000Z', null),
        fact('lives_in', '2024-06-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'),
        fact('likes', null, null),
      ],
      nowMs,
    );
    expect(toMs).toBe(nowMs);
    expect(fromMs).toBeLessThan(Date.parse('2024-06-01T00:00:00.000Z'));
    const [likes, before, now] = rows.map(({ valid }) => valid);
    expect(likes).toEqual({ left: 0, width: 100, isOpenStart: true, isOpenEnd: true });
    expect(before?.isOpenEnd).toBe(false);
    expect(now?.isOpenEnd).toBe(true);
    expect((before?.left ?? 0) + (before?.width ?? 0)).toBeCloseTo(now?.left ?? 0, 5);
    expect((now?.left ?? 0) + (now?.width ?? 0)).toBeCloseTo(100, 5);
  });

  it('keeps a moment visible and inside', () => {
    const at = '2026-06-01T00:00:00.000Z';
    const [row] = toFactChart([fact('met', at, at)], nowMs).rows;
    expect(row?.valid.width).toBeGreaterThan(0);
    expect((row?.valid.left ?? 0) + (row?.valid.width ?? 0)).toBeLessThanOrEqual(100);
  });
});
