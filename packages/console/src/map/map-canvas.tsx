import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { type Drawing, PointDrawer } from './draw-points.ts';
import { type GestureProps, useGestures } from './use-gestures.ts';
import { type Size, zoomAt } from './viewport.ts';

interface MapCanvasProps extends GestureProps {
  readonly colours: Drawing['colours'];
  readonly background: Drawing['background'];
  readonly emphasis: Uint8Array | null;
  readonly onKey: (key: string) => boolean;
  readonly children: ReactNode;
}

const zoomPerPixel = 0.0016;

/** The points, moved by mouse, touch and keys. */
export function MapCanvas(props: MapCanvasProps) {
  const { map, view, size, colours, background, emphasis, setView, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawer = useRef<PointDrawer>(undefined);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || size.width === 0) return;
    drawer.current ??= new PointDrawer(context);
    const { points } = map;
    const pixelRatio = Math.min(2, devicePixelRatio);
    drawer.current.draw({ points, view, size, pixelRatio, colours, background, emphasis });
  }, [map, view, size, colours, background, emphasis]);
  useWheel(frame, size, setView);
  const { lasso, ...handlers } = useGestures(frame, props);
  return (
    <div
      ref={frame}
      className="map-frame"
      role="application"
      aria-label={
        'Map of memories. Arrows move it, plus and minus zoom, 0 shows all, Tab goes through the ' +
        'clusters.'
      }
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles keys.
      tabIndex={0}
      data-selecting={props.isSelecting || undefined}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (props.onKey(event.key)) event.preventDefault();
      }}
      {...handlers}
    >
      <canvas ref={canvas} className="map-canvas" />
      {lasso !== null && (
        <svg className="map-lasso" aria-hidden="true">
          <polygon points={lasso.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
      )}
      {children}
    </div>
  );
}

/** Zooms at the pointer. A pinch on a touchpad is a wheel with Ctrl. */
function useWheel(
  frame: React.RefObject<HTMLDivElement | null>,
  size: Size,
  setView: MapCanvasProps['setView'],
): void {
  useEffect(() => {
    const element = frame.current;
    const zoom = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      const pixels =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
      const factor = Math.exp(-pixels * zoomPerPixel * (event.ctrlKey ? 6 : 1));
      setView((view) => zoomAt(view, size, factor, at));
    };
    element?.addEventListener('wheel', zoom, { passive: false });
    return () => element?.removeEventListener('wheel', zoom);
  }, [frame, size, setView]);
}
