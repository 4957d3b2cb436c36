import { isMnemeError, type Memory, operations, type Transcript } from '@mneme/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { memoryKey } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useToast } from '../ui/toasts.tsx';
import { TranscriptView } from './transcript-view.tsx';

interface RecordingProps {
  readonly id: string;
  readonly startAt: number | undefined;
  readonly onClose: () => void;
}

/** A player with its transcript. */
export function Recording({ id, startAt, onClose }: RecordingProps) {
  const client = useClient();
  const player = useRef<HTMLMediaElement>(null);
  const memory = useQuery({
    queryKey: [...memoryKey(id), 'content'],
    queryFn: ({ signal }) => client.memories.get({ params: { id } }, { signal }),
  });
  const [seconds, setSeconds] = useState(startAt ?? 0);
  const seek = (to: number) => {
    setSeconds(to);
    if (player.current === null) return;
    player.current.currentTime = to;
    void player.current.play().catch(() => undefined);
  };
  return (
    <section className="recording" aria-label="Recording">
      <div className="detail-head">
        <IconButton icon="back" label="Back to the list" onClick={onClose} />
        <Link className="button" data-kind="quiet" to="/memories" search={{ id }}>
          Open memory
        </Link>
      </div>
      {memory.isError && <ErrorNotice error={memory.error} retry={memory.refetch} />}
      {memory.data && (
        <>
          <h2 dir="auto">{memory.data.content.split('\n')[0]?.slice(0, 200)}</h2>
          <Player player={player} memory={memory.data} startAt={startAt} onTime={setSeconds} />
          <TranscriptSection id={id} seconds={seconds} seek={seek} />
        </>
      )}
    </section>
  );
}

interface PlayerProps {
  readonly player: RefObject<HTMLMediaElement | null>;
  readonly memory: Memory;
  readonly startAt: number | undefined;
  readonly onTime: (seconds: number) => void;
}

/** A link plays without the token, which elements of the page cannot send. */
function useMediaLink(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['media link', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { url } = await client.media.link({ params: { id } }, { signal });
      // The public address of the server can differ from the one of the page.
      const { pathname, search } = new URL(url, location.origin);
      return pathname + search;
    },
  });
}

function Player({ player, memory, startAt, onTime }: PlayerProps) {
  const link = useMediaLink(memory.id);
  const [hasFailed, setHasFailed] = useState(false);
  const first = useRef(startAt);
  useEffect(() => {
    const element = player.current;
    if (element === null || startAt === undefined || first.current === startAt) return;
    first.current = startAt;
    element.currentTime = startAt;
    void element.play().catch(() => undefined);
  }, [player, startAt]);
  if (link.isError) return <ErrorNotice error={link.error} retry={link.refetch} />;
  if (link.data === undefined) return <p className="hint">Loading…</p>;
  const shared = {
    src: link.data,
    controls: true,
    preload: 'metadata' as const,
    onLoadedMetadata: () => {
      setHasFailed(false);
      if (player.current && startAt !== undefined) player.current.currentTime = startAt;
    },
    onTimeUpdate: () => onTime(player.current?.currentTime ?? 0),
    onError: () => setHasFailed(true),
  };
  const retry = () => {
    setHasFailed(false);
    void link.refetch();
  };
  return (
    <div className="player">
      {memory.content_type === 'video' ? (
        <video ref={player as RefObject<HTMLVideoElement>} aria-label="Video" {...shared} />
      ) : (
        <audio ref={player as RefObject<HTMLAudioElement>} aria-label="Audio" {...shared} />
      )}
      {hasFailed && (
        <div className="notice" role="alert">
          <div>
            <strong>This browser cannot play the recording, or the link has expired.</strong>
            <Button onClick={retry}>Try again</Button>
          </div>
        </div>
      )}
    </div>
  );
}

type TranscriptState =
  | { readonly status: 'ready'; readonly transcript: Transcript }
  | { readonly status: 'pending' };

const pendingMs = 3_000;

interface TranscriptSectionProps {
  readonly id: string;
  readonly seconds: number;
  readonly seek: (seconds: number) => void;
}

function TranscriptSection({ id, seconds, seek }: TranscriptSectionProps) {
  const client = useClient();
  const transcript = useQuery({
    queryKey: ['transcript', id],
    queryFn: async ({ signal }): Promise<TranscriptState> => {
      const { body } = await client.raw(
        operations.media.transcript,
        { params: { id } },
        { signal },
      );
      return 'segments' in body ? { status: 'ready', transcript: body } : { status: 'pending' };
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pendingMs : false),
  });
  if (transcript.isPending) return <p className="hint">Loading the transcript…</p>;
  if (transcript.isError) {
    return isMnemeError(transcript.error, 'not_found') ? (
      <NoTranscript id={id} />
    ) : (
      <>
        <ErrorNotice error={transcript.error} retry={transcript.refetch} />
        <NoTranscript id={id} />
      </>
    );
  }
  if (transcript.data.status === 'pending') {
    return (
      <p className="hint" role="status">
        The recording is being transcribed. The transcript appears here.
      </p>
    );
  }
  return <TranscriptView transcript={transcript.data.transcript} seconds={seconds} seek={seek} />;
}

function NoTranscript({ id }: { id: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const transcribe = async () => {
    await client.media
      .transcribe({ params: { id } })
      .catch((error: Error) => toast({ text: error.message }));
    await queries.invalidateQueries({ queryKey: ['transcript', id] });
  };
  return (
    <div className="section-head">
      <p className="hint">There is no transcript.</p>
      <Button writes onClick={transcribe}>
        Transcribe
      </Button>
    </div>
  );
}
