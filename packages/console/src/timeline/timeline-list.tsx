import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { type Bucket, bucketLabel, itemTime, toBuckets, type Zoom } from './buckets.ts';
import type { TimelineItem } from './use-timeline.ts';

interface TimelineListProps {
  readonly items: readonly TimelineItem[];
  readonly zoom: Zoom;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
}

type Row =
  | {
      readonly kind: 'bucket';
      readonly bucket: Bucket<TimelineItem>;
      readonly isOpen: boolean;
      readonly isLast: boolean;
    }
  | { readonly kind: 'item'; readonly item: TimelineItem };

const bucketHeight = 56;
const itemHeight = 42;
/** Pages that are loaded without asking while few rows are shown, as in years. */
const eagerItemsMax = 1_000;
/** Long buckets are opened on request. */
const isOpenAtFirst = (zoom: Zoom): boolean => zoom === 'day' || zoom === 'week';

function useRows(items: readonly TimelineItem[], zoom: Zoom) {
  /** Buckets that are not as they are at first. */
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const buckets = useMemo(() => toBuckets(items, zoom), [items, zoom]);
  const rows = useMemo(
    () =>
      buckets.flatMap((bucket, i): Row[] => {
        const isOpen = isOpenAtFirst(zoom) !== toggled.has(bucket.startMs);
        const isLast = i === buckets.length - 1;
        const head: Row = { kind: 'bucket', bucket, isOpen, isLast };
        const inside = bucket.items.map((item): Row => ({ kind: 'item', item }));
        return isOpen ? [head, ...inside] : [head];
      }),
    [buckets, zoom, toggled],
  );
  const toggle = (startMs: number) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(startMs)) after.add(startMs);
      return after;
    });
  const largest = Math.max(1, ...buckets.map((bucket) => bucket.items.length));
  return { rows, toggle, largest };
}

/** Buckets of time with their counts; only visible rows exist in the page. */
export function TimelineList({ items, zoom, hasMore, isLoading, loadMore }: TimelineListProps) {
  const { rows, toggle, largest } = useRows(items, zoom);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'bucket' ? bucketHeight : itemHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row?.kind === 'item' ? row.item.id : (row?.bucket.startMs ?? index);
    },
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 10;
  const isEager = items.length < eagerItemsMax || rows.length > eagerItemsMax / 2;
  useEffect(() => {
    if (hasMore && !isLoading && isAtEnd && isEager) loadMore();
  }, [hasMore, isLoading, isAtEnd, isEager, loadMore]);
  return (
    <section
      ref={scroller}
      className="timeline-list"
      aria-label="Memories and sessions"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard.
      tabIndex={0}
    >
      <ol className="list-space" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start, key, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              className="timeline-row"
              data-kind={row.kind}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row.kind === 'bucket' ? (
                <BucketRow
                  row={row}
                  zoom={zoom}
                  share={row.bucket.items.length / largest}
                  isPartial={row.isLast && hasMore}
                  toggle={toggle}
                />
              ) : (
                <ItemRow item={row.item} zoom={zoom} />
              )}
            </li>
          );
        })}
      </ol>
      {hasMore && !isEager && (
        <Button onClick={loadMore} disabled={isLoading}>
          {isLoading ? 'Loading…' : 'Load older'}
        </Button>
      )}
    </section>
  );
}

interface BucketRowProps {
  readonly row: Extract<Row, { readonly kind: 'bucket' }>;
  readonly zoom: Zoom;
  readonly share: number;
  readonly isPartial: boolean;
  readonly toggle: (startMs: number) => void;
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${count === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`;

function BucketRow({ row, zoom, share, isPartial, toggle }: BucketRowProps) {
  const { startMs, items } = row.bucket;
  const memories = items.filter(({ kind }) => kind === 'memory').length;
  const sessions = items.length - memories;
  const atLeast = isPartial ? ' or more' : '';
  return (
    <button
      type="button"
      className="timeline-bucket"
      aria-expanded={row.isOpen}
      onClick={() => toggle(startMs)}
    >
      <Icon name={row.isOpen ? 'down' : 'forward'} size={12} />
      <strong>{bucketLabel(startMs, zoom)}</strong>
      <span className="timeline-share" aria-hidden="true">
        <i style={{ width: `${Math.max(2, share * 100)}%` }} />
      </span>
      <span className="hint">
        {plural(memories, 'memory')}
        {atLeast}
        {sessions > 0 && `, ${plural(sessions, 'session')}`}
      </span>
    </button>
  );
}

const shownCharactersMax = 300;

function ItemRow({ item, zoom }: { item: TimelineItem; zoom: Zoom }) {
  const at = <Time value={new Date(item.atMs).toISOString()} text={itemTime(item.atMs, zoom)} />;
  if (item.kind === 'session') {
    const { id, name, type, status, memory_count } = item.session;
    return (
      <Link
        className="timeline-item"
        data-session=""
        to="/timeline"
        search={{ zoom: zoom === 'day' ? undefined : zoom, session: id }}
      >
        <Icon name="timeline" size={13} />
        <span className="timeline-text" dir="auto">
          {name}
        </span>
        <span className="tag">{type}</span>
        <span className="hint">
          {status}, {plural(memory_count, 'memory')}
        </span>
        {at}
      </Link>
    );
  }
  const { id, content, content_type } = item.memory;
  return (
    <Link className="timeline-item" to="/memories" search={{ id }}>
      <i className="timeline-dot" />
      <span className="timeline-text" dir="auto">
        {content.slice(0, shownCharactersMax)}
      </span>
      {content_type !== 'text' && <span className="tag">{content_type}</span>}
      {at}
    </Link>
  );
}
