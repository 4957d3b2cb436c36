import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { systemNowMs } from '../kernel.ts';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Day } from '../ui/time.tsx';
import { type FactChart, type FactRow, type Interval, toFactChart } from './fact-intervals.ts';

interface FactsViewProps {
  readonly entity: string | undefined;
  readonly onChoose: (entity: string) => void;
}

const listedEntitiesMax = 200;
const shownEntriesMax = 200;

/** The facts about one entity: when they hold, and when the service considered them true. */
export function FactsView({ entity, onChoose }: FactsViewProps) {
  const client = useClient();
  const entities = useQuery({
    queryKey: ['entities', 'all'],
    queryFn: ({ signal }) =>
      client.knowledge.entities({ query: { limit: listedEntitiesMax } }, { signal }),
  });
  const listed = entities.data?.entities ?? [];
  const chosen = entity ?? listed[0]?.id;
  if (entities.isError) return <ErrorNotice error={entities.error} retry={entities.refetch} />;
  if (entities.data && listed.length === 0) {
    return (
      <div className="empty">
        <Icon name="timeline" />
        <h2>No facts yet</h2>
        <p>Mneme reads people, places and facts from new memories within seconds.</p>
      </div>
    );
  }
  return (
    <>
      <div className="timeline-entity">
        <select
          className="select"
          aria-label="Entity"
          value={chosen ?? ''}
          onChange={({ target }) => onChoose(target.value)}
        >
          {entity !== undefined && !listed.some(({ id }) => id === entity) && (
            <option value={entity}>Entity of the graph</option>
          )}
          {listed.map(({ id, name, type }) => (
            <option key={id} value={id}>
              {name} ({type})
            </option>
          ))}
        </select>
        {chosen !== undefined && (
          <Link className="button" to="/graph" search={{ entity: chosen }}>
            Show in the graph
          </Link>
        )}
      </div>
      {chosen !== undefined && <EntityFacts key={chosen} entity={chosen} />}
    </>
  );
}

function EntityFacts({ entity }: { entity: string }) {
  const client = useClient();
  const [nowMs] = useState(systemNowMs);
  const timeline = useQuery({
    queryKey: ['entity timeline', entity],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.knowledge.timeline(
        { params: { id: entity }, query: { limit: shownEntriesMax } },
        { signal },
      ),
  });
  const chart = useMemo(() => {
    const facts = timeline.data?.entries.flatMap(({ kind, fact }) =>
      kind === 'fact_added' && fact ? [fact] : [],
    );
    return facts && toFactChart(facts, nowMs);
  }, [timeline.data, nowMs]);
  if (timeline.isError) return <ErrorNotice error={timeline.error} retry={timeline.refetch} />;
  if (chart === undefined) return <p className="hint timeline-note">Loading…</p>;
  if (chart.rows.length === 0) {
    return <p className="hint timeline-note">No memory states a fact about this entity.</p>;
  }
  return <Chart chart={chart} nowMs={nowMs} />;
}

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const ticks = [0, 0.25, 0.5, 0.75, 1];

function Chart({ chart, nowMs }: { chart: FactChart; nowMs: number }) {
  const { fromMs, toMs, rows } = chart;
  const now = ((nowMs - fromMs) / (toMs - fromMs)) * 100;
  return (
    <div className="fact-chart">
      <p className="fact-legend hint">
        <i data-bar="valid" /> true in the world <i data-bar="known" /> known to Mneme
      </p>
      <div className="fact-axis" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: `${tick * 100}%` }}>
            {dateFormat.format(fromMs + tick * (toMs - fromMs))}
          </span>
        ))}
      </div>
      <ul className="fact-rows">
        {rows.map((row) => (
          <FactBars key={row.fact.id} row={row} now={now} />
        ))}
      </ul>
    </div>
  );
}

interface PeriodProps {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

const Period = ({ name, from, to }: PeriodProps) =>
  from === null && to === null ? (
    'No dates stated.'
  ) : (
    <>
      {name}
      {from !== null && (
        <>
          {' from '}
          <Day value={from} />
        </>
      )}
      {to !== null && (
        <>
          {' until '}
          <Day value={to} />
        </>
      )}
      .
    </>
  );

const Bar = ({ kind, interval }: { kind: 'valid' | 'known'; interval: Interval }) => (
  <i
    data-bar={kind}
    data-open-start={interval.isOpenStart || undefined}
    data-open-end={interval.isOpenEnd || undefined}
    style={{ left: `${interval.left}%`, width: `${interval.width}%` }}
  />
);

function FactBars({ row, now }: { row: FactRow; now: number }) {
  const { fact, valid, known } = row;
  const { valid_from, valid_to, recorded_at, invalidated_at } = fact;
  return (
    <li data-retracted={invalidated_at !== null || undefined}>
      <div className="fact-name">
        <span dir="auto">{fact.statement}</span>
        <span className="hint">
          <Period name="True" from={valid_from} to={valid_to} />{' '}
          <Period name="Known" from={recorded_at} to={invalidated_at} />
        </span>
      </div>
      <div className="fact-bars" aria-hidden="true">
        <span className="fact-now" style={{ left: `${now}%` }} />
        <Bar kind="valid" interval={valid} />
        <Bar kind="known" interval={known} />
      </div>
    </li>
  );
}
