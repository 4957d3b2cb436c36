import type { ConsistencyCheck, Inconsistency } from '../consistency-check.ts';
import {
  countSessionMemories,
  findReferencedSessionIds,
  type SessionMemoryCounts,
} from '../memories/index.ts';
import { findExistingSessionIds, listSessionsAfter, type SessionCounters } from './store/checks.ts';

const stepSessions = 200;

/** Checks the counters of sessions and the ordinals of their memories. */
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
  const { active = 0, all = 0, places: ordinals = 0, last_place: lastOrdinal = 0 } = tally ?? {};
  const inconsistencies: Inconsistency[] = [];
  const report = (code: string, message: string) =>
    void inconsistencies.push({ code, id, message });
  if (counted !== active) {
    report('memory_count_differs', `memory_count is ${counted}, but ${active} exist`);
  }
  if (messages < 0) report('counter_negative', 'message_count is negative');
  if (ordinals < all) report('places_shared', `${all} memories share ${ordinals} ordinals`);
  if (next <= lastOrdinal)
    report('next_place_taken', `the next ordinal is ${next}, but ${lastOrdinal} is in use`);
  return inconsistencies;
}

/** Checks that every session referenced by memories exists. */
export const sessionReferenceCheck: ConsistencyCheck = {
  name: 'session names',
  async read({ actor: { accountId } }, tx, after) {
    const referenced = await findReferencedSessionIds(tx, accountId, after, stepSessions);
    const present = await findExistingSessionIds(tx, accountId, referenced);
    const message = 'memories reference a session that does not exist';
    return {
      rows: referenced.length,
      next: referenced.length < stepSessions ? null : (referenced.at(-1) ?? null),
      compare: () =>
        referenced
          .filter((id) => !present.has(id))
          .map((id) => ({ code: 'session_missing', id, message })),
    };
  },
};
