import type { Event, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { readEvents, type StoredEvent } from '../../events/outbox.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { type Ctx, visibleSpaces } from '../ctx.ts';

export const isEventPosition = (value: unknown): value is number => Number.isSafeInteger(value);

/** The publisher gives each event the shape of its type. */
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

/** The scope of event cursors; list and stream share it. */
export const eventCursorScopeOf = ({ actor }: Ctx, type: Event['type'] | undefined) => ({
  account: actor.accountId,
  type,
});

/**
 * Events in order of commit. The last page also has a cursor, with which a follower continues
 * without missing events; without any events it is the beginning.
 */
export async function listEvents(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.operations.events>['query'],
): Promise<ResponseBody<typeof routes.operations.events>> {
  const cursorScope = eventCursorScopeOf(ctx, query.type);
  const after =
    query.cursor === undefined ? 0 : decodeCursor(cursorScope, query.cursor, isEventPosition);
  const events = await readEvents(ctx.engine.db, ctx.actor.accountId, {
    after,
    limit: query.limit + 1,
    type: query.type,
    spaces: visibleSpaces(ctx.actor),
  });
  const page = events.slice(0, query.limit);
  return {
    data: page.map(presentEvent),
    has_more: events.length > query.limit,
    next_cursor: encodeCursor(cursorScope, page.at(-1)?.position ?? after),
  };
}
