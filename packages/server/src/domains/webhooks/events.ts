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

/** Names, `*` and `<area>.*`. Throws 400 invalid_events, which lists what is none of them. */
export function requireKnownSubscriptions(names: readonly string[]): void {
  rejectUnknown(names.filter((name) => !isSubscription(name)));
}

/** The name of an event type. Throws 400 invalid_events. */
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

/** The subscriptions that an event type is told by. */
export const subscriptionsMatching = (type: string): string[] => [
  allEvents,
  `${areaOf(type)}.*`,
  type,
];

/** Those of the published list first. */
export async function listEventTypes(): Promise<ResponseBody<typeof routes.webhooks.eventTypes>> {
  const details = eventTypeDetails.map((one) => ({ ...one }));
  return { event_types: details.map(({ type }) => type), details };
}
