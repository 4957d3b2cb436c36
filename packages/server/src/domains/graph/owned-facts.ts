import { createHash } from 'node:crypto';
import {
  type FactVersion,
  factKey,
  replayAssertionLog,
  toLoggedAssertion,
} from './fact-versions.ts';
import { defaultStatement, type FactDetails, isSingleValued, parseFactObjectKey } from './model.ts';
import type { OwnedAssertion } from './store/owned-assertions.ts';
import type { OwnedEntity } from './store/owned-entities.ts';
import type { FactFilter } from './store/read.ts';

/** A fact with the sessions of the memories that state it. */
export interface OwnedFact extends FactDetails {
  readonly session_ids: readonly (string | null)[];
}

/**
 * All versions of the facts that these assertions of whole groups give, as if there were no others.
 * A fact about an entity that is not among the given ones is omitted: another memory names it.
 */
export function deriveOwnedFacts(
  accountId: string,
  assertions: readonly OwnedAssertion[],
  entities: ReadonlyMap<string, Pick<OwnedEntity, 'name'>>,
): OwnedFact[] {
  const groups = Map.groupBy(
    assertions,
    ({ subject_id, predicate }) => `${subject_id} ${predicate}`,
  );
  return [...groups.values()].flatMap((group) => {
    const byId = new Map(group.map((one) => [one.id, one]));
    const isSingle = isSingleValued(group[0]?.predicate ?? '');
    return replayAssertionLog(group.map(toLoggedAssertion), isSingle).flatMap((version) => {
      const sources = version.sources.flatMap((id) => byId.get(id) ?? []);
      return toOwnedFact(accountId, version, sources, entities) ?? [];
    });
  });
}

function toOwnedFact(
  accountId: string,
  version: FactVersion,
  sources: readonly OwnedAssertion[],
  entities: ReadonlyMap<string, Pick<OwnedEntity, 'name'>>,
): OwnedFact | undefined {
  const source = sources.toSorted((a, b) => b.confidence - a.confidence)[0];
  if (!source) throw new Error('a derived fact has no source');
  const { subject_id, predicate, space_id } = source;
  const { id: object_id, value: object_value } = parseFactObjectKey(version.object);
  const subject_name = entities.get(subject_id)?.name;
  const object_name = object_id === null ? null : entities.get(object_id)?.name;
  if (subject_name === undefined || object_name === undefined) return undefined;
  return {
    account_id: accountId,
    id: factVersionId([accountId, subject_id, predicate, factKey(version), version.recordedAt]),
    space_id,
    subject_id,
    subject_name,
    predicate,
    object_id,
    object_name,
    object_value,
    // A manual statement has the names that others use.
    statement: source.is_manual
      ? defaultStatement(subject_name, { predicate, object_value }, object_name)
      : source.statement,
    confidence: version.confidence,
    valid_from: toDate(version.validFrom),
    valid_to: toDate(version.validTo),
    sources: version.sources,
    memory_ids: [...new Set(sources.toSorted(byTime).map(({ memory_id }) => memory_id))],
    session_ids: sources.map(({ session_id }) => session_id),
    recorded_at: new Date(version.recordedAt),
    invalidated_at: toDate(version.invalidatedAt),
  };
}

const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

const byTime = (a: OwnedAssertion, b: OwnedAssertion): number =>
  a.recorded_at.getTime() - b.recorded_at.getTime() || compareText(a.memory_id, b.memory_id);

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The id of a version that is not stored: equal for equal versions, and none of a stored fact,
 * which would tell whether other memories change it. A UUIDv8 (RFC 9562).
 */
function factVersionId(parts: readonly unknown[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The filter of a list of stored facts, for derived ones. */
export function matchesFactFilter(fact: OwnedFact, filter: FactFilter): boolean {
  const { entityIds, predicate, asOf, knownAt, sessionId, memoryId } = filter;
  return (
    (entityIds === undefined || isAbout(fact, entityIds, filter.direction ?? 'both')) &&
    (predicate === undefined || fact.predicate === predicate) &&
    (sessionId === undefined || fact.session_ids.includes(sessionId)) &&
    (memoryId === undefined || fact.memory_ids.includes(memoryId)) &&
    (!filter.relationshipsOnly || fact.object_id !== null) &&
    (asOf === undefined || isWithin(asOf, fact.valid_from, fact.valid_to)) &&
    (knownAt === null || isWithin(knownAt, fact.recorded_at, fact.invalidated_at))
  );
}

function isAbout(
  { subject_id, object_id }: OwnedFact,
  ids: readonly string[],
  direction: NonNullable<FactFilter['direction']>,
): boolean {
  const isSubject = direction !== 'incoming' && ids.includes(subject_id);
  return isSubject || (direction !== 'outgoing' && object_id !== null && ids.includes(object_id));
}

/** Half-open. */
const isWithin = (at: Date, from: Date | null, to: Date | null): boolean =>
  (from === null || from <= at) && (to === null || to > at);
