import { useMemo } from 'react';
import { countOf } from '../memories/action-context.ts';
import { countPoints, placeNames } from './place-labels.ts';
import type { LoadedMap, Region } from './use-map.ts';
import type { Size, Viewport } from './viewport.ts';

interface MapLabelsProps {
  readonly map: LoadedMap;
  readonly colours: readonly string[];
  readonly view: Viewport;
  readonly size: Size;
  readonly focused: number | null;
  readonly onFocus: (region: Region | null) => void;
  readonly onZoom: (region: Region) => void;
  readonly onSelect: (region: Region) => void;
}

const labelsMax = 60;

/**
 * The names of clusters, next to their points where they do not cover each other: the largest
 * first, more when there is more room. All are in the order of focus; one that has it is shown.
 */
export function MapLabels(props: MapLabelsProps) {
  const { map, colours, view, size, focused, onFocus, onZoom, onSelect } = props;
  const named = useMemo(
    () => map.regions.filter(({ index }) => index >= 0).slice(0, labelsMax),
    [map],
  );
  const counts = useMemo(() => countPoints(map.points), [map]);
  const names = placeNames(named, counts, view, size, focused);
  return (
    <div className="map-labels">
      {names.map(({ region, x, y, isShown }) => (
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
      ))}
    </div>
  );
}
