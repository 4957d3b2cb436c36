import { describe, expect, it } from 'vitest';
import { mergeGraph } from './merge-graph.ts';
import { placeLabels } from './place-labels.ts';
import type { Scene } from './scene.ts';

const at = { a: { x: 100, y: 100 }, b: { x: 150, y: 250 }, c: { x: 160, y: 252 } };
const node = (id: string) => ({
  id,
  type: 'person' as const,
  label: `Node ${id}`,
  hops: 1,
  hidden_neighbours: 0,
  created_at: '2026-03-02T10:00:00.000Z',
});
const link = (target_id: string) => ({
  id: target_id,
  kind: 'fact' as const,
  source_id: 'a',
  target_id,
  relationship_type: 'knows',
  weight: 0.5,
  valid_from: null,
  valid_to: null,
});
const graph = mergeGraph([
  {
    root: 'a',
    nodes: [node('a'), node('b'), node('c')],
    edges: [link('b'), link('c')],
    truncated: false,
  },
]);
const scene: Scene = {
  graph,
  positions: new Map(Object.entries(at)),
  view: { x: 0, y: 0, scale: 1 },
  size: { width: 400, height: 400 },
  colours: {},
  font: '',
  rootId: 'a',
  selectedId: undefined,
  hoveredId: undefined,
};
const place = (bright: ReadonlySet<string> | null = null) => placeLabels(scene, bright, () => 60);

describe('the labels of the graph', () => {
  it('are on the side of their node that its edges do not leave', () => {
    const top = new Map(place().map((label) => [label.text, label.top]));
    expect(top.get('Node a')).toBeLessThan(at.a.y);
    expect(top.get('Node b')).toBeGreaterThan(at.b.y);
  });

  it('do not cover each other: the more important one is drawn', () => {
    expect(place().map(({ text }) => text)).toEqual(['Node a', 'Node b']);
    expect(place(new Set(['c'])).map(({ text }) => text)).toEqual(['Node c']);
  });
});
