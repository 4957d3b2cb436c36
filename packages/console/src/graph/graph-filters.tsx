import { useEffect, useState } from 'react';
import { systemNowMs } from '../kernel.ts';
import { Button } from '../ui/button.tsx';
import { type GraphSearch, type NodeType, nodeTypes } from './graph-state.ts';
import type { Graph } from './merge-graph.ts';

interface GraphFiltersProps {
  readonly graph: Graph;
  readonly search: GraphSearch;
  readonly onChange: (change: Partial<GraphSearch>) => void;
}

export const spellType = (type: string): string => type.replaceAll('_', ' ');

/** Types of nodes to hide, types of edges to keep, distance and times. */
export function GraphFilters({ graph, search, onChange }: GraphFiltersProps) {
  return (
    <div className="graph-filters">
      <NodeTypeFilter graph={graph} search={search} onChange={onChange} />
      <div className="graph-filter-row">
        <EdgeTypeFilter graph={graph} search={search} onChange={onChange} />
        <select
          className="select"
          aria-label="Distance"
          value={search.depth ?? 1}
          onChange={({ target }) => {
            const depth = Number(target.value);
            onChange({ depth: depth === 2 || depth === 3 ? depth : undefined });
          }}
        >
          <option value="1">1 step</option>
          <option value="2">2 steps</option>
          <option value="3">3 steps</option>
        </select>
        <TimeControl
          label="True at"
          hint="Facts that held at this time"
          value={search.asOf}
          earliestMs={earliestOf(graph)}
          onChange={(asOf) => onChange({ asOf })}
        />
        <TimeControl
          label="Known at"
          hint="What was stored by this time"
          value={search.knownAt}
          earliestMs={earliestOf(graph)}
          onChange={(knownAt) => onChange({ knownAt })}
        />
      </div>
    </div>
  );
}

function NodeTypeFilter({ graph, search, onChange }: GraphFiltersProps) {
  const hidden = new Set(search.hide);
  const counts = new Map<NodeType, number>();
  for (const { type } of graph.nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  const shown = nodeTypes.filter((type) => counts.has(type) || hidden.has(type));
  const toggle = (type: NodeType) => {
    if (!hidden.delete(type)) hidden.add(type);
    onChange({ hide: hidden.size > 0 ? [...hidden] : undefined });
  };
  return (
    <fieldset className="graph-types" aria-label="Types of nodes">
      {shown.map((type) => (
        <button
          key={type}
          type="button"
          className="graph-type"
          aria-pressed={!hidden.has(type)}
          onClick={() => toggle(type)}
        >
          <i className="graph-dot" data-type={type} />
          {spellType(type)}
          <span className="graph-count">{counts.get(type) ?? 0}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** Types that were seen stay in the list, so that they can be chosen again. */
function useSeenEdgeTypes(graph: Graph, chosen: readonly string[]): readonly string[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const types = graph.edges.map(({ relationship_type: type }) => type);
    setSeen((before) =>
      types.every((type) => before.has(type)) ? before : new Set([...before, ...types]),
    );
  }, [graph]);
  return [...new Set([...seen, ...chosen])].sort();
}

function EdgeTypeFilter({ graph, search, onChange }: GraphFiltersProps) {
  const chosen = search.edges ?? [];
  const types = useSeenEdgeTypes(graph, chosen);
  const toggle = (type: string) => {
    const next = chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type];
    onChange({ edges: next.length > 0 ? next : undefined });
  };
  return (
    <details className="graph-menu">
      <summary className="button" data-set={chosen.length > 0 || undefined}>
        {chosen.length > 0 ? `${chosen.length} types of edges` : 'All edges'}
      </summary>
      <div className="graph-menu-list">
        {types.map((type) => (
          <label key={type} className="checkbox">
            <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
            <span>{spellType(type)}</span>
          </label>
        ))}
        {chosen.length > 0 && (
          <Button kind="quiet" onClick={() => onChange({ edges: undefined })}>
            Show all
          </Button>
        )}
      </div>
    </details>
  );
}

const yearMs = 31_536_000_000;
const dayMs = 86_400_000;

/** A slider starts at the earliest time of the graph, and at least a year ago. */
function earliestOf({ nodes, edges }: Graph): number {
  const times = [
    ...nodes.map(({ created_at: at }) => Date.parse(at)),
    ...edges.flatMap(({ valid_from: at }) => (at === null ? [] : [Date.parse(at)])),
  ];
  return Math.min(systemNowMs() - yearMs, ...times);
}

interface TimeControlProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  readonly earliestMs: number;
  readonly onChange: (value: string | undefined) => void;
}

const applyMs = 200;
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A slider in days; at its end it is now. */
function TimeControl({ label, hint, value, earliestMs, onChange }: TimeControlProps) {
  const [nowMs] = useState(systemNowMs);
  // The bounds stay while times change, or the handle would move away from the pointer.
  const [lowest, setLowest] = useState(earliestMs);
  useEffect(() => setLowest((before) => Math.min(before, earliestMs)), [earliestMs]);
  const days = Math.ceil((nowMs - lowest) / dayMs);
  const stored = value === undefined ? days : dayOf(Date.parse(value), nowMs, days);
  const [moved, setMoved] = useState<number | null>(null);
  useEffect(() => {
    if (moved === null) return;
    const timer = setTimeout(() => {
      const ms = nowMs - (days - moved) * dayMs;
      onChange(moved >= days ? undefined : new Date(ms).toISOString());
      setMoved(null);
    }, applyMs);
    return () => clearTimeout(timer);
  }, [moved, days, nowMs, onChange]);
  const day = moved ?? stored;
  const shown = day >= days ? 'now' : dayFormat.format(nowMs - (days - day) * dayMs);
  return (
    <label className="graph-time" title={hint}>
      <span>
        {label} <strong>{shown}</strong>
      </span>
      <input
        type="range"
        min={0}
        max={days}
        value={day}
        aria-valuetext={shown}
        onChange={({ target }) => setMoved(Number(target.value))}
      />
    </label>
  );
}

const dayOf = (ms: number, nowMs: number, days: number): number =>
  Math.max(0, days - Math.round((nowMs - ms) / dayMs));
