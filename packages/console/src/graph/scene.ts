import type { Point } from './direction.ts';
import type { Graph } from './merge-graph.ts';
import type { Size, Viewport } from './viewport.ts';

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
export const shownRadius = (scene: Scene, id: string): number =>
  radiusOf(scene, id) * Math.min(1.6, Math.max(0.45, scene.view.scale));
