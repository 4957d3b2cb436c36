import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { boundsOf } from './points.ts';
import type { LoadedMap } from './use-map.ts';
import { type Bounds, between, type Size, type Viewport, viewOf } from './viewport.ts';

const flightMs = 320;
const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
const eased = (share: number): number => 1 - (1 - share) ** 3;

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize({ width, height });
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** The part of the map that is shown: at first all of it, and again when the scope changes. */
export function useView(map: LoadedMap, size: Size) {
  const all = useCallback(() => boundsOf(map.points, map.points.ids.keys()), [map]);
  const runId = map.answer.map?.clustering_run_id;
  const [state, setState] = useState<{ readonly runId: string; readonly view: Viewport }>();
  const flight = useRef(0);
  const isReady = size.width > 0;
  const current =
    isReady && state?.runId === runId ? state?.view : isReady ? viewOf(all(), size) : undefined;
  const latest = useRef(current);
  latest.current = current;
  const show = useCallback((view: Viewport) => setState({ runId: runId ?? '', view }), [runId]);
  const setView = useCallback(
    (change: (view: Viewport) => Viewport) => {
      cancelAnimationFrame(flight.current);
      if (latest.current === undefined) return;
      // Several events of one frame add up.
      latest.current = change(latest.current);
      show(latest.current);
    },
    [show],
  );
  const flyTo = useCallback(
    (bounds: Bounds) => {
      cancelAnimationFrame(flight.current);
      const [from, to] = [latest.current, viewOf(bounds, size)];
      if (from === undefined || isMotionReduced()) {
        show(to);
        return;
      }
      let start: number | undefined;
      const step = (now: number): void => {
        start ??= now;
        const share = Math.min(1, (now - start) / flightMs);
        show(between(from, to, eased(share)));
        if (share < 1) flight.current = requestAnimationFrame(step);
      };
      flight.current = requestAnimationFrame(step);
    },
    [size, show],
  );
  const showAll = useCallback(() => flyTo(all()), [flyTo, all]);
  useEffect(() => () => cancelAnimationFrame(flight.current), []);
  return { view: current, setView, flyTo, showAll };
}
