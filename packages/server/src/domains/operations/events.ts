import type { Event, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { readEvents, type StoredEvent } from '../../events/outbox.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';

export const isPosition = (at: unknown): at is number => Number.isSafeInteger(at);

/** Whoever wrote the event gave it the shape of its type. */
export const presentEvent = (event: StoredEvent): Event =>
  ({
    id: event.id,
    type: event.type,
    created_at: event.created_at.toISOString(),
    space_id: event.space_id,
    data: event.data,
    previous_data: event.previous_data,
    changes: event.changes,
  }) as Event;

/** What a cursor of events is good for; that of the list and that of the stream are one. */
export const cursorScopeOf = ({ actor }: Ctx, type: Event['type'] | undefined) => ({
  account: actor.accountId,
  type,
});

/**
 * Events in order of commit. The cursor is there even on the last page, so that a follower asks
 * again with it and misses nothing; without any event it stands for the beginning.
 */
export async function listEvents(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.operations.events>['query'],
): Promise<ResponseBody<typeof routes.operations.events>> {
  const bound = cursorScopeOf(ctx, query.type);
  const after = query.cursor === undefined ? 0 : decodeCursor(bound, query.cursor, isPosition);
  const events = await readEvents(ctx.engine.db, ctx.actor.accountId, {
    after,
    limit: query.limit + 1,
    type: query.type,
    spaces: visibleSpaces(ctx.actor),
  });
  const shown = events.slice(0, query.limit);
  return {
    data: shown.map(presentEvent),
    has_more: events.length > query.limit,
    next_cursor: encodeCursor(bound, shown.at(-1)?.position ?? after),
  };
}
