import { useMemo } from 'react';
import { countOf } from '../memories/action-context.ts';
import type { Region } from './use-map.ts';
import { type Size, toScreen, type Viewport } from './viewport.ts';

interface MapLabelsProps {
  readonly regions: readonly Region[];
  readonly colours: readonly string[];
  readonly view: Viewport;
  readonly size: Size;
  readonly focused: number | null;
  readonly onFocus: (region: Region | null) => void;
  readonly onZoom: (region: Region) => void;
  readonly onSelect: (region: Region) => void;
}

const labelsMax = 60;
const height = 26;
const charactersMax = 34;
/** Estimated, so that nothing has to be measured while the map moves. */
const widthOf = (name: string): number => 26 + 6.6 * Math.min(name.length, charactersMax);

/**
 * The names of clusters, on the map where they do not cover each other: the largest first, more
 * when there is more room. All of them are in the order of focus; one that has it is shown.
 */
export function MapLabels(props: MapLabelsProps) {
  const { regions, colours, view, size, focused, onFocus, onZoom, onSelect } = props;
  const named = useMemo(
    () => regions.filter(({ index }) => index >= 0).slice(0, labelsMax),
    [regions],
  );
  const taken: { left: number; right: number; top: number }[] = [];
  const place = (region: Region) => {
    const { x, y } = toScreen(view, size, region.middle.x, region.middle.y);
    const half = widthOf(region.name) / 2;
    const box = { left: x - half, right: x + half, top: y - height / 2 };
    const isOutside =
      box.right < 0 || box.left > size.width || box.top < -height || box.top > size.height;
    const isCovered = taken.some(
      (other) =>
        box.left < other.right && other.left < box.right && Math.abs(box.top - other.top) < height,
    );
    const isShown = region.index === focused || (!isOutside && !isCovered);
    if (isShown) taken.push(box);
    return { x, y, isShown };
  };
  return (
    <div className="map-labels">
      {named.map((region) => {
        const { x, y, isShown } = place(region);
        return (
          <button
            key={region.index}
            type="button"
            className="map-label"
            data-hidden={!isShown || undefined}
            data-focused={region.index === focused || undefined}
            aria-label={`${region.name}, ${countOf(region.points.length)}`}
            style={{ transform: `translate(${x}px, ${y}px) translate(-50%, -50%)` }}
            onFocus={() => onFocus(region)}
            onBlur={() => onFocus(null)}
            onPointerEnter={() => onFocus(region)}
            onPointerLeave={() => onFocus(null)}
            onClick={() => onZoom(region)}
            onKeyDown={(event) => {
              if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return;
              event.preventDefault();
              onSelect(region);
            }}
          >
            <i style={{ background: colours[region.index] }} />
            <span dir="auto">{region.name}</span>
          </button>
        );
      })}
    </div>
  );
}
