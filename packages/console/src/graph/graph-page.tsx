import '../styles/graph.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { GraphCanvas } from './graph-canvas.tsx';
import { GraphFilters } from './graph-filters.tsx';
import { GraphList } from './graph-list.tsx';
import { GraphPanel } from './graph-panel.tsx';
import { GraphStart } from './graph-start.tsx';
import type { GraphSearch } from './graph-state.ts';
import { type Graph, shownNodesMax } from './merge-graph.ts';
import { type Centre, useGraph } from './use-graph.ts';

/** The neighbourhood of a memory or an entity, which the reader expands. */
export function GraphPage() {
  const search = useSearch({ from: '/graph' });
  const id = search.memory ?? search.entity;
  if (id === undefined) return <GraphStart />;
  const centre = { id, isMemory: search.memory !== undefined };
  return <CentredGraph key={id} centre={centre} search={search} />;
}

interface CentredGraphProps {
  readonly centre: Centre;
  readonly search: GraphSearch;
}

function useSearchChange(search: GraphSearch) {
  const navigate = useNavigate();
  return useCallback(
    (change: Partial<GraphSearch>) =>
      void navigate({ to: '/graph', search: { ...search, ...change }, replace: true }),
    [navigate, search],
  );
}

/** What is expanded and selected; going back selects what was selected before. */
function useGraphState(centre: Centre, search: GraphSearch) {
  const [expanded, setExpanded] = useState<readonly Centre[]>([]);
  const [history, setHistory] = useState<readonly string[]>([]);
  const query = useGraph(centre, expanded, search);
  const { graph } = query;
  const rootId = graph.nodes[0]?.id ?? centre.id;
  const selectedId = history.findLast((id) => graph.byId.has(id)) ?? rootId;
  const expandedIds = useMemo(() => new Set(expanded.map(({ id }) => id)), [expanded]);
  const select = (id: string) => setHistory((before) => [...before.slice(-99), id]);
  const back = () => setHistory((before) => before.slice(0, -1));
  const expand = (id: string) => {
    const node = graph.byId.get(id);
    if (!node || node.hidden_neighbours === 0 || id === rootId || expandedIds.has(id)) return;
    setExpanded((before) => [...before, { id, isMemory: node.type === 'memory' }]);
  };
  const toggle = (id: string) => {
    if (expandedIds.has(id)) setExpanded((before) => before.filter((node) => node.id !== id));
    else expand(id);
  };
  return { ...query, rootId, selectedId, expandedIds, select, back, expand, toggle };
}

function CentredGraph({ centre, search }: CentredGraphProps) {
  const state = useGraphState(centre, search);
  const change = useSearchChange(search);
  const { graph, rootId, selectedId } = state;
  const root = graph.byId.get(rootId);
  const selected = graph.byId.get(selectedId);
  const isList = search.view === 'list';
  return (
    <div className="graph">
      <section className="graph-main" aria-label="Neighbourhood">
        <header className="graph-head">
          <h1 dir="auto">{root ? root.label.slice(0, 80) : 'Graph'}</h1>
          <Link className="button" data-kind="quiet" to="/graph" search={{}}>
            Another centre
          </Link>
          <Button
            aria-pressed={isList}
            onClick={() => change({ view: isList ? undefined : 'list' })}
          >
            List
          </Button>
        </header>
        <GraphFilters graph={graph} search={search} onChange={change} />
        {state.error !== null && (
          <GraphError error={state.error} isMissing={state.isMissing} retry={state.refetch} />
        )}
        <GraphNotice graph={graph} isPending={state.isPending && state.error === null} />
        {root && isList && <GraphList {...state} onSelect={state.select} onToggle={state.toggle} />}
        {root && !isList && (
          <GraphCanvas
            graph={graph}
            rootId={rootId}
            selectedId={selectedId}
            onSelect={state.select}
            onExpand={state.expand}
            onBack={state.back}
          />
        )}
      </section>
      {selected && (
        <GraphPanel
          node={selected}
          graph={graph}
          search={search}
          isRoot={selectedId === rootId}
          isExpanded={state.expandedIds.has(selectedId)}
          onSelect={state.select}
          onToggle={state.toggle}
        />
      )}
    </div>
  );
}

interface GraphErrorProps {
  readonly error: unknown;
  readonly isMissing: boolean;
  readonly retry: () => unknown;
}

const GraphError = ({ error, isMissing, retry }: GraphErrorProps) =>
  isMissing ? (
    <div className="empty">
      <h2>This memory or entity does not exist</h2>
      <p>
        It was deleted, or the key may not see it. <Link to="/graph">Choose another centre</Link>.
      </p>
    </div>
  ) : (
    <ErrorNotice error={error} retry={retry} />
  );

function GraphNotice({ graph, isPending }: { graph: Graph; isPending: boolean }) {
  if (isPending) return <p className="hint graph-note">Loading…</p>;
  if (graph.isFull || graph.nodes.length >= shownNodesMax) {
    return (
      <p className="hint graph-note" role="status">
        {shownNodesMax} nodes are shown, which is the limit. Hide types or collapse nodes to see
        others.
      </p>
    );
  }
  if (graph.nodes.length === 1) {
    return (
      <p className="hint graph-note" role="status">
        Nothing is linked with it at these times and with these filters.
      </p>
    );
  }
  return null;
}
