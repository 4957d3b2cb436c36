import type { TxCtx } from '../ctx.ts';
import type { NamedEntity } from './graph-extraction.ts';
import { type EntityRecord, lastWord, nameKey, spaceKey } from './model.ts';
import { resolveSpeakers } from './resolve-speakers.ts';
import {
  type EntityName,
  findEntityNames,
  findPeopleByInitial,
  insertEntities,
  insertEntityNames,
  type NameKey,
  type NewEntityName,
} from './store/entities.ts';

const nameKeyId = ({ space, type, key }: NameKey): string => `${space} ${type} ${key}`;

const toNameKey = (entity: NamedEntity, name: string): NameKey => ({
  space: spaceKey(entity.spaceId),
  type: entity.type,
  key: nameKey(name, entity.type),
});

const hasInitials = (key: string): boolean => /(?:^|\s)\p{L}(?:\s|$)/u.test(key);

/** "j r patel" may be "jaya rani patel", and vice versa. */
function matchesInitials(a: string, b: string): boolean {
  const left = a.split(' ');
  const right = b.split(' ');
  if (left.length !== right.length || left.at(-1) !== right.at(-1)) return false;
  return left.every((word, i) => {
    const other = right[i] ?? '';
    if (word === other) return true;
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    return short.length === 1 && long.startsWith(short);
  });
}

/**
 * Resolves each name to an entity, in the same order; creates new ones. The caller holds the
 * account's graph lock. A name is looked up as written, then by its initials if exactly one person
 * matches, then by its other forms.
 */
export async function resolveEntityNames(
  inTx: TxCtx,
  all: readonly NamedEntity[],
  now: Date,
): Promise<string[]> {
  const speakers = all.filter(({ speakerKey }) => speakerKey !== undefined);
  const others = all.filter(({ speakerKey }) => speakerKey === undefined);
  const speakerIds = await resolveSpeakers(inTx, speakers, now);
  const otherIds = await resolveByNames(inTx, others, now);
  const ids = new Map([
    ...speakers.map((one, i) => [one, speakerIds[i] ?? ''] as const),
    ...others.map((one, i) => [one, otherIds[i] ?? ''] as const),
  ]);
  return all.map((one) => ids.get(one) ?? '');
}

async function resolveByNames(
  inTx: TxCtx,
  namedEntities: readonly NamedEntity[],
  now: Date,
): Promise<string[]> {
  const { tx, actor, ids } = inTx;
  const { accountId } = actor;
  const keys = namedEntities.flatMap((one) =>
    [one.name, ...one.variants].map((name) => toNameKey(one, name)),
  );
  const known = new Map<string, string>();
  const remember = (rows: readonly EntityName[]): void => {
    for (const row of rows) known.set(nameKeyId(row), row.entity_id);
  };
  remember(await findEntityNames(tx, accountId, uniqueKeys(keys)));
  const people = await findPeopleWithInitials(inTx, namedEntities, known);
  const entities: EntityRecord[] = [];
  const names: NewEntityName[] = [];
  const entityIds = namedEntities.map((one) => {
    const key = toNameKey(one, one.name);
    const forms = one.variants
      .map((form) => toNameKey(one, form))
      .filter((form) => !isPartialName(form.key, key.key));
    const existingId = [key, ...forms].map((each) => known.get(nameKeyId(each))).find(Boolean);
    const id = existingId ?? resolveByInitials(people, key) ?? makeEntity(one);
    for (const name of [one.name, ...one.variants]) {
      const nameKeyOf = toNameKey(one, name);
      if (known.has(nameKeyId(nameKeyOf))) continue;
      known.set(nameKeyId(nameKeyOf), id);
      addPerson(people, { ...nameKeyOf, entity_id: id });
      names.push({
        ...nameKeyOf,
        tail: lastWord(nameKeyOf.key),
        name,
        entity_id: id,
        is_manual: false,
      });
    }
    return id;
  });
  function makeEntity({ spaceId, name, type }: NamedEntity): string {
    const id = ids.uuid();
    entities.push({
      account_id: accountId,
      id,
      space_id: spaceId,
      name,
      type,
      is_retained: false,
      merged_into: null,
      merged_at: null,
      created_at: now,
      updated_at: now,
    });
    return id;
  }
  await insertEntities(tx, accountId, entities);
  await insertEntityNames(tx, accountId, names);
  return entityIds;
}

const uniqueKeys = (keys: readonly NameKey[]): NameKey[] => [
  ...new Map(keys.map((key) => [nameKeyId(key), key])).values(),
];

/** A first name alone is less specific than the full name: two people may share it. */
const isPartialName = (form: string, name: string): boolean => form !== name && name.includes(form);

/** By last name and first letter in a space: candidates for a name with initials. */
type PeopleByInitial = Map<string, EntityName[]>;

const initialKey = ({ space, key }: NameKey): string =>
  `${space} ${lastWord(key)} ${String.fromCodePoint(key.codePointAt(0) ?? 0)}`;

function addPerson(people: PeopleByInitial, name: EntityName): void {
  if (name.type !== 'person') return;
  const candidates = people.get(initialKey(name));
  if (candidates) candidates.push(name);
  else people.set(initialKey(name), [name]);
}

/** People whom a name with initials, or the full name behind initials, may mean. */
async function findPeopleWithInitials(
  { tx, actor }: TxCtx,
  entities: readonly NamedEntity[],
  known: ReadonlyMap<string, string>,
): Promise<PeopleByInitial> {
  const unknown = entities
    .filter(({ type }) => type === 'person')
    .map((one) => toNameKey(one, one.name))
    .filter((key) => !known.has(nameKeyId(key)) && key.key.includes(' '));
  const candidates = new Map(unknown.map((key) => [initialKey(key), key]));
  const people: PeopleByInitial = new Map();
  const found = await findPeopleByInitial(
    tx,
    actor.accountId,
    [...candidates.values()].map(({ space, key }) => ({ space, tail: lastWord(key), key })),
  );
  for (const name of found) addPerson(people, name);
  return people;
}

/** Returns a result if exactly one person's name matches and none of its full names contradicts. */
function resolveByInitials(people: PeopleByInitial, key: NameKey): string | undefined {
  if (key.type !== 'person') return undefined;
  const candidates = Map.groupBy(people.get(initialKey(key)) ?? [], ({ entity_id }) => entity_id);
  const matches = [...candidates].filter(
    ([, names]) =>
      names.some((name) => matchesByInitials(name.key, key.key)) &&
      !names.some((name) => isDifferentPerson(name.key, key.key)),
  );
  return matches.length === 1 ? matches[0]?.[0] : undefined;
}

const matchesByInitials = (known: string, key: string): boolean =>
  (hasInitials(key) || hasInitials(known)) && matchesInitials(known, key);

/** "j patel" does not mean "john patel" if its entity is "jaya patel". */
const isDifferentPerson = (known: string, key: string): boolean =>
  !hasInitials(known) &&
  known.split(' ').length === key.split(' ').length &&
  !matchesInitials(known, key);
