import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context.tsx';
import { type LoadedMap, textsQuery } from './use-map.ts';
import { type Size, toScreen, type Viewport } from './viewport.ts';

interface MapTooltipProps {
  readonly map: LoadedMap;
  readonly point: number;
  readonly view: Viewport;
  readonly size: Size;
  readonly colours: readonly string[];
}

const width = 300;
const shownCharactersMax = 220;

/** The text of the memory under the pointer. */
export function MapTooltip({ map, point, view, size, colours }: MapTooltipProps) {
  const client = useClient();
  const { points, answer } = map;
  const texts = useQuery(textsQuery(client, [points.ids[point] ?? '']));
  const { x, y } = toScreen(view, size, points.x[point] ?? 0, points.y[point] ?? 0);
  const left = Math.max(8, Math.min(size.width - width - 8, x - width / 2));
  const isBelow = y < 150;
  const index = points.cluster[point] ?? -1;
  const cluster = answer.clusters[index];
  const text = texts.data?.[0]?.content;
  return (
    <>
      <i
        className="map-cursor"
        style={{ transform: `translate(${x}px, ${y}px) translate(-50%, -50%)` }}
      />
      <div
        className="map-tooltip"
        role="tooltip"
        style={{
          width,
          transform: isBelow
            ? `translate(${left}px, ${y + 16}px)`
            : `translate(${left}px, ${y - 16}px) translateY(-100%)`,
        }}
      >
        <p dir="auto">
          {text === undefined ? '…' : text.slice(0, shownCharactersMax)}
          {text !== undefined && text.length > shownCharactersMax && '…'}
        </p>
        <span className="map-swatch-name">
          <i style={{ background: colours.at(index) }} />
          <span dir="auto">{cluster?.name ?? 'In no cluster'}</span>
        </span>
      </div>
    </>
  );
}
