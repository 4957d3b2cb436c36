import { isDeepStrictEqual } from 'node:util';
import { type EventType, eventTypes } from '@mneme/contract';
import { isVisibleTo, type StoredEvent } from '../../../events/outbox.ts';
import type { WebhookFilters } from '../model.ts';

/** The events that a webhook receives. */
export interface Subscription {
  /** Names, `*`, `<area>.*`. */
  readonly events: readonly string[];
  readonly space_id: string | null;
  /** Spaces it may receive events of, `default` for no space; null: all. */
  readonly spaces: readonly string[] | null;
  readonly filters: WebhookFilters;
}

type MatchableEvent = Pick<
  StoredEvent,
  'type' | 'space_id' | 'second_space' | 'hidden_from' | 'data'
>;

export function subscribesTo(events: readonly string[], type: string): boolean {
  return events.some(
    (name) =>
      name === '*' || name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
  );
}

/** The event types that can match, so that others are not even read. */
export const subscribedTypes = (events: readonly string[]): EventType[] =>
  (Object.keys(eventTypes) as EventType[]).filter((type) => subscribesTo(events, type));

export const matchesSubscription = (subscription: Subscription, event: MatchableEvent): boolean =>
  subscribesTo(subscription.events, event.type) &&
  isVisibleTo(event, subscription.spaces) &&
  isInSpace(subscription.space_id, event) &&
  matchesFilters(subscription.filters, event);

const isInSpace = (spaceId: string | null, event: MatchableEvent): boolean =>
  spaceId === null || event.space_id === spaceId || event.second_space === spaceId;

/** All filters must match; a filter on a missing field does not match. */
function matchesFilters(
  filters: WebhookFilters,
  { data, space_id, second_space }: MatchableEvent,
): boolean {
  const { tags = [], min_priority, metadata = {}, space_ids = [] } = filters;
  const types: readonly unknown[] = filters.content_type ?? [];
  const eventTags = Array.isArray(data.tags) ? data.tags : [];
  const eventMetadata = isRecord(data.metadata) ? data.metadata : {};
  return (
    tags.every((tag) => eventTags.includes(tag)) &&
    (types.length === 0 || types.includes(data.content_type)) &&
    (min_priority === undefined || Number(data.priority ?? Number.NaN) >= min_priority) &&
    Object.entries(metadata).every(
      ([key, value]) =>
        Object.hasOwn(eventMetadata, key) && isDeepStrictEqual(eventMetadata[key], value),
    ) &&
    (space_ids.length === 0 || space_ids.some((id) => id === space_id || id === second_space))
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
