import '../styles/map.css';
import type { Space } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { countOf } from '../memories/action-context.ts';
import { DeleteDialog, type Deletion } from '../memories/delete-dialog.tsx';
import { MemoryDetail } from '../memories/memory-detail.tsx';
import { useActionErrors, useMemoryActions } from '../memories/use-memory-actions.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';
import { type MapRun, NoMap, RunProgress, useMapRun } from './map-run.tsx';
import { MapView } from './map-view.tsx';
import { type LoadedMap, useMap } from './use-map.ts';

const noSpaces: readonly Space[] = [];

/** The memories of the account or of a space as points: similar ones are close. */
export function MapPage() {
  const client = useClient();
  const { space, id } = useSearch({ from: '/map' });
  const navigate = useNavigate();
  const spaces = useQuery(spacesQuery(client)).data ?? noSpaces;
  const map = useMap(space);
  const run = useMapRun(space);
  const actions = useMemoryActions();
  const report = useActionErrors();
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const open = useCallback(
    (next: string | undefined) => {
      setIsEditing(false);
      void navigate({ to: '/map', search: (before) => ({ ...before, id: next }), replace: true });
    },
    [navigate],
  );
  return (
    <div className="map-page" data-open={id !== undefined || undefined}>
      <div className="map-main">
        <MapHead
          map={map.loaded}
          run={run}
          spaces={spaces}
          space={space}
          onSpace={(next) => void navigate({ to: '/map', search: next ? { space: next } : {} })}
        />
        <MapContent map={map} run={run}>
          {(loaded) => (
            <MapView
              key={space ?? ''}
              map={loaded}
              openedId={id}
              actions={actions}
              report={report}
              onOpen={open}
            />
          )}
        </MapContent>
      </div>
      {id !== undefined && (
        <MemoryDetail
          key={id}
          id={id}
          spaces={spaces}
          actions={actions}
          run={report}
          isEditing={isEditing}
          setIsEditing={setIsEditing}
          onOpen={open}
          requestDeletion={setDeletion}
        />
      )}
      {deletion && (
        <DeleteDialog
          deletion={deletion}
          actions={actions}
          onClose={() => setDeletion(null)}
          onDone={() => open(undefined)}
        />
      )}
    </div>
  );
}

interface MapHeadProps {
  readonly map: LoadedMap | undefined;
  readonly run: MapRun;
  readonly spaces: readonly Space[];
  readonly space: string | undefined;
  readonly onSpace: (space: string | undefined) => void;
}

function MapHead({ map, run, spaces, space, onSpace }: MapHeadProps) {
  const made = map?.answer.map ?? null;
  return (
    <div className="map-head">
      <h1>Map</h1>
      <select
        className="select"
        aria-label="Memories"
        value={space ?? ''}
        onChange={(event) => onSpace(event.target.value || undefined)}
      >
        <option value="">All memories</option>
        {spaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {map && made && <MapFacts map={map} madeAt={made.created_at} />}
      {made && !run.isRunning && (
        <Button
          writes
          icon="restore"
          title="Find the clusters again, with all memories"
          onClick={() => void run.start()}
        >
          Update
        </Button>
      )}
      {made && run.isRunning && <RunProgress progress={run.progress} />}
      {made && run.error ? <ErrorNotice error={run.error} /> : null}
    </div>
  );
}

function MapFacts({ map, madeAt }: { map: LoadedMap; madeAt: string }) {
  const { total_count, unplaced_count, ids, clusters } = map.answer;
  return (
    <p className="map-facts" role="status">
      <span>
        {countOf(total_count)}
        {ids.length < total_count && ` (the newest ${ids.length.toLocaleString()} are shown)`}
        {clusters.length > 0 && ` in ${clusters.length.toLocaleString()} clusters`}
      </span>
      {unplaced_count > 0 && <span>{unplaced_count.toLocaleString()} new ones get a place…</span>}
      <span>
        found <Time value={madeAt} isRelative />
      </span>
    </p>
  );
}

interface MapContentProps {
  readonly map: ReturnType<typeof useMap>;
  readonly run: MapRun;
  readonly children: (map: LoadedMap) => React.ReactNode;
}

function MapContent({ map, run, children }: MapContentProps) {
  if (map.isError && map.loaded === undefined) {
    return (
      <div className="page-notice">
        <ErrorNotice error={map.error} retry={map.refetch} />
      </div>
    );
  }
  if (map.loaded === undefined) {
    return <div className="map-loading skeleton" role="status" aria-label="Loading the map" />;
  }
  if (map.loaded.answer.map === null) return <NoMap run={run} />;
  if (map.loaded.points.count === 0) {
    return (
      <div className="empty">
        <h2>No memories to show</h2>
        <p>The map has no memories that you can see. Update it after you have stored some.</p>
      </div>
    );
  }
  return children(map.loaded);
}
