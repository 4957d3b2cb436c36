import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { type LoadedMap, type Region, textsMax, textsQuery } from './use-map.ts';

interface MapPanelProps {
  readonly map: LoadedMap;
  readonly colours: readonly string[];
  /** The cluster whose memories are listed. */
  readonly opened: Region | null;
  readonly onHighlight: (region: Region | null) => void;
  readonly onOpenRegion: (region: Region | null) => void;
  readonly onSelect: (region: Region) => void;
  readonly onOpenMemory: (id: string) => void;
}

/** The clusters and their memories as texts: all that the map shows, without the map. */
export const MapPanel = (props: MapPanelProps) =>
  props.opened === null ? (
    <ClusterList {...props} />
  ) : (
    <RegionMemories {...props} key={props.opened.index} region={props.opened} />
  );

const shownKeywords = 3;

function ClusterList({ map, colours, onHighlight, onOpenRegion }: MapPanelProps) {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/);
  const found = map.regions.filter(({ name, index }) => {
    const keywords = map.answer.clusters[index]?.topic_keywords ?? [];
    const own = `${name} ${keywords.join(' ')}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
  return (
    <section className="map-panel" aria-label="Clusters">
      <div className="map-panel-head">
        <h2>Clusters</h2>
        <input
          className="input"
          type="search"
          aria-label="Find a cluster"
          placeholder="Find a cluster"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {found.length === 0 && <p className="hint">No cluster has these words.</p>}
      <ul className="map-clusters">
        {found.map((region) => (
          <li key={region.index}>
            <button
              type="button"
              onClick={() => onOpenRegion(region)}
              onPointerEnter={() => onHighlight(region)}
              onPointerLeave={() => onHighlight(null)}
              onFocus={() => onHighlight(region)}
              onBlur={() => onHighlight(null)}
            >
              <i style={{ background: colours.at(region.index) }} />
              <span dir="auto" className="map-cluster-name">
                {region.name}
              </span>
              <span className="map-count">{region.points.length.toLocaleString()}</span>
              <Keywords map={map} region={region} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Those that the name does not have already. */
function Keywords({ map, region }: { map: LoadedMap; region: Region }) {
  const name = region.name.toLowerCase();
  const keywords = (map.answer.clusters[region.index]?.topic_keywords ?? []).filter(
    (word) => !name.includes(word.toLowerCase()),
  );
  if (keywords.length === 0) return null;
  return <span className="map-keywords">{keywords.slice(0, shownKeywords).join(', ')}</span>;
}

function RegionMemories(props: MapPanelProps & { region: Region }) {
  const { map, colours, region, onOpenRegion, onSelect, onOpenMemory } = props;
  const [shown, setShown] = useState(textsMax);
  const all = region.points.length;
  return (
    <section className="map-panel" aria-label={region.name}>
      <div className="map-panel-head">
        <div className="map-panel-title">
          <IconButton icon="back" label="All clusters" onClick={() => onOpenRegion(null)} />
          <i style={{ background: colours.at(region.index) }} />
          <h2 dir="auto">{region.name}</h2>
        </div>
        <Button onClick={() => onSelect(region)}>Select all {all.toLocaleString()}</Button>
      </div>
      <ol className="map-texts">
        {Array.from({ length: Math.ceil(Math.min(shown, all) / textsMax) }, (_, page) => {
          // Newest first: ids are in the order of creation.
          const newest = region.points.toReversed();
          const own = newest.slice(page * textsMax, (page + 1) * textsMax);
          return (
            <TextPage
              key={own[0]}
              ids={own.map((point) => map.points.ids[point] ?? '')}
              onOpenMemory={onOpenMemory}
            />
          );
        })}
      </ol>
      {shown < all && <Button onClick={() => setShown(shown + textsMax)}>Show more</Button>}
    </section>
  );
}

const shownCharactersMax = 300;

interface TextPageProps {
  readonly ids: readonly string[];
  readonly onOpenMemory: (id: string) => void;
}

function TextPage({ ids, onOpenMemory }: TextPageProps) {
  const client = useClient();
  const texts = useQuery(textsQuery(client, ids));
  if (texts.isError) {
    return (
      <li>
        <ErrorNotice error={texts.error} retry={texts.refetch} />
      </li>
    );
  }
  if (texts.data === undefined) {
    return (
      <li>
        <span className="skeleton" />
      </li>
    );
  }
  return texts.data.map(({ id, content }) => (
    <li key={id}>
      <button type="button" onClick={() => onOpenMemory(id)}>
        <span dir="auto">{content.slice(0, shownCharactersMax)}</span>
      </button>
    </li>
  ));
}
