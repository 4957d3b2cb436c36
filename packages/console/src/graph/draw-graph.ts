import type { Point } from './direction.ts';
import { type GraphEdge, type GraphNode, otherEnd } from './merge-graph.ts';
import { labelHeight, type PlacedLabel, placeLabels } from './place-labels.ts';
import { type Scene, shownRadius } from './scene.ts';
import { toScreen } from './viewport.ts';

const colourOf = ({ colours }: Scene, name: string): string => colours[name] ?? '#888';

/** Nodes that stay bright while one is pointed at or selected; null: all. */
function emphasized({ graph, hoveredId, selectedId }: Scene): ReadonlySet<string> | null {
  const id = hoveredId ?? selectedId;
  if (id === undefined || !graph.byId.has(id)) return null;
  return new Set([id, ...(graph.edgesOf.get(id) ?? []).map((edge) => otherEnd(edge, id))]);
}

const fadedAlpha = 0.22;

export function drawGraph(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, graph } = scene;
  context.clearRect(0, 0, size.width, size.height);
  const bright = emphasized(scene);
  drawEdges(context, scene, bright);
  const labels = placeLabels(scene, bright, ({ text, isStrong }) => {
    context.font = labelFont(scene, isStrong);
    return context.measureText(text).width;
  });
  // Edges end at labels, nodes do not.
  drawLabelBacks(context, scene, labels);
  drawEdgeLabels(context, scene);
  for (const node of graph.nodes) {
    context.globalAlpha = bright === null || bright.has(node.id) ? 1 : fadedAlpha;
    drawNode(context, scene, node);
  }
  context.globalAlpha = 1;
  drawLabels(context, scene, labels);
}

const labelFont = ({ font }: Scene, isStrong: boolean): string =>
  `${isStrong ? 600 : 450} 12px ${font}`;

function drawLabelBacks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  labels: readonly PlacedLabel[],
): void {
  context.fillStyle = colourOf(scene, 'canvas');
  for (const { x, top, width } of labels) {
    context.beginPath();
    context.roundRect(x - width / 2 - 4, top - 2, width + 8, labelHeight + 2, 4);
    context.fill();
  }
}

function drawLabels(
  context: CanvasRenderingContext2D,
  scene: Scene,
  labels: readonly PlacedLabel[],
): void {
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colourOf(scene, 'canvas');
  for (const { text, isStrong, x, top } of labels) {
    context.font = labelFont(scene, isStrong);
    // Where a label is over a node.
    context.strokeText(text, x, top);
    context.fillStyle = colourOf(scene, isStrong ? 'text' : 'textSoft');
    context.fillText(text, x, top);
  }
}

/** The names of the edges of the node that is pointed at or selected, over all edges. */
function drawEdgeLabels(context: CanvasRenderingContext2D, scene: Scene): void {
  const { graph, positions, view, hoveredId, selectedId } = scene;
  const focused = hoveredId ?? selectedId;
  for (const edge of graph.edgesOf.get(focused ?? '') ?? []) {
    const [source, target] = [positions.get(edge.source_id), positions.get(edge.target_id)];
    if (edge.kind === 'mention' || !source || !target) continue;
    drawEdgeLabel(context, scene, toScreen(view, source), toScreen(view, target), edge);
  }
}

function drawEdges(
  context: CanvasRenderingContext2D,
  scene: Scene,
  bright: ReadonlySet<string> | null,
): void {
  const { graph, positions, view, hoveredId, selectedId } = scene;
  const focused = hoveredId ?? selectedId;
  for (const edge of graph.edges) {
    const [source, target] = [positions.get(edge.source_id), positions.get(edge.target_id)];
    if (!source || !target) continue;
    const [from, to] = [toScreen(view, source), toScreen(view, target)];
    const isFocused = edge.source_id === focused || edge.target_id === focused;
    context.globalAlpha = bright === null || isFocused ? 0.35 + 0.65 * edge.weight : 0.12;
    context.strokeStyle = colourOf(scene, isFocused ? 'edgeFocused' : edge.kind);
    context.lineWidth = isFocused ? 1.75 : 1 + edge.weight * 0.6;
    context.setLineDash(edge.kind === 'mention' ? [3, 4] : []);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    if (edge.kind !== 'mention') {
      drawArrow(context, from, to, shownRadius(scene, edge.target_id), context.strokeStyle);
    }
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawArrow(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  radius: number,
  colour: string | CanvasGradient | CanvasPattern,
): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const [x, y] = [to.x - Math.cos(angle) * (radius + 3), to.y - Math.sin(angle) * (radius + 3)];
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  for (const turn of [2.7, -2.7]) {
    context.lineTo(x + Math.cos(angle + turn) * 7, y + Math.sin(angle + turn) * 7);
  }
  context.fill();
}

function drawEdgeLabel(
  context: CanvasRenderingContext2D,
  scene: Scene,
  from: Point,
  to: Point,
  edge: GraphEdge,
): void {
  if (Math.hypot(to.x - from.x, to.y - from.y) < 70) return;
  const text = edge.relationship_type.replaceAll('_', ' ');
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  context.font = `500 11px ${scene.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const width = context.measureText(text).width + 8;
  context.fillStyle = colourOf(scene, 'canvas');
  context.beginPath();
  context.roundRect(x - width / 2, y - 8, width, 16, 4);
  context.fill();
  context.fillStyle = colourOf(scene, 'textSoft');
  context.fillText(text, x, y);
}

function drawNode(context: CanvasRenderingContext2D, scene: Scene, node: GraphNode): void {
  const position = scene.positions.get(node.id);
  if (!position) return;
  const { x, y } = toScreen(scene.view, position);
  const radius = shownRadius(scene, node.id);
  const shape = (grow: number): void => {
    const r = radius + grow;
    context.beginPath();
    // Memories are cards, entities are dots.
    if (node.type === 'memory') context.roundRect(x - r, y - r * 0.82, 2 * r, 1.64 * r, r * 0.38);
    else context.arc(x, y, r, 0, 2 * Math.PI);
  };
  shape(1.5);
  context.fillStyle = colourOf(scene, 'canvas');
  context.fill();
  shape(0);
  context.fillStyle = colourOf(scene, node.type);
  context.fill();
  if (node.id === scene.selectedId || node.id === scene.rootId) {
    shape(4);
    context.strokeStyle = colourOf(scene, node.id === scene.selectedId ? 'accent' : node.type);
    context.lineWidth = node.id === scene.selectedId ? 2.5 : 1.25;
    context.stroke();
  }
  if (node.hidden_neighbours > 0) drawBadge(context, scene, node, { x: x + radius, y: y - radius });
}

const badgeText = (count: number): string => (count > 99 ? '99+' : `+${count}`);

/** How many neighbours an expansion would show. */
function drawBadge(
  context: CanvasRenderingContext2D,
  scene: Scene,
  node: GraphNode,
  { x, y }: Point,
): void {
  if (scene.view.scale < 0.4) return;
  const text = badgeText(node.hidden_neighbours);
  context.font = `600 10px ${scene.font}`;
  const width = context.measureText(text).width + 9;
  context.beginPath();
  context.roundRect(x - 4, y - 8, width, 15, 7.5);
  context.fillStyle = colourOf(scene, 'raised');
  context.fill();
  context.strokeStyle = colourOf(scene, 'border');
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = colourOf(scene, 'textSoft');
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, x - 4 + width / 2, y);
}

/** The node under a point of the screen, with a margin for fingers. */
export function nodeAt(scene: Scene, at: Point, tolerance: number): string | undefined {
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const { id } of scene.graph.nodes) {
    const position = scene.positions.get(id);
    if (!position) continue;
    const { x, y } = toScreen(scene.view, position);
    const distance = Math.hypot(x - at.x, y - at.y) - shownRadius(scene, id);
    if (distance <= tolerance && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { id, distance };
    }
  }
  return best?.id;
}
