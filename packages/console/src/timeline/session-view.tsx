import type { CliSession } from '@mneme/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';

const pageItems = 50;
const shownCharactersMax = 300;

interface SessionViewProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A session with what it was about, and its memories. */
export function SessionView({ id, onClose }: SessionViewProps) {
  const client = useClient();
  const session = useQuery({
    queryKey: ['timeline', 'session', id],
    queryFn: ({ signal }) => client.cliSessions.get({ params: { id } }, { signal }),
  });
  return (
    <section className="session-view" aria-label="Session">
      <div>
        {/* The list had the focus, which would be lost with it. */}
        <Button icon="back" kind="quiet" autoFocus onClick={onClose}>
          All sessions
        </Button>
      </div>
      {session.isError && <ErrorNotice error={session.error} retry={session.refetch} />}
      {session.isPending && <p className="hint">Loading…</p>}
      {session.data && <SessionHead session={session.data} />}
      {session.data && <SessionMemories id={id} />}
    </section>
  );
}

function SessionHead({ session }: { session: CliSession }) {
  const { name, type, status, description, summary, tags } = session;
  return (
    <header className="session-head">
      <h2 dir="auto">{name}</h2>
      <p className="tags">
        <span className="tag">{type}</span>
        <span className="tag" data-tone={status === 'active' ? 'good' : undefined}>
          {status}
        </span>
        {tags.map((tag) => (
          <span key={tag} className="tag">
            <span>{tag}</span>
          </span>
        ))}
      </p>
      <p className="hint">
        Started <Time value={session.created_at} />, last active{' '}
        <Time value={session.last_active_at} isRelative />
        {session.completed_at !== null && (
          <>
            , completed <Time value={session.completed_at} isRelative />
          </>
        )}
        .{session.message_count > 0 && ` Messages: ${session.message_count.toLocaleString()}.`}
      </p>
      {description !== null && <p dir="auto">{description}</p>}
      {summary !== null && <p dir="auto">{summary}</p>}
    </header>
  );
}

function SessionMemories({ id }: { id: string }) {
  const client = useClient();
  const memories = useInfiniteQuery({
    queryKey: ['timeline', 'session', id, 'memories'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, offset: pageParam };
      return client.cliSessions.memories({ params: { id }, query }, { signal });
    },
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
  });
  if (memories.isError) return <ErrorNotice error={memories.error} retry={memories.refetch} />;
  if (memories.isPending) return <p className="hint">Loading…</p>;
  const all = memories.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <p className="hint">No memories were stored in this session.</p>;
  return (
    <>
      <h3>Memories</h3>
      <ol className="session-memories">
        {all.map(({ id: memoryId, content, created_at }) => (
          <li key={memoryId}>
            <Link className="timeline-item" to="/memories" search={{ id: memoryId }}>
              <i className="timeline-dot" />
              <span className="timeline-text" dir="auto">
                {content.slice(0, shownCharactersMax)}
              </span>
              <Time value={created_at} isRelative />
            </Link>
          </li>
        ))}
      </ol>
      {memories.hasNextPage && (
        <Button onClick={() => void memories.fetchNextPage()}>Show more memories</Button>
      )}
    </>
  );
}
