import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationNodeDatum,
} from 'd3-force';
import type { LayoutPositions, LayoutRequest } from './layout-messages.ts';

interface LayoutNode extends SimulationNodeDatum {
  readonly id: string;
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<LayoutRequest>) => void) | null;
  postMessage(message: LayoutPositions, transfer: Transferable[]): void;
};

/** Positions of the graph before, so that a node stays where it is when others appear. */
const known = new Map<string, { readonly x: number; readonly y: number }>();
const frameMs = 16;
const nodeDistance = 96;
let timer: ReturnType<typeof setTimeout> | undefined;

scope.onmessage = ({ data }) => {
  clearTimeout(timer);
  const nodes = placeNodes(data);
  const simulation = simulate(nodes, data);
  const step = () => {
    const ticks = data.isStill ? Number.POSITIVE_INFINITY : 2;
    for (let i = 0; i < ticks && simulation.alpha() > simulation.alphaMin(); i += 1) {
      simulation.tick();
    }
    const isSettled = simulation.alpha() <= simulation.alphaMin();
    post(nodes, data.version, isSettled);
    if (!isSettled) timer = setTimeout(step, frameMs);
  };
  step();
};

/** New nodes start around the node that they are linked with, in the order of the request. */
function placeNodes({ ids, links }: LayoutRequest): LayoutNode[] {
  for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
  const places = new Map(known);
  const neighbours = new Map<number, number>();
  for (const [source, target] of links) {
    neighbours.set(Math.max(source, target), Math.min(source, target));
  }
  return ids.map((id, index): LayoutNode => {
    const anchor = places.get(ids[neighbours.get(index) ?? 0] ?? '') ?? { x: 0, y: 0 };
    // The golden angle spreads nodes evenly.
    const angle = index * 2.399963;
    const place = places.get(id) ?? {
      x: anchor.x + Math.cos(angle) * nodeDistance,
      y: anchor.y + Math.sin(angle) * nodeDistance,
    };
    places.set(id, place);
    return index === 0 ? { id, x: 0, y: 0, fx: 0, fy: 0 } : { id, ...place };
  });
}

function simulate(nodes: LayoutNode[], data: LayoutRequest): Simulation<LayoutNode, undefined> {
  const links = data.links.map(([source, target]) => ({ source, target }));
  return forceSimulation(nodes)
    .force('link', forceLink(links).distance(nodeDistance).strength(0.35))
    .force('charge', forceManyBody().strength(-420).distanceMax(900))
    .force('collide', forceCollide(38))
    .force('x', forceX(0).strength(0.03))
    .force('y', forceY(0).strength(0.045))
    .alpha(known.size === 0 ? 1 : 0.5)
    .alphaDecay(0.035)
    .stop();
}

function post(nodes: readonly LayoutNode[], version: number, isSettled: boolean): void {
  const positions = new Float32Array(nodes.length * 2);
  for (const [i, { id, x = 0, y = 0 }] of nodes.entries()) {
    positions.set([x, y], i * 2);
    known.set(id, { x, y });
  }
  scope.postMessage({ version, positions, isSettled }, [positions.buffer]);
}
