import type { Point } from './direction.ts';
import { type GraphNode, otherEnd } from './merge-graph.ts';
import { type Scene, shownRadius } from './scene.ts';
import { toScreen } from './viewport.ts';

/** Of the letters; the lines of a label are as high as this. */
export const labelHeight = 16;
const nodeDistance = 5;
/** Of the number of hidden neighbours, which is at the upper edge of a node. */
const badgeHeight = 8;
const labelCharactersMax = 34;

interface LabelText {
  readonly text: string;
  readonly isStrong: boolean;
}

/** A label on the screen: the middle of its text, and where it begins from above. */
export interface PlacedLabel extends LabelText {
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const shortLabel = ({ label }: GraphNode): string => {
  const line = label.replaceAll(/\s+/g, ' ').trim();
  return line.length > labelCharactersMax ? `${line.slice(0, labelCharactersMax - 1)}…` : line;
};

type LabelScene = Pick<Scene, 'graph' | 'positions' | 'view'>;

/** Whether most edges of a node leave it downwards, so that its label is better above it. */
function isAboveNode({ graph, positions }: LabelScene, id: string, at: Point): boolean {
  let down = 0;
  for (const edge of graph.edgesOf.get(id) ?? []) {
    const to = positions.get(otherEnd(edge, id));
    const length = to ? Math.hypot(to.x - at.x, to.y - at.y) : 0;
    if (to && length > 0) down += (to.y - at.y) / length;
  }
  return down > 0;
}

/**
 * The labels that are drawn: the important ones first; one that would cover another is left out.
 * `measure` returns the width of a text in CSS pixels; `bright` has the nodes that are emphasized.
 */
export function placeLabels(
  scene: Scene,
  bright: ReadonlySet<string> | null,
  measure: (label: LabelText) => number,
): PlacedLabel[] {
  const { graph, positions, view, size, selectedId, hoveredId, rootId } = scene;
  const rank = ({ id, type }: GraphNode): number => {
    if (id === selectedId || id === hoveredId) return 1_000;
    const edges = graph.edgesOf.get(id)?.length ?? 0;
    return (
      (id === rootId ? 900 : 0) + (bright?.has(id) ? 500 : 0) + edges + (type === 'memory' ? 0 : 40)
    );
  };
  const taken: Box[] = [];
  const labels: PlacedLabel[] = [];
  for (const node of graph.nodes.toSorted((a, b) => rank(b) - rank(a))) {
    const position = positions.get(node.id);
    if (!position || (bright !== null && !bright.has(node.id))) continue;
    const { x, y } = toScreen(view, position);
    if (x < -80 || y < -40 || x > size.width + 80 || y > size.height + 40) continue;
    const label = { text: shortLabel(node), isStrong: rank(node) >= 900 };
    const width = measure(label);
    const distance = shownRadius(scene, node.id) + nodeDistance;
    const above = y - distance - labelHeight - (node.hidden_neighbours > 0 ? badgeHeight : 0);
    const top = isAboveNode(scene, node.id, position) ? above : y + distance;
    const half = width / 2 + 3;
    const box = { left: x - half, top, right: x + half, bottom: top + labelHeight };
    if (!label.isStrong && taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    labels.push({ ...label, x, top, width });
  }
  return labels;
}
