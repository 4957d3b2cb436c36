import type { Memory } from '@mneme/sdk';
import { useCallback, useMemo, useState } from 'react';

/** Selected memories by id; a range goes from the last selected one. */
export function useSelection(memories: readonly Memory[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(-1);
  const [isAll, setIsAll] = useState(false);
  const toggle = useCallback(
    (index: number, isRange = false) => {
      const [from, to] = isRange && anchor >= 0 ? [anchor, index].sort((a, b) => a - b) : [];
      const ids = memories.slice(from ?? index, (to ?? index) + 1).map(({ id }) => id);
      setAnchor(index);
      setIsAll(false);
      setSelected((before) => {
        const after = new Set(before);
        const isRemoved = !isRange && ids.every((id) => before.has(id));
        for (const id of ids) {
          if (isRemoved) after.delete(id);
          else after.add(id);
        }
        return after;
      });
    },
    [memories, anchor],
  );
  const clear = useCallback(() => {
    setSelected(new Set());
    setIsAll(false);
  }, []);
  /** Everything that matches the filters, loaded or not. */
  const selectMatching = useCallback(() => {
    setSelected(new Set(memories.map(({ id }) => id)));
    setIsAll(true);
  }, [memories]);
  const selectAll = useCallback(
    () => setSelected(new Set(memories.map(({ id }) => id))),
    [memories],
  );
  return useMemo(
    () => ({ selected, isAll, toggle, clear, selectAll, selectMatching }),
    [selected, isAll, toggle, clear, selectAll, selectMatching],
  );
}
