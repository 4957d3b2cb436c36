import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../layout/shortcuts.ts';
import { SelectionBar } from '../memories/selection-bar.tsx';
import type { MemoryActions } from '../memories/use-memory-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { useIsDark } from '../ui/theme.ts';
import { colourOf, toRgb } from './colours.ts';
import { MapCanvas } from './map-canvas.tsx';
import { MapLabels } from './map-labels.tsx';
import { MapPanel } from './map-panel.tsx';
import { MapTooltip } from './map-tooltip.tsx';
import { boundsOf } from './points.ts';
import type { LoadedMap, Region } from './use-map.ts';
import { useSize, useView } from './use-view.ts';
import { pan, zoomAt } from './viewport.ts';

interface MapViewProps {
  readonly map: LoadedMap;
  readonly openedId: string | undefined;
  readonly actions: MemoryActions;
  readonly report: (action: Promise<unknown>) => void;
  readonly onOpen: (id: string | undefined) => void;
}

const keyStep = 80;
const keyZoom = 1.35;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [keyStep, 0],
  ArrowRight: [-keyStep, 0],
  ArrowUp: [0, keyStep],
  ArrowDown: [0, -keyStep],
};

/** Colours of the clusters; the last one is for points in none. */
function useColours(map: LoadedMap) {
  const isDark = useIsDark();
  return useMemo(() => {
    const { clusters } = map.answer;
    const css = clusters.map((cluster, index) => colourOf(cluster, index, isDark));
    css.push(colourOf(undefined, -1, isDark));
    const surface = isDark ? 'oklch(20.5% 0.009 265)' : 'oklch(100% 0 0)';
    return { css, rgb: toRgb(css), background: toRgb([surface]) };
  }, [map, isDark]);
}

/** Points that are drawn strongly, the others weakly; null: all the same. */
function useEmphasis(
  map: LoadedMap,
  selected: readonly number[],
  highlighted: Region | null,
  openedId: string | undefined,
): Uint8Array | null {
  return useMemo(() => {
    const opened = openedId === undefined ? -1 : map.points.ids.indexOf(openedId);
    const strong = highlighted?.points ?? (selected.length > 0 ? selected : null);
    if (strong === null && opened < 0) return null;
    const emphasis = new Uint8Array(map.points.count);
    for (const point of strong ?? []) emphasis[point] = 1;
    if (opened >= 0) emphasis[opened] = 1;
    return emphasis;
  }, [map, selected, highlighted, openedId]);
}

const nothing: readonly number[] = [];

/** The selected points; they stay selected when the map is read again. */
function useSelectedPoints(map: LoadedMap) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const points = useMemo(() => {
    if (ids.length === 0) return nothing;
    const chosen = new Set(ids);
    return [...map.points.ids.keys()].filter((point) => chosen.has(map.points.ids[point] ?? ''));
  }, [map, ids]);
  const select = useCallback(
    (chosen: readonly number[]) => setIds(chosen.map((point) => map.points.ids[point] ?? '')),
    [map],
  );
  const clear = useCallback(() => setIds([]), []);
  return { ids, points, select, clear };
}

/** What is shown, highlighted and selected, and how keys change it. */
function useMapView(props: MapViewProps, frame: React.RefObject<HTMLDivElement | null>) {
  const { map, openedId, actions, report, onOpen } = props;
  const size = useSize(frame);
  const { view, setView, flyTo, showAll } = useView(map, size);
  const selection = useSelectedPoints(map);
  const [isSelecting, setIsSelecting] = useState(false);
  const [highlighted, setHighlighted] = useState<Region | null>(null);
  const [openedIndex, setOpenedIndex] = useState<number | null>(null);
  const opened = map.regions.find(({ index }) => index === openedIndex) ?? null;
  const emphasis = useEmphasis(map, selection.points, highlighted ?? opened, openedId);
  const select = useCallback(
    (points: readonly number[]) => {
      selection.select(points);
      setIsSelecting(false);
    },
    [selection.select],
  );
  const openRegion = (region: Region | null) => {
    setHighlighted(null);
    setOpenedIndex(region?.index ?? null);
    if (region === null) showAll();
    else flyTo(region.bounds);
  };
  const remove = () => {
    if (selection.points.length === 0) return;
    const filter = { ids: [...selection.ids] };
    const change = { filter, action: { type: 'delete' as const } };
    report(actions.changeMatching(change).then(selection.clear));
  };
  useShortcuts({
    z: () => report(actions.undoLast()),
    s: () => setIsSelecting(!isSelecting),
    '#': remove,
    delete: remove,
    escape: () => {
      if (isSelecting) setIsSelecting(false);
      else if (selection.points.length > 0) selection.clear();
      else if (openedId !== undefined) onOpen(undefined);
      else if (opened) openRegion(null);
    },
  });
  const zoomBy = (factor: number) => setView((before) => zoomAt(before, size, factor));
  const handleKey = (key: string): boolean => {
    const arrow = arrows[key];
    if (arrow) setView((before) => pan(before, ...arrow));
    else if (key === '+' || key === '=') zoomBy(keyZoom);
    else if (key === '-') zoomBy(1 / keyZoom);
    else if (key === '0') showAll();
    else return false;
    return true;
  };
  useOpenedInView(map, openedId, flyTo);
  const shown = { size, view, setView, showAll, zoomBy, emphasis, opened, openRegion };
  const chosen = { selection, select, remove, isSelecting, setIsSelecting };
  return { ...shown, ...chosen, highlighted, setHighlighted, handleKey };
}

type MapState = ReturnType<typeof useMapView>;

export function MapView(props: MapViewProps) {
  const { map, openedId, actions, report, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const colours = useColours(map);
  const state = useMapView(props, frame);
  const { selection, select } = state;
  return (
    <div className="map-body">
      <div ref={frame} className="map-area">
        <MapPoints {...props} state={state} colours={colours} />
        <MapTools state={state} />
        <SelectionBar
          count={selection.points.length}
          onTag={(add, remove) =>
            report(
              actions
                .changeMatching({
                  filter: { ids: [...selection.ids] },
                  action: { type: 'tag', add, remove },
                  confirm: true,
                })
                .then(selection.clear),
            )
          }
          onDelete={state.remove}
          onClear={selection.clear}
        />
      </div>
      {openedId === undefined && (
        <MapPanel
          map={map}
          colours={colours.css}
          opened={state.opened}
          onHighlight={state.setHighlighted}
          onOpenRegion={state.openRegion}
          onSelect={({ points }) => select(points)}
          onOpenMemory={onOpen}
        />
      )}
    </div>
  );
}

interface MapPointsProps extends MapViewProps {
  readonly state: MapState;
  readonly colours: ReturnType<typeof useColours>;
}

function MapPoints({ map, state, colours, onOpen }: MapPointsProps) {
  const { view, size, highlighted, setHighlighted } = state;
  const [hovered, setHovered] = useState(-1);
  if (view === undefined) return null;
  return (
    <MapCanvas
      map={map}
      view={view}
      size={size}
      colours={colours.rgb}
      background={colours.background}
      emphasis={state.emphasis}
      isSelecting={state.isSelecting}
      setView={state.setView}
      onHover={setHovered}
      onOpen={(point) => onOpen(map.points.ids[point])}
      onLasso={state.select}
      onKey={state.handleKey}
    >
      <MapLabels
        map={map}
        colours={colours.css}
        view={view}
        size={size}
        focused={highlighted?.index ?? null}
        onFocus={setHighlighted}
        onZoom={state.openRegion}
        onSelect={({ points }) => state.select(points)}
      />
      {hovered >= 0 && hovered < map.points.count && (
        <MapTooltip map={map} point={hovered} view={view} size={size} colours={colours.css} />
      )}
    </MapCanvas>
  );
}

const MapTools = ({ state }: { state: MapState }) => (
  <div className="map-tools" role="toolbar" aria-label="Map" aria-orientation="vertical">
    <IconButton icon="plus" label="Zoom in" onClick={() => state.zoomBy(keyZoom)} />
    <IconButton icon="minus" label="Zoom out" onClick={() => state.zoomBy(1 / keyZoom)} />
    <IconButton icon="fit" label="Show all" onClick={state.showAll} />
    <IconButton
      writes
      icon="lasso"
      label="Select with a lasso (S, or drag with Shift)"
      aria-pressed={state.isSelecting}
      onClick={() => state.setIsSelecting(!state.isSelecting)}
    />
  </div>
);

/** A memory that the address opens is shown with its surroundings. */
function useOpenedInView(
  map: LoadedMap,
  openedId: string | undefined,
  flyTo: ReturnType<typeof useView>['flyTo'],
): void {
  const first = useRef(openedId);
  useEffect(() => {
    const point = map.points.ids.indexOf(first.current ?? '');
    first.current = undefined;
    if (point < 0) return;
    const { left, right, bottom, top } = boundsOf(map.points, [point]);
    const around = 0.15;
    flyTo({
      left: left - around,
      right: right + around,
      bottom: bottom - around,
      top: top + around,
    });
  }, [map, flyTo]);
}
