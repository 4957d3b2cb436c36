import type { SearchPostResult, SearchResult } from '@mneme/sdk';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Time } from '../ui/time.tsx';
import { FeatureBars } from './feature-bars.tsx';
import { highlightTerms } from './highlight.ts';

interface SearchResultsProps {
  /** What was searched. */
  readonly q: string;
  readonly response: SearchPostResult;
  readonly isExplained: boolean;
  readonly isStale: boolean;
}

const isMemory = (result: SearchPostResult['data'][number]): result is SearchResult =>
  result.type === 'memory';

/** Rendered when results arrive, not for each key. */
export const SearchResults = memo((props: SearchResultsProps) => {
  const { q, response, isExplained, isStale } = props;
  const results = response.data.filter(isMemory);
  const count = response.facets.memories;
  if (results.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing matches</h2>
        <p>
          Try other words or fewer filters. If you expected a memory, open it in the list and select
          “See why in a search”.
        </p>
      </div>
    );
  }
  return (
    <>
      <p className="hint" role="status">
        {count.toLocaleString()} {count === 1 ? 'match' : 'matches'}
      </p>
      <ol className="results" aria-label={`Results for “${q}”`} data-stale={isStale || undefined}>
        {results.map((result) => (
          <Result key={result.id} result={result} isExplained={isExplained} />
        ))}
      </ol>
    </>
  );
});

interface ResultProps {
  readonly result: SearchResult;
  readonly isExplained: boolean;
}

const Result = memo(({ result, isExplained }: ResultProps) => {
  const { why_matched: why, score } = result;
  const parts = highlightTerms(result.highlight, why?.matched_terms ?? []);
  const percent = Math.round(score * 100);
  return (
    <li className="result">
      <div className="result-score">
        <strong>{percent}</strong>
        <span className="meter" role="img" aria-label={`Score ${percent} of 100`}>
          <i style={{ width: `${percent}%` }} />
        </span>
      </div>
      <div className="result-body">
        <Link to="/memories" search={{ id: result.id }} className="result-text" dir="auto">
          {parts.map(({ text, isMatch }, i) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no ids.
            isMatch ? <mark key={i}>{text}</mark> : text,
          )}
        </Link>
        <p className="result-facts">
          {result.outdated_by !== null && (
            <span className="tag" data-tone="warn">
              outdated
            </span>
          )}
          {result.tags.slice(0, 6).map((tag) => (
            <span key={tag} className="tag">
              <span>{tag}</span>
            </span>
          ))}
          <span className="hint">
            <Time value={result.occurred_at ?? result.created_at} isRelative />
          </span>
        </p>
        {isExplained && why && <FeatureBars features={why.features} />}
      </div>
    </li>
  );
});
