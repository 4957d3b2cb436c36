import { describe, expect, it } from 'vitest';
import { type GraphNode, mergeGraph, shownNodesMax } from './merge-graph.ts';

const node = (id: string, hidden = 0): GraphNode => ({
  id,
  type: 'person',
  label: id,
  hops: 1,
  hidden_neighbours: hidden,
  created_at: '2026-03-02T10:00:00.000Z',
});
const edge = (source_id: string, target_id: string) => ({
  id: `${source_id}${target_id}`,
  kind: 'fact' as const,
  source_id,
  target_id,
  relationship_type: 'knows',
  weight: 0.5,
  valid_from: null,
  valid_to: null,
});
const part = (root: string, nodes: GraphNode[], edges: ReturnType<typeof edge>[]) => ({
  root,
  nodes,
  edges,
  truncated: false,
});

describe('mergeGraph', () => {
  it('joins expanded nodes, with the smallest number of hidden neighbours', () => {
    const graph = mergeGraph([
      part('a', [node('a'), node('b', 2)], [edge('a', 'b')]),
      part('b', [node('b', 0), node('a', 5), node('c', 1)], [edge('a', 'b'), edge('b', 'c')]),
    ]);
    expect(graph.nodes.map(({ id, hidden_neighbours }) => [id, hidden_neighbours])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ]);
    expect(graph.edges.map(({ id }) => id)).toEqual(['ab', 'bc']);
    expect(graph.edgesOf.get('b')).toHaveLength(2);
  });

  it('leaves out what is no longer connected to the centre', () => {
    const graph = mergeGraph([part('a', [node('a')], []), part('x', [node('x'), node('y')], [])]);
    expect(graph.nodes.map(({ id }) => id)).toEqual(['a']);
  });

  it('shows a limited number of nodes, and says so', () => {
    const many = Array.from({ length: shownNodesMax + 5 }, (_, i) => node(`n${i}`));
    const links = many.slice(1).map(({ id }) => edge('n0', id));
    const graph = mergeGraph([part('n0', many, links)]);
    expect(graph.nodes).toHaveLength(shownNodesMax);
    expect(graph.edges).toHaveLength(shownNodesMax - 1);
    expect(graph.isFull).toBe(true);
  });
});
