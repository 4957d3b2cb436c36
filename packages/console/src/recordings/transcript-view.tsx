import type { Transcript } from '@mneme/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { highlightTerms } from '../search/highlight.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { findSegments, formatSeconds, segmentAt } from './transcript.ts';

interface TranscriptViewProps {
  readonly transcript: Transcript;
  readonly seconds: number;
  readonly seek: (seconds: number) => void;
}

/** Scrolls to the spoken segment, unless the reader is elsewhere in the list. */
function useFollow(active: number, isFollowing: boolean) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (!isFollowing || active < 0) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = still ? 'auto' : 'smooth';
    list.current?.children[active]?.scrollIntoView({ block: 'nearest', behavior });
  }, [active, isFollowing]);
  return list;
}

/** The transcript follows the player; a segment plays from its start. */
export function TranscriptView({ transcript, seconds, seek }: TranscriptViewProps) {
  const { segments } = transcript;
  const [text, setText] = useState('');
  const [isFollowing, setIsFollowing] = useState(true);
  const active = segmentAt(segments, seconds);
  const list = useFollow(active, isFollowing);
  const hits = useMemo(() => findSegments(segments, text), [segments, text]);
  const terms = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const jump = (step: 1 | -1) => {
    const next =
      step === 1
        ? (hits.find((index) => index > active) ?? hits[0])
        : (hits.findLast((index) => index < active) ?? hits.at(-1));
    if (next !== undefined) seek(segments[next]?.start ?? 0);
  };
  return (
    <>
      <div className="transcript-head">
        <form
          className="transcript-find"
          onSubmit={(event) => {
            event.preventDefault();
            jump(1);
          }}
        >
          <input
            className="input"
            type="search"
            aria-label="Find in the transcript"
            placeholder="Find in the transcript…"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {text.trim() !== '' && (
            <>
              <span className="hint" role="status">
                {hits.length === 1 ? '1 hit' : `${hits.length.toLocaleString()} hits`}
              </span>
              <IconButton icon="back" label="Previous hit" onClick={() => jump(-1)} />
              <IconButton icon="forward" label="Next hit" type="submit" />
            </>
          )}
        </form>
        <Button aria-pressed={isFollowing} onClick={() => setIsFollowing(!isFollowing)}>
          Follow
        </Button>
      </div>
      {segments.length === 0 && <p className="hint">Nobody speaks in this recording.</p>}
      <ol ref={list} className="transcript" aria-label="Transcript">
        {segments.map((segment, i) => (
          <SegmentItem
            key={segment.id}
            segment={segment}
            isActive={i === active}
            terms={hits.includes(i) ? terms : noTerms}
            seek={seek}
          />
        ))}
      </ol>
    </>
  );
}

const noTerms: readonly string[] = [];

interface SegmentItemProps {
  readonly segment: Transcript['segments'][number];
  readonly isActive: boolean;
  readonly terms: readonly string[];
  readonly seek: (seconds: number) => void;
}

function SegmentItem({ segment, isActive, terms, seek }: SegmentItemProps) {
  const { start, speaker, text } = segment;
  return (
    <li>
      <button
        type="button"
        className="transcript-segment"
        aria-current={isActive || undefined}
        onClick={() => seek(start)}
      >
        <span className="recording-second">{formatSeconds(start)}</span>
        <span dir="auto">
          {speaker !== null && <strong>{speaker}: </strong>}
          {highlightTerms(text, terms).map((part, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no ids.
            part.isMatch ? <mark key={at}>{part.text}</mark> : part.text,
          )}
        </span>
      </button>
    </li>
  );
}
