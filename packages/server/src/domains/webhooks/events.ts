import {
  eventTypeDetails,
  isKnownEventType,
  type ResponseBody,
  type routes,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';

const allEvents = '*';
const areaOf = (name: string): string => name.split('.')[0] ?? '';
const areas = new Set(eventTypeDetails.map(({ type }) => areaOf(type)));

const isSubscription = (name: string): boolean =>
  name === allEvents ||
  isKnownEventType(name) ||
  (name.endsWith('.*') && areas.has(name.slice(0, -2)));

/** Accepts names, `*` and `<area>.*`. Throws 400 invalid_events with the unknown ones. */
export function requireKnownSubscriptions(names: readonly string[]): void {
  rejectUnknown(names.filter((name) => !isSubscription(name)));
}

/** Accepts the name of an event type. Throws 400 invalid_events. */
export function requireKnownEventType(name: string): void {
  if (!isKnownEventType(name)) rejectUnknown([name]);
}

function rejectUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const events = [...new Set(unknown)];
  throw new AppError('invalid_events', {
    message: `Unknown event types: ${events.join(', ')}.`,
    details: { events },
  });
}

/** The subscriptions that include an event type. */
export const subscriptionsMatching = (type: string): string[] => [
  allEvents,
  `${areaOf(type)}.*`,
  type,
];

/** In the order of the contract, published types first. */
export async function listEventTypes(): Promise<ResponseBody<typeof routes.webhooks.eventTypes>> {
  const details = eventTypeDetails.map((eventType) => ({ ...eventType }));
  return { event_types: details.map(({ type }) => type), details };
}
