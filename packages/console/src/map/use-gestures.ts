import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { nearestPoint, pointsWithin } from './points.ts';
import type { LoadedMap } from './use-map.ts';
import { pan, type Size, toMap, type Viewport, zoomAt } from './viewport.ts';

type Place = { readonly x: number; readonly y: number };
type Frame = RefObject<HTMLDivElement | null>;
type PointerOfMap = PointerEvent<HTMLDivElement>;

export interface GestureProps {
  readonly map: LoadedMap;
  readonly view: Viewport;
  readonly size: Size;
  /** A drag draws a lasso, as it does with Shift. */
  readonly isSelecting: boolean;
  readonly setView: (change: (view: Viewport) => Viewport) => void;
  readonly onHover: (point: number) => void;
  readonly onOpen: (point: number) => void;
  readonly onLasso: (points: readonly number[]) => void;
}

type Gesture =
  | { readonly kind: 'pan' | 'press'; readonly start: Place }
  | { readonly kind: 'lasso'; readonly path: readonly Place[] };

/** Pixels within which a pointer is at a point, and beyond which a press is a drag. */
const reach = { mouse: 10, touch: 22, drag: 4 } as const;

const distanceOf = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y);

const isOnControl = ({ target }: PointerOfMap): boolean =>
  target instanceof Element && target.closest('button, a') !== null;

function placeOf({ clientX, clientY }: PointerOfMap, frame: Frame): Place {
  const box = frame.current?.getBoundingClientRect();
  return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
}

/** The index of the point at a place of the screen; -1: none. */
const pointAt = ({ map, view, size }: GestureProps, at: Place, pixels: number): number =>
  nearestPoint(map.points, toMap(view, size, at.x, at.y), pixels / view.scale);

/** Zooms and moves by what one of two fingers has moved. */
function pinch({ size, setView }: GestureProps, before: Place, at: Place, other: Place): void {
  const factor = distanceOf(at, other) / Math.max(1, distanceOf(before, other));
  const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
  const moved = [(at.x - before.x) / 2, (at.y - before.y) / 2] as const;
  setView((now) => pan(zoomAt(now, size, factor, middle), ...moved));
}

/** The end of a gesture selects what a lasso encloses, or opens the point that was pressed. */
function finish(props: GestureProps, frame: Frame, gesture: Gesture, event: PointerOfMap): void {
  const { map, view, size, onOpen, onLasso } = props;
  if (gesture.kind === 'pan') return;
  if (gesture.kind === 'lasso' && gesture.path.length > 2) {
    const corners = gesture.path.map(({ x, y }) => toMap(view, size, x, y));
    onLasso(pointsWithin(map.points, corners));
    return;
  }
  const pixels = event.pointerType === 'mouse' ? reach.mouse : reach.touch;
  const point = pointAt(props, placeOf(event, frame), pixels);
  if (point >= 0) onOpen(point);
}

/** The other of two fingers. */
const otherOf = (pointers: ReadonlyMap<number, Place>, { pointerId }: PointerOfMap) =>
  [...pointers].find(([id]) => id !== pointerId)?.[1];

/** A press opens a point or, as a drag, moves the map or draws a lasso; two fingers zoom. */
export function useGestures(frame: Frame, props: GestureProps) {
  const { isSelecting, setView, onHover } = props;
  const pointers = useRef(new Map<number, Place>());
  const gesture = useRef<Gesture | null>(null);
  const [lasso, setLasso] = useState<readonly Place[] | null>(null);
  const drag = (before: Place, at: Place) => {
    const current = gesture.current;
    if (current?.kind === 'lasso') {
      const path = [...current.path, at];
      gesture.current = { kind: 'lasso', path };
      setLasso(path);
      return;
    }
    if (current?.kind === 'press' && distanceOf(current.start, at) < reach.drag) return;
    gesture.current = { kind: 'pan', start: at };
    onHover(-1);
    setView((now) => pan(now, at.x - before.x, at.y - before.y));
  };
  const release = (event: PointerOfMap) => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size > 0) return;
    gesture.current = null;
    setLasso(null);
  };
  return {
    lasso,
    onPointerDown(event: PointerOfMap) {
      if (isOnControl(event) || event.button !== 0) return;
      const at = placeOf(event, frame);
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, at);
      const isLasso = (isSelecting || event.shiftKey) && pointers.current.size === 1;
      gesture.current = isLasso ? { kind: 'lasso', path: [at] } : { kind: 'press', start: at };
      setLasso(null);
    },
    onPointerMove(event: PointerOfMap) {
      const at = placeOf(event, frame);
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) {
        const point = isOnControl(event) ? -1 : pointAt(props, at, reach.mouse);
        if (event.pointerType === 'mouse') onHover(point);
        return;
      }
      pointers.current.set(event.pointerId, at);
      const other = otherOf(pointers.current, event);
      if (other === undefined) drag(before, at);
      else {
        gesture.current = { kind: 'pan', start: at };
        pinch(props, before, at, other);
      }
    },
    onPointerUp(event: PointerOfMap) {
      const current = gesture.current;
      release(event);
      if (pointers.current.size === 0 && current !== null) finish(props, frame, current, event);
    },
    onPointerCancel: release,
    onPointerLeave: () => onHover(-1),
  };
}
