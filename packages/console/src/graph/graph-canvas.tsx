import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { type Direction, nodeInDirection, type Point } from './direction.ts';
import { drawGraph, nodeAt } from './draw-graph.ts';
import { type Graph, otherEnd } from './merge-graph.ts';
import type { Scene } from './scene.ts';
import { useColours } from './use-colours.ts';
import { useLayout } from './use-layout.ts';
import { fitViewport, reveal, type Size, type Viewport, zoomAt } from './viewport.ts';

export interface GraphCanvasProps {
  readonly graph: Graph;
  readonly rootId: string;
  readonly selectedId: string;
  readonly onSelect: (id: string) => void;
  readonly onExpand: (id: string) => void;
  readonly onBack: () => void;
}

const noSize: Size = { width: 0, height: 0 };
const zoomStep = 1.25;

function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(noSize);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Follows the whole graph until the reader moves the view. */
function useViewport(positions: ReadonlyMap<string, Point>, size: Size) {
  const [moved, setMoved] = useState<Viewport | null>(null);
  const fitted = useMemo(() => fitViewport([...positions.values()], size), [positions, size]);
  const view = moved ?? fitted;
  const current = useRef(view);
  current.current = view;
  const change = useCallback((next: (view: Viewport) => Viewport) => {
    setMoved(next(current.current));
  }, []);
  const reset = useCallback(() => setMoved(null), []);
  return { view, change, reset };
}

/** Draws when something changes, at most once a frame. */
function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, scene: Scene): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context) return;
      const ratio = devicePixelRatio;
      const [width, height] = [scene.size.width * ratio, scene.size.height * ratio];
      if (element.width !== Math.round(width) || element.height !== Math.round(height)) {
        element.width = Math.round(width);
        element.height = Math.round(height);
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawGraph(context, scene);
    });
    return () => cancelAnimationFrame(frame);
  }, [canvas, scene]);
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const keysHelp =
  'Graph. Arrow keys move to the neighbour in that direction, Enter expands, Escape goes back.';

/** The graph on a canvas: its keys and pointers. The list has the same for screen readers. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { graph, rootId, selectedId } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const colours = useColours(frame);
  const { positions, isSettled } = useLayout(graph);
  const viewport = useViewport(positions, size);
  const [hoveredId, setHoveredId] = useState<string>();
  const { view, change, reset } = viewport;
  const scene: Scene = useMemo(() => {
    const font = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif';
    const shown = { graph, positions, view, size, colours, font };
    return { ...shown, rootId, selectedId, hoveredId };
  }, [graph, positions, view, size, colours, rootId, selectedId, hoveredId]);
  useDrawing(canvas, scene);
  const pointers = usePointers(scene, change, setHoveredId, props);
  const centre = { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number) => change((before) => zoomAt(before, centre, factor));
  const handleKey = useGraphKeys(scene, { ...props, change, reset, zoom });
  const selected = graph.byId.get(selectedId);
  return (
    <div ref={frame} className="graph-frame" data-settled={isSettled || undefined}>
      <div
        className="graph-canvas"
        role="application"
        aria-label={keysHelp}
        aria-describedby="graph-selected"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has the focus.
        tabIndex={0}
        onKeyDown={handleKey}
        {...pointers}
      >
        <canvas ref={canvas} />
      </div>
      <p id="graph-selected" className="visually-hidden" aria-live="polite">
        {selected && `${selected.label.slice(0, 100)}, ${selected.type}`}
      </p>
      <div className="graph-zoom">
        <IconButton icon="plus" label="Zoom in" onClick={() => zoom(zoomStep)} />
        <IconButton icon="minus" label="Zoom out" onClick={() => zoom(1 / zoomStep)} />
        <Button kind="quiet" onClick={reset}>
          Fit
        </Button>
      </div>
    </div>
  );
}

interface KeyActions extends GraphCanvasProps {
  readonly change: (next: (view: Viewport) => Viewport) => void;
  readonly reset: () => void;
  readonly zoom: (factor: number) => void;
}

function useGraphKeys(scene: Scene, actions: KeyActions) {
  const { graph, positions, size } = scene;
  const { selectedId, onSelect, onExpand, onBack, change, reset, zoom } = actions;
  const move = (direction: Direction) => {
    const from = positions.get(selectedId);
    if (!from) return;
    const neighbours = new Set(
      graph.edgesOf.get(selectedId)?.map((edge) => otherEnd(edge, selectedId)),
    );
    const candidates = graph.nodes.flatMap(({ id }) => {
      const at = positions.get(id);
      return at && id !== selectedId ? [{ id, at, isNeighbour: neighbours.has(id) }] : [];
    });
    const next = nodeInDirection(from, direction, candidates);
    const at = next === undefined ? undefined : positions.get(next);
    if (next === undefined || !at) return;
    onSelect(next);
    change((view) => reveal(view, at, size));
  };
  const others: ReadonlyMap<string, () => void> = new Map([
    ['Enter', () => onExpand(selectedId)],
    ['Escape', onBack],
    ['+', () => zoom(zoomStep)],
    ['=', () => zoom(zoomStep)],
    ['-', () => zoom(1 / zoomStep)],
    ['0', reset],
  ]);
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const direction = directions[key];
    if (direction === undefined && !others.has(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (direction) move(direction);
    else others.get(key)?.();
  };
}

/** A pointer that moved less than this has clicked. */
const clickDistanceMax = 5;

/** Moves the view with one pointer, zooms with two or the wheel, and expands on a click. */
function usePointers(
  scene: Scene,
  change: (next: (view: Viewport) => Viewport) => void,
  setHoveredId: (id: string | undefined) => void,
  { onSelect, onExpand }: GraphCanvasProps,
) {
  const down = useRef(new Map<number, Point>());
  const distance = useRef(0);
  const latest = useRef(scene);
  latest.current = scene;
  const place = (event: PointerEvent): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const toleranceOf = ({ pointerType }: PointerEvent) => (pointerType === 'mouse' ? 4 : 14);
  const wheel = useWheel(change);
  return {
    ref: wheel,
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      if (down.current.size === 0) distance.current = 0;
      down.current.set(event.pointerId, place(event));
    },
    onPointerMove(event: PointerEvent) {
      const [before, at] = [down.current.get(event.pointerId), place(event)];
      if (!before) {
        setHoveredId(nodeAt(latest.current, at, toleranceOf(event)));
        return;
      }
      const [dx, dy] = [at.x - before.x, at.y - before.y];
      distance.current += Math.hypot(dx, dy);
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      down.current.set(event.pointerId, at);
      if (other) {
        const length = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
        const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
        change((view) => zoomAt(view, middle, length(at) / Math.max(1, length(before))));
      } else if (distance.current > clickDistanceMax) {
        change((view) => ({ ...view, x: view.x + dx, y: view.y + dy }));
      }
    },
    onPointerUp(event: PointerEvent) {
      const isClick = down.current.size === 1 && distance.current <= clickDistanceMax;
      down.current.delete(event.pointerId);
      const id = isClick ? nodeAt(latest.current, place(event), toleranceOf(event)) : undefined;
      if (id === undefined) return;
      onSelect(id);
      onExpand(id);
    },
    onPointerCancel: (event: PointerEvent) => void down.current.delete(event.pointerId),
    onPointerLeave: () => setHoveredId(undefined),
  };
}

/** The page must not scroll meanwhile, which only a listener that is not passive can prevent. */
function useWheel(change: (next: (view: Viewport) => Viewport) => void) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      const handle = (event: WheelEvent) => {
        event.preventDefault();
        const { left, top } = element.getBoundingClientRect();
        const at = { x: event.clientX - left, y: event.clientY - top };
        change((view) => zoomAt(view, at, Math.exp(-event.deltaY / 400)));
      };
      element.addEventListener('wheel', handle, { passive: false });
      return () => element.removeEventListener('wheel', handle);
    },
    [change],
  );
}
