import { type Zoom, zooms } from './buckets.ts';

/** The address of the page. */
export interface TimelineSearch {
  readonly zoom?: Zoom | undefined;
  /** `facts`: the intervals of an entity. */
  readonly view?: 'facts' | undefined;
  readonly entity?: string | undefined;
  /** The session that is open. */
  readonly session?: string | undefined;
}

export const readTimelineSearch = (search: Record<string, unknown>): TimelineSearch => ({
  zoom: zooms.find((zoom) => zoom === search.zoom),
  view: search.view === 'facts' ? 'facts' : undefined,
  entity: typeof search.entity === 'string' ? search.entity : undefined,
  session: typeof search.session === 'string' ? search.session : undefined,
});
