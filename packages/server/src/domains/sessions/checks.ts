import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import {
  countSessionMemories,
  findReferencedSessionIds,
  type SessionMemoryCounts,
} from '../memories/index.ts';
import { findExistingSessionIds, listSessionsAfter, type SessionCounters } from './store/checks.ts';

const stepSessions = 200;

/** What sessions count of their memories, and the places that they give. */
export const sessionCheck: ConsistencyCheck = {
  name: 'sessions',
  async read({ actor: { accountId } }, tx, after) {
    const sessions = await listSessionsAfter(tx, accountId, after, stepSessions);
    const ids = sessions.map(({ id }) => id);
    const tallies = await countSessionMemories(tx, accountId, ids);
    return {
      rows: sessions.length,
      next: sessions.length < stepSessions ? null : (ids.at(-1) ?? null),
      compare: () =>
        sessions.flatMap((session) => compareSession(session, tallies.get(session.id))),
    };
  },
};

function compareSession(
  session: SessionCounters,
  tally: SessionMemoryCounts | undefined,
): Inconsistency[] {
  const { id, memory_count: counted, message_count: messages, next_ordinal: next } = session;
  const { active = 0, all = 0, places = 0, last_place: last = 0 } = tally ?? {};
  const faults: Inconsistency[] = [];
  const say = (code: string, message: string) => void faults.push({ code, id, message });
  if (counted !== active) {
    say('memory_count_differs', `memory_count says ${counted}, there are ${active}`);
  }
  if (messages < 0) say('counter_negative', 'message_count is below zero');
  if (places < all) say('places_shared', `${all} memories have ${places} places`);
  if (next <= last) say('next_place_taken', `the next place is ${next}, ${last} is taken`);
  return faults;
}

/** Every session that memories name is there. */
export const sessionReferenceCheck: ConsistencyCheck = {
  name: 'session names',
  async read({ actor: { accountId } }, tx, after) {
    const named = await findReferencedSessionIds(tx, accountId, after, stepSessions);
    const present = await findExistingSessionIds(tx, accountId, named);
    const message = 'memories name a session that is not there';
    return {
      rows: named.length,
      next: named.length < stepSessions ? null : (named.at(-1) ?? null),
      compare: () =>
        named
          .filter((id) => !present.has(id))
          .map((id) => ({ code: 'session_missing', id, message })),
    };
  },
};
