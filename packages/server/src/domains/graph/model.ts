import { type Entity, type EntityType, type Fact, singleValuedPredicates } from '@mneme/contract';

/** Stands for the account level where a column must not be null. */
const accountLevelSpace = '00000000-0000-0000-0000-000000000000';
export const spaceKey = (spaceId: string | null): string => spaceId ?? accountLevelSpace;

export interface EntityRecord {
  readonly account_id: string;
  readonly id: string;
  readonly space_id: string | null;
  readonly name: string;
  readonly type: EntityType;
  readonly is_retained: boolean;
  readonly merged_into: string | null;
  readonly merged_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface FactRecord {
  readonly account_id: string;
  readonly id: string;
  readonly space_id: string | null;
  readonly subject_id: string;
  readonly predicate: string;
  readonly object_id: string | null;
  readonly object_value: string | null;
  readonly statement: string;
  readonly confidence: number;
  readonly valid_from: Date | null;
  readonly valid_to: Date | null;
  /** Ids of assertions. */
  readonly sources: readonly string[];
  readonly recorded_at: Date;
  readonly invalidated_at: Date | null;
}

/** A subject has one value at a time: the next one ends the previous one. */
const singleValued: ReadonlySet<string> = new Set(singleValuedPredicates);
export const isSingleValued = (predicate: string): boolean => singleValued.has(predicate);

/** The object of a fact: an entity or a value. */
export const factObjectKey = (id: string | null, value: string | null): string =>
  id === null ? `v:${value ?? ''}` : `e:${id}`;

export function parseFactObjectKey(key: string): { id: string | null; value: string | null } {
  const rest = key.slice(2);
  return key.startsWith('e:') ? { id: rest, value: null } : { id: null, value: rest };
}

const titles = /^(?:(?:dr|prof|mr|mrs|ms|mx|sir|dame|rev|fr|sr|jr|hon)\.?\s+)+/;
const legalForms =
  'inc corp corporation co company ltd limited llc llp plc gmbh ag kg se sa s\\.a srl bv nv ' +
  'oy ab as aps pty pvt kk';
const legalFormPattern = new RegExp(`[\\s,]+(?:${legalForms.replaceAll(' ', '|')})\\.?$`);
const article = /^the\s+/;

/**
 * One character may become eighteen when it is decomposed, and an index entry has at most 2,700
 * bytes.
 */
const keyCharactersMax = 500;

/**
 * Only for Latin, Greek and Cyrillic letters; elsewhere marks are vowels or form another letter.
 */
const accents = /[\u0300-\u036F]+/g;

/**
 * A name in its comparable form: "The Acme Corp." is "acme", "Dr. Björn Åkesson" "bjorn akesson".
 */
export function nameKey(name: string, type: EntityType): string {
  const plain = name
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(/[’'`]s$/, '')
    .trim();
  const bare = type === 'person' ? plain.replace(titles, '') : plain.replace(article, '');
  const own = type === 'organization' ? stripLegalForm(bare) : bare;
  const key = own.replace(/[^\p{L}\p{M}\p{N}+#&]+/gu, ' ').trim();
  return (key === '' ? plain : key).slice(0, keyCharactersMax).toWellFormed().trimEnd();
}

/** "Acme Holding Co. Ltd" has two. */
function stripLegalForm(name: string): string {
  const shorter = name.replace(legalFormPattern, '');
  return shorter === name || shorter === '' ? name : stripLegalForm(shorter);
}

export const lastWord = (key: string): string => key.slice(key.lastIndexOf(' ') + 1);

export const presentEntity = (record: EntityRecord, aliases: readonly string[]): Entity => ({
  ...presentEntitySummary(record),
  space_id: record.space_id,
  aliases: [...aliases],
  updated_at: record.updated_at.toISOString(),
});

export const presentEntitySummary = ({
  id,
  name,
  type,
  created_at,
}: Pick<EntityRecord, 'id' | 'name' | 'type' | 'created_at'>) => ({
  id,
  name,
  type,
  created_at: created_at.toISOString(),
});

/** A fact for a response: with the names of its entities and the memories that state it. */
export interface FactDetails extends FactRecord {
  readonly subject_name: string;
  readonly object_name: string | null;
  readonly memory_ids: readonly string[];
}

export const presentFact = (fact: FactDetails): Fact => ({
  id: fact.id,
  subject_id: fact.subject_id,
  subject_name: fact.subject_name,
  predicate: fact.predicate,
  object_id: fact.object_id,
  object_value: fact.object_name ?? fact.object_value,
  statement: fact.statement,
  confidence: fact.confidence,
  source_memory_ids: [...fact.memory_ids],
  valid_from: fact.valid_from?.toISOString() ?? null,
  valid_to: fact.valid_to?.toISOString() ?? null,
  recorded_at: fact.recorded_at.toISOString(),
  invalidated_at: fact.invalidated_at?.toISOString() ?? null,
});

/** The sentence of a manual fact, built from the names. */
export const defaultStatement = (
  subject: string,
  fact: { readonly predicate: string; readonly object_value?: string | null | undefined },
  object?: string | null,
): string => {
  const verb = fact.predicate.replaceAll('_', ' ');
  return `${subject} ${verb} ${object ?? fact.object_value ?? ''}`.trim();
};
