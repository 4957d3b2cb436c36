import { Button } from '../ui/button.tsx';
import { spellType } from './graph-filters.tsx';
import { describeEdge } from './graph-panel.tsx';
import { type Graph, otherEnd } from './merge-graph.ts';

interface GraphListProps {
  readonly graph: Graph;
  readonly rootId: string;
  readonly selectedId: string;
  readonly expandedIds: ReadonlySet<string>;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

const shownEdgesMax = 6;

/** The graph as a list: the same nodes, links and actions, for screen readers and small screens. */
export function GraphList(props: GraphListProps) {
  const { graph, rootId, selectedId, expandedIds, onSelect, onToggle } = props;
  return (
    <ul className="graph-list" aria-label="Nodes of the graph">
      {graph.nodes.map((node) => {
        const edges = graph.edgesOf.get(node.id) ?? [];
        return (
          <li key={node.id} aria-current={node.id === selectedId || undefined}>
            <span className="graph-dot" data-type={node.type} />
            <div>
              <button
                type="button"
                className="link graph-list-label"
                dir="auto"
                onClick={() => onSelect(node.id)}
              >
                {node.label}
              </button>
              <p className="hint">
                {spellType(node.type)}
                {edges
                  .slice(0, shownEdgesMax)
                  .map((edge) => {
                    const other = graph.byId.get(otherEnd(edge, node.id))?.label ?? '';
                    return ` · ${describeEdge(edge, node.id)} ${other.slice(0, 40)}`;
                  })
                  .join('')}
                {edges.length > shownEdgesMax && ` · ${edges.length - shownEdgesMax} more`}
              </p>
            </div>
            {node.id !== rootId && (node.hidden_neighbours > 0 || expandedIds.has(node.id)) && (
              <Button kind="quiet" onClick={() => onToggle(node.id)}>
                {expandedIds.has(node.id) ? 'Collapse' : `Expand (${node.hidden_neighbours})`}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
