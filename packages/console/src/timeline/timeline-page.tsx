import '../styles/operations.css';
import '../styles/timeline.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useLiveMemories } from '../memories/use-live-memories.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Segments } from '../ui/segments.tsx';
import { type Zoom, zooms } from './buckets.ts';
import { FactsView } from './facts-view.tsx';
import { SessionView } from './session-view.tsx';
import { TimelineList } from './timeline-list.tsx';
import type { TimelineSearch } from './timeline-state.ts';
import { useTimeline } from './use-timeline.ts';

const views = [
  ['memories', 'Memories'],
  ['facts', 'Facts'],
] as const;

const zoomNames: Readonly<Record<Zoom, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  year: 'Year',
};

/** What was stored when, and when facts hold. */
export function TimelinePage() {
  const search = useSearch({ from: '/timeline' });
  const navigate = useNavigate();
  const change = (next: TimelineSearch) =>
    void navigate({ to: '/timeline', search: { ...search, ...next }, replace: true });
  const { view, zoom = 'day', session } = search;
  const isList = view === undefined && session === undefined;
  useLiveMemories();
  return (
    <div className="timeline">
      <header className="timeline-head">
        <h1>Timeline</h1>
        <Segments
          label="View"
          value={view ?? 'memories'}
          options={views}
          onChange={(next) => {
            if (next === 'facts') change({ view: next, session: undefined });
            else change({ view: undefined, entity: undefined, session: undefined });
          }}
        />
        {isList && (
          <Segments
            label="Zoom"
            value={zoom}
            options={zooms.map((one) => [one, zoomNames[one]] as const)}
            onChange={(next) => change({ zoom: next })}
          />
        )}
      </header>
      {view === 'facts' ? (
        <FactsView entity={search.entity} onChoose={(entity) => change({ entity })} />
      ) : session !== undefined ? (
        <SessionView id={session} onClose={() => change({ session: undefined })} />
      ) : (
        <StoredTimeline zoom={zoom} />
      )}
    </div>
  );
}

function StoredTimeline({ zoom }: { zoom: Zoom }) {
  const timeline = useTimeline();
  if (timeline.error) return <ErrorNotice error={timeline.error} retry={timeline.refetch} />;
  if (timeline.isPending) return <p className="hint timeline-note">Loading…</p>;
  if (timeline.items.length === 0 && !timeline.hasMore) {
    return (
      <div className="empty">
        <Icon name="timeline" />
        <h2>Nothing is stored yet</h2>
        <p>
          Memories and sessions appear here in the order of time. Store your{' '}
          <Link to="/memories">first memory</Link>.
        </p>
      </div>
    );
  }
  return <TimelineList key={zoom} zoom={zoom} {...timeline} />;
}
