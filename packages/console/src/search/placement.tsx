import type { ResultPlacement } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { FeatureBars } from './feature-bars.tsx';

interface PlacementProps {
  readonly id: string;
  readonly placement: ResultPlacement | undefined;
  readonly hasQuery: boolean;
  readonly onClose: () => void;
}

/** What the reason means, and what to do. */
function explain({ reason, rank, score }: ResultPlacement): string {
  const percent = score === null ? '' : ` with a score of ${Math.round(score * 100)}`;
  switch (reason) {
    case 'ranked':
      return `It is result ${rank}${percent}.`;
    case 'below_threshold':
      return `It is match ${rank}${percent}, below the threshold. Ask with more of its words.`;
    case 'filtered':
      return 'A filter, a quoted phrase or an excluded word removes it. Clear the filters.';
    case 'no_match':
      return 'It shares no word with the query and its meaning is not near.';
    case 'not_found':
      return 'It is not in the searched spaces: it may be deleted, or in another space.';
  }
}

/** Answers “why not this one?” for one memory. */
export function Placement({ id, placement, hasQuery, onClose }: PlacementProps) {
  const client = useClient();
  const memory = useQuery({
    queryKey: ['memory', id, 'content'],
    queryFn: ({ signal }) => client.memories.get({ params: { id } }, { signal }),
  });
  return (
    <section className="placement" aria-label="Why not this memory?">
      <div className="placement-head">
        <h2>Why not this one?</h2>
        <IconButton icon="close" label="Close the explanation" onClick={onClose} />
      </div>
      <p className="placement-text" dir="auto">
        {memory.data ? (
          <Link to="/memories" search={{ id }}>
            {memory.data.content.slice(0, 300)}
          </Link>
        ) : (
          <code>{id}</code>
        )}
      </p>
      <p role="status">
        {placement ? explain(placement) : hasQuery ? '…' : 'Enter the query that should find it.'}
      </p>
      {placement?.why_matched && <FeatureBars features={placement.why_matched.features} />}
      {placement?.ahead && (
        <FeatureBars
          features={placement.ahead.differences}
          label="How far the first result is ahead"
        />
      )}
    </section>
  );
}
