import type { PublicEvent } from '@mneme/sdk';
import { useEffect, useRef, useState } from 'react';
import { isInterruption, useIsConnected } from '../session/connection.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { RowTitle } from '../ui/row-title.tsx';
import { Time } from '../ui/time.tsx';

const shownEventsMax = 200;

/** The newest events while the page is shown; a pause keeps what is shown. */
function useLiveEvents(isPaused: boolean) {
  const client = useClient();
  const [events, setEvents] = useState<readonly PublicEvent[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isLive, setIsLive] = useState(false);
  const isConnected = useIsConnected();
  /** After an interruption, the events of it follow; after a pause, only new ones. */
  const cursor = useRef<string>(undefined);
  useEffect(() => {
    if (isPaused) cursor.current = undefined;
    if (isPaused || !isConnected) return;
    const ending = new AbortController();
    const follow = async () => {
      const onCursor = (reached: string) => {
        if (ending.signal.aborted) return;
        cursor.current = reached;
        setIsLive(true);
      };
      const options = { signal: ending.signal, cursor: cursor.current, onCursor };
      for await (const { event } of client.follow(options)) {
        setEvents((before) => [event, ...before].slice(0, shownEventsMax));
      }
    };
    follow().catch((reason: unknown) => {
      if (!ending.signal.aborted && !isInterruption(reason)) setError(reason);
    });
    return () => {
      ending.abort();
      setIsLive(false);
    };
  }, [client, isPaused, isConnected]);
  return { events, error, isLive, clear: () => setEvents([]) };
}

/** Events of the account as they happen. */
export function LiveEvents() {
  const [isPaused, setIsPaused] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const { events, error, isLive, clear } = useLiveEvents(isPaused);
  if (error !== null) return <ErrorNotice error={error} />;
  return (
    <>
      <div className="section-head">
        <span className="live" data-state={isLive ? 'live' : 'off'} role="status">
          {isPaused ? 'Paused' : isLive ? 'Live' : 'Waiting'}
        </span>
        <div className="section-actions">
          <Button aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
            Pause
          </Button>
          <Button onClick={clear}>Clear</Button>
        </div>
      </div>
      {events.length === 0 && (
        <p className="hint">
          New events appear here: store, change or search memories to see some.
        </p>
      )}
      <ol className="rows">
        {events.map((event) => (
          <li key={event.id} className="row-item row-open">
            <div>
              <RowTitle
                isOpen={openId === event.id}
                onToggle={(isOpen) => setOpenId(isOpen ? event.id : undefined)}
              >
                {event.type}
              </RowTitle>
              <p className="hint">{summaryOf(event)}</p>
            </div>
            <Time value={event.created_at} />
            {openId === event.id && (
              <div className="row-detail">
                <JsonView value={event} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const summaryCharactersMax = 160;

/** What an event is about, in one line. */
function summaryOf({ data }: PublicEvent): string {
  if ('erased' in data) return 'Erased since.';
  if ('content' in data) return data.content.slice(0, summaryCharactersMax);
  if ('query' in data && typeof data.query === 'string')
    return data.query.slice(0, summaryCharactersMax);
  if ('name' in data && typeof data.name === 'string') return data.name;
  return 'id' in data ? data.id : '';
}
