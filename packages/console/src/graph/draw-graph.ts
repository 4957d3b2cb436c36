import type { Point } from './direction.ts';
import { type Graph, type GraphNode, otherEnd } from './merge-graph.ts';
import { type Size, toScreen, type Viewport } from './viewport.ts';

/** Colours that the style sheet gives, by name. */
export type Colours = Readonly<Record<string, string>>;

export interface Scene {
  readonly graph: Graph;
  readonly positions: ReadonlyMap<string, Point>;
  readonly view: Viewport;
  readonly size: Size;
  readonly colours: Colours;
  readonly font: string;
  readonly rootId: string;
  readonly selectedId: string | undefined;
  readonly hoveredId: string | undefined;
}

/** Radius in CSS pixels at scale 1: more edges make a node larger, within bounds. */
const radiusOf = ({ graph, rootId }: Pick<Scene, 'graph' | 'rootId'>, id: string): number =>
  Math.min(20, (id === rootId ? 12 : 7) + Math.sqrt(graph.edgesOf.get(id)?.length ?? 0) * 1.6);

/** Nodes do not vanish when the view is small, nor fill it when it is large. */
const shownRadius = (scene: Scene, id: string): number =>
  radiusOf(scene, id) * Math.min(1.6, Math.max(0.45, scene.view.scale));

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
  for (const node of graph.nodes) {
    context.globalAlpha = bright === null || bright.has(node.id) ? 1 : fadedAlpha;
    drawNode(context, scene, node);
  }
  context.globalAlpha = 1;
  drawLabels(context, scene, bright);
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
    if (isFocused && edge.kind !== 'mention') drawEdgeLabel(context, scene, from, to, edge);
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
  edge: { readonly relationship_type: string },
): void {
  if (Math.hypot(to.x - from.x, to.y - from.y) < 70) return;
  const text = edge.relationship_type.replaceAll('_', ' ');
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  context.globalAlpha = 1;
  context.font = `500 11px ${scene.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.setLineDash([]);
  context.lineWidth = 5;
  context.strokeStyle = colourOf(scene, 'canvas');
  context.strokeText(text, x, y);
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

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const labelCharactersMax = 34;
const shortLabel = ({ label }: GraphNode): string => {
  const line = label.replaceAll(/\s+/g, ' ').trim();
  return line.length > labelCharactersMax ? `${line.slice(0, labelCharactersMax - 1)}…` : line;
};

/** The important labels first; one that would cover another is left out. */
function drawLabels(
  context: CanvasRenderingContext2D,
  scene: Scene,
  bright: ReadonlySet<string> | null,
): void {
  const { graph, positions, view, size, selectedId, hoveredId, rootId } = scene;
  const rank = ({ id, type }: GraphNode): number => {
    if (id === selectedId || id === hoveredId) return 1_000;
    const edges = graph.edgesOf.get(id)?.length ?? 0;
    return (
      (id === rootId ? 900 : 0) + (bright?.has(id) ? 500 : 0) + edges + (type === 'memory' ? 0 : 40)
    );
  };
  const taken: Box[] = [];
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  for (const node of graph.nodes.toSorted((a, b) => rank(b) - rank(a))) {
    const position = positions.get(node.id);
    if (!position) continue;
    const { x, y } = toScreen(view, position);
    if (x < -80 || y < -40 || x > size.width + 80 || y > size.height + 40) continue;
    const isStrong = rank(node) >= 900;
    if (bright !== null && !bright.has(node.id)) continue;
    context.font = `${isStrong ? 600 : 450} 12px ${scene.font}`;
    const text = shortLabel(node);
    const half = context.measureText(text).width / 2;
    const top = y + shownRadius(scene, node.id) + 5;
    const box = { left: x - half - 3, top, right: x + half + 3, bottom: top + 16 };
    if (!isStrong && taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    context.lineWidth = 4;
    context.strokeStyle = colourOf(scene, 'canvas');
    context.strokeText(text, x, top);
    context.fillStyle = colourOf(scene, isStrong ? 'text' : 'textSoft');
    context.fillText(text, x, top);
  }
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
