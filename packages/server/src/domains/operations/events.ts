import type {
  Event,
  EventType,
  OwnerFilter,
  ResponseBody,
  routes,
  ValidatedRequest,
} from '@mneme/contract';
import { type EventFilter, readEvents, type StoredEvent } from '../../events/outbox.ts';
import { decryptText, encryptText } from '../../kernel/encryption.ts';
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts';
import { type Ctx, requestedUser, visibleSpaces } from '../ctx.ts';

const isEventPosition = (value: unknown): value is number => Number.isSafeInteger(value);

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

/** The events of a request, and their cursors; list and stream share them. */
export interface EventSelection {
  readonly filter: Pick<EventFilter, 'type' | 'owner' | 'memoryId' | 'hiddenTypes' | 'spaces'>;
  encodeCursor(position: number): string;
  /** Throws 400 invalid_request. */
  decodeCursor(cursor: string): number;
}

/** Their data may have names from memories of other users, and what others have looked for. */
const hiddenFromUserTokens: readonly EventType[] = ['entity.extracted', 'memory.accessed'];

interface EventQuery extends OwnerFilter {
  readonly type?: EventType | undefined;
  readonly memory_id?: string | undefined;
}

/** Throws 403 user_access_denied. */
export function selectEvents(
  { actor, secretKey, ids }: Ctx,
  { type, memory_id: memoryId, user_id, agent_id, run_id }: EventQuery,
): EventSelection {
  const owner = { user_id: requestedUser(actor, user_id), agent_id, run_id };
  const scope = { account: actor.accountId, type, memoryId, ...owner };
  const filter = { type, owner, memoryId, spaces: visibleSpaces(actor) };
  if (actor.user === null) {
    return {
      filter,
      encodeCursor: (position) => encodeCursor(scope, position),
      decodeCursor: (cursor) => decodeCursor(scope, cursor, isEventPosition),
    };
  }
  // A position counts the events of all users.
  const label = `event cursor of ${actor.accountId}`;
  return {
    filter: { ...filter, hiddenTypes: hiddenFromUserTokens },
    encodeCursor: (position) => {
      const padded = encodeCursor(scope, position).padEnd(cursorCharacters);
      return encryptText(padded, secretKey, label, ids.bytes(cursorNonceBytes));
    },
    decodeCursor: (cursor) => {
      const padded = decryptOrEmpty(cursor, secretKey, label);
      return decodeCursor(scope, padded.trimEnd(), isEventPosition);
    },
  };
}

const cursorNonceBytes = 12;
/** Of every cursor before it is encrypted: its length would tell the digits of the position. */
const cursorCharacters = 48;

/** A text that is no cursor if it was not encrypted here. */
function decryptOrEmpty(encrypted: string, secret: string, label: string): string {
  try {
    return decryptText(encrypted, secret, label);
  } catch {
    return '';
  }
}

/**
 * Events in order of commit. The last page also has a cursor, with which a follower continues
 * without missing events; without any events it is the beginning. Throws 400 invalid_request, 403
 * user_access_denied.
 */
export async function listEvents(
  ctx: Ctx,
  query: ValidatedRequest<typeof routes.events.list>['query'],
): Promise<ResponseBody<typeof routes.events.list>> {
  const selection = selectEvents(ctx, query);
  const after = query.cursor === undefined ? 0 : selection.decodeCursor(query.cursor);
  const events = await readEvents(ctx.engine.db, ctx.actor.accountId, {
    ...selection.filter,
    after,
    limit: query.limit + 1,
  });
  const page = events.slice(0, query.limit);
  return {
    data: page.map(presentEvent),
    has_more: events.length > query.limit,
    next_cursor: selection.encodeCursor(page.at(-1)?.position ?? after),
  };
}
