import type { ErasedEvent, Event } from './generated/types.ts';

export type EventType = Event['type'];

/** The event of a type. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>;

/** What a reader of events receives: the content of an event can be erased since. */
export type PublicEvent = Event | ErasedEvent;
