import type { Fact } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FactItem } from '../memories/memory-facts.tsx';
import { memoryKey } from '../memories/use-memories.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { spellType } from './graph-filters.tsx';
import type { GraphSearch } from './graph-state.ts';
import { type Graph, type GraphEdge, type GraphNode, otherEnd } from './merge-graph.ts';

interface GraphPanelProps {
  readonly node: GraphNode;
  readonly graph: Graph;
  readonly search: GraphSearch;
  readonly isRoot: boolean;
  readonly isExpanded: boolean;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

/** What is known about the selected node: its text, facts and links. */
export function GraphPanel(props: GraphPanelProps) {
  const { node, graph, search, isRoot, isExpanded, onSelect, onToggle } = props;
  const isMemory = node.type === 'memory';
  const { asOf, knownAt } = search;
  const centre = { ...(isMemory ? { memory: node.id } : { entity: node.id }), asOf, knownAt };
  return (
    <aside className="graph-panel" aria-label="Selected node">
      <div className="graph-panel-head">
        <span className="graph-dot" data-type={node.type} />
        <span className="hint">{spellType(node.type)}</span>
      </div>
      {isMemory ? <MemoryText node={node} /> : <h2 dir="auto">{node.label}</h2>}
      <div className="graph-panel-actions">
        {!isRoot && (
          <Button onClick={() => onToggle(node.id)}>
            {isExpanded ? 'Collapse' : 'Expand'}
            {!isExpanded && node.hidden_neighbours > 0 && ` (${node.hidden_neighbours})`}
          </Button>
        )}
        {!isRoot && (
          <Link className="button" to="/graph" search={centre}>
            Centre here
          </Link>
        )}
        {!isMemory && (
          <Link className="button" to="/timeline" search={{ view: 'facts', entity: node.id }}>
            Timeline of facts
          </Link>
        )}
        {isMemory && (
          <Link className="button" to="/memories" search={{ id: node.id }}>
            Open memory
          </Link>
        )}
      </div>
      <NodeFacts key={node.id} node={node} search={search} />
      <NodeLinks node={node} graph={graph} onSelect={onSelect} />
    </aside>
  );
}

function MemoryText({ node }: { node: GraphNode }) {
  const client = useClient();
  const memory = useQuery({
    queryKey: [...memoryKey(node.id), 'content'],
    queryFn: ({ signal }) => client.memories.get({ params: { id: node.id } }, { signal }),
  });
  const text = memory.data?.content ?? node.label;
  return (
    <>
      <h2 className="visually-hidden">Memory</h2>
      <p className="graph-text" dir="auto">
        {text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text}
      </p>
    </>
  );
}

const textCharactersMax = 1_200;
const shownFactsMax = 50;

function NodeFacts({ node, search }: Pick<GraphPanelProps, 'node' | 'search'>) {
  const client = useClient();
  const { asOf, knownAt } = search;
  const facts = useQuery({
    queryKey: ['facts of node', node.id, asOf, knownAt],
    queryFn: async ({ signal }): Promise<readonly Fact[]> => {
      const params = { id: node.id };
      if (node.type === 'memory') {
        return (await client.knowledge.ofMemory({ params }, { signal })).facts;
      }
      const query = {
        limit: shownFactsMax,
        ...(asOf !== undefined && { as_of: asOf }),
        ...(knownAt !== undefined && { known_at: knownAt }),
      };
      return (await client.knowledge.facts({ params, query }, { signal })).facts;
    },
  });
  if (facts.isError) return <ErrorNotice error={facts.error} retry={facts.refetch} />;
  return (
    <section aria-label="Facts">
      <h3>Facts</h3>
      {facts.isPending && <p className="hint">Loading…</p>}
      {facts.data?.length === 0 && <p className="hint">No facts.</p>}
      <ul className="graph-facts">
        {facts.data?.map((fact) => (
          <FactItem key={fact.id} fact={fact} />
        ))}
      </ul>
    </section>
  );
}

type NodeLinksProps = Pick<GraphPanelProps, 'node' | 'graph' | 'onSelect'>;

function NodeLinks({ node, graph, onSelect }: NodeLinksProps) {
  const edges = (graph.edgesOf.get(node.id) ?? []).toSorted((a, b) => b.weight - a.weight);
  return (
    <section aria-label="Links">
      <h3>
        Links <span className="hint">{edges.length}</span>
      </h3>
      {edges.length === 0 && <p className="hint">Nothing is linked with it here.</p>}
      <ul className="graph-links">
        {edges.map((edge) => (
          <LinkItem
            key={`${edge.id} ${edge.source_id} ${edge.target_id}`}
            edge={edge}
            node={node}
            graph={graph}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </section>
  );
}

/** The edge in words, from this node. */
export const describeEdge = (edge: GraphEdge, id: string): string => {
  const type = spellType(edge.relationship_type);
  if (edge.kind === 'mention') return edge.source_id === id ? 'mentions' : 'mentioned in';
  return edge.source_id === id ? `${type} →` : `← ${type}`;
};

function LinkItem({ edge, node, graph, onSelect }: NodeLinksProps & { edge: GraphEdge }) {
  const other = graph.byId.get(otherEnd(edge, node.id));
  if (!other) return null;
  return (
    <li>
      <button type="button" className="graph-link" onClick={() => onSelect(other.id)}>
        <span className="graph-dot" data-type={other.type} />
        <span className="hint">{describeEdge(edge, node.id)}</span>
        <span className="graph-link-label" dir="auto">
          {other.label}
        </span>
      </button>
    </li>
  );
}
