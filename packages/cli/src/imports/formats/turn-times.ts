import type { Turn } from '../items.ts';

/**
 * A turn without a time gets that of the turn before it, and the first ones that of the
 * conversation, so that turns stay in order.
 */
export function fillTurnTimes(turns: readonly Turn[], startedAt: Date | null): Turn[] {
  let last = startedAt ?? turns.find(({ at }) => at !== null)?.at ?? null;
  return turns.map((turn) => {
    last = turn.at ?? last;
    return { ...turn, at: last };
  });
}
