import '../styles/settings.css';
import '../styles/operations.css';
import '../styles/recordings.css';
import type { AudioSegmentResult, Memory } from '@mneme/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useLiveMemories } from '../memories/use-live-memories.ts';
import { useMemoryPages } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { Recording } from './recording.tsx';
import type { RecordingsSearch } from './recordings-state.ts';
import { formatSeconds } from './transcript.ts';

const shownHitsMax = 30;

/** Audio and video memories: play them, read along, and jump to what was said. */
export function RecordingsPage() {
  const search = useSearch({ from: '/recordings' });
  const navigate = useNavigate();
  const change = (next: RecordingsSearch) =>
    void navigate({ to: '/recordings', search: { ...search, ...next }, replace: true });
  const { id, at } = search;
  useLiveMemories();
  return (
    <div className="recordings" data-open={id !== undefined || undefined}>
      <RecordingList
        openId={id}
        q={search.q ?? ''}
        onFind={(q) => change({ q: q === '' ? undefined : q })}
        onOpen={(next, seconds) => change({ id: next, at: seconds })}
      />
      {id !== undefined && (
        <Recording key={id} id={id} startAt={at} onClose={() => change({ id: undefined })} />
      )}
    </div>
  );
}

interface RecordingListProps {
  readonly openId: string | undefined;
  readonly q: string;
  readonly onFind: (q: string) => void;
  readonly onOpen: (id: string, at?: number) => void;
}

function RecordingList({ openId, q, onFind, onOpen }: RecordingListProps) {
  const [text, setText] = useState(q);
  const asked = useDeferredValue(text.trim());
  return (
    <section className="recordings-list" aria-label="List of recordings">
      <h1>Recordings</h1>
      <input
        className="input"
        type="search"
        aria-label="Find what was said"
        placeholder="Find what was said…"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => onFind(text.trim())}
      />
      {asked === '' ? (
        <AllRecordings openId={openId} onOpen={onOpen} />
      ) : (
        <SpokenHits q={asked} onOpen={onOpen} />
      )}
    </section>
  );
}

const audio = { type: 'audio' } as const;
const video = { type: 'video' } as const;

type AllRecordingsProps = Pick<RecordingListProps, 'openId' | 'onOpen'>;

function AllRecordings({ openId, onOpen }: AllRecordingsProps) {
  const lists = [useMemoryPages(audio), useMemoryPages(video)];
  const failed = lists.find(({ isError }) => isError);
  if (failed) return <ErrorNotice error={failed.error} retry={failed.refetch} />;
  const all = lists
    .flatMap(({ data }) => data?.pages.flatMap((page) => page.data) ?? [])
    .filter(({ is_deleted }) => !is_deleted)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  if (lists.some(({ isPending }) => isPending)) return <p className="hint">Loading…</p>;
  if (all.length === 0) return <NoRecordings />;
  const more = lists.filter(({ hasNextPage }) => hasNextPage);
  return (
    <>
      <ul className="recording-items">
        {all.map((memory) => (
          <li key={memory.id}>
            <RecordingItem
              memory={memory}
              isOpen={memory.id === openId}
              onOpen={() => onOpen(memory.id)}
            />
          </li>
        ))}
      </ul>
      {more.length > 0 && (
        <Button onClick={() => more.forEach(({ fetchNextPage }) => void fetchNextPage())}>
          Show older recordings
        </Button>
      )}
    </>
  );
}

const shownCharactersMax = 140;

const RecordingItem = (props: { memory: Memory; isOpen: boolean; onOpen: () => void }) => (
  <button
    type="button"
    className="recording-item"
    aria-current={props.isOpen || undefined}
    onClick={props.onOpen}
  >
    <Icon name={props.memory.content_type === 'video' ? 'video' : 'recordings'} />
    <span className="recording-title" dir="auto">
      {props.memory.content.split('\n')[0]?.slice(0, shownCharactersMax)}
    </span>
    <span className="hint">
      <Time value={props.memory.created_at} isRelative />
    </span>
  </button>
);

const NoRecordings = () => (
  <div className="empty">
    <Icon name="recordings" />
    <h2>No recordings</h2>
    <p>Store an audio or video file. Mneme transcribes it, so that you find what was said.</p>
    <pre className="code">mneme add --file stand-up.m4a --title 'Stand-up'</pre>
  </div>
);

const isSegment = (result: { readonly type: string }): result is AudioSegmentResult =>
  result.type === 'audio_segment';

/** Passages of all recordings that match. */
function SpokenHits({ q, onOpen }: { q: string; onOpen: RecordingListProps['onOpen'] }) {
  const client = useClient();
  const hits = useQuery({
    queryKey: ['spoken', q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.search.post({ body: { q, include: ['audio'], limit: shownHitsMax } }, { signal }),
  });
  if (hits.isError) return <ErrorNotice error={hits.error} retry={hits.refetch} />;
  if (hits.isPending) return <p className="hint">Searching…</p>;
  const found = hits.data.data.filter(isSegment);
  if (found.length === 0) return <p className="hint">Nobody says that in a recording.</p>;
  return (
    <ul className="recording-items">
      {found.map((hit) => (
        <li key={hit.id}>
          <button
            type="button"
            className="recording-item"
            onClick={() => onOpen(hit.audio_file_id, hit.start_time)}
          >
            <span className="recording-second">{formatSeconds(hit.start_time)}</span>
            <span className="recording-title" dir="auto">
              {hit.highlight}
            </span>
            {hit.speaker !== null && <span className="hint">{hit.speaker}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
