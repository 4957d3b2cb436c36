import type { Memory } from '@mneme/sdk';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { MemoryRow } from './memory-row.tsx';

const rowHeight = 68;
/** Rows before the end at which the next page is loaded. */
const loadAhead = 30;

export interface MemoryListProps {
  readonly memories: readonly Memory[];
  readonly spaceNames: ReadonlyMap<string, string>;
  readonly activeIndex: number;
  readonly selected: ReadonlySet<string>;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
}

const optionId = (index: number): string => `memory-${index}`;

/** A list box of which only the visible rows exist. Keys are handled by the page. */
export function MemoryList(props: MemoryListProps) {
  const { memories, activeIndex, selected, hasMore, loadMore } = props;
  const latest = useRef(props);
  latest.current = props;
  // Always the same functions, so that rows are not rendered again when a page arrives.
  const onOpen = useCallback((index: number) => latest.current.onOpen(index), []);
  const onSelect = useCallback(
    (index: number, isRange: boolean) => latest.current.onSelect(index, isRange),
    [],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: memories.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const rows = virtual.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= memories.length - loadAhead) loadMore();
  }, [hasMore, lastIndex, memories.length, loadMore]);
  const scrollToIndex = useCallback(
    (index: number) => virtual.scrollToIndex(index, { align: 'auto' }),
    [virtual],
  );
  useEffect(() => {
    if (activeIndex >= 0) scrollToIndex(activeIndex);
  }, [activeIndex, scrollToIndex]);
  return (
    <div
      ref={scroller}
      className="list"
      role="listbox"
      aria-label="Memories"
      aria-multiselectable="true"
      aria-activedescendant={activeIndex >= 0 ? optionId(activeIndex) : undefined}
      tabIndex={0}
    >
      <div className="list-space" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const memory = memories[index];
          return memory === undefined ? null : (
            <MemoryRow
              key={memory.id}
              id={optionId(index)}
              memory={memory}
              index={index}
              count={hasMore ? -1 : memories.length}
              top={start}
              spaceName={props.spaceNames.get(memory.space_id ?? '')}
              isActive={index === activeIndex}
              isSelected={selected.has(memory.id)}
              onOpen={onOpen}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

const skeletonWidths = [78, 62, 88, 55, 70, 82, 48, 74, 66, 90];

/** As high as rows, so that nothing moves when they come. */
export const ListSkeleton = () => (
  <div className="list" role="status" aria-label="Loading memories">
    {skeletonWidths.map((width) => (
      <div key={width} className="row row-skeleton">
        <span className="skeleton" style={{ width: `${width}%` }} />
        <span className="skeleton" style={{ width: `${width / 3}%` }} />
      </div>
    ))}
  </div>
);
