import type { EntityType } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { type EntityRecord, lastWord, nameKey, spaceKey } from './model.ts';
import {
  type EntityName,
  findNames,
  findPeopleByInitial,
  insertEntities,
  insertNames,
  type NameKey,
  type NewEntityName,
} from './store/entities.ts';

/** An entity as a text names it. */
export interface NamedEntity {
  readonly spaceId: string | null;
  readonly type: EntityType;
  readonly name: string;
  /** Every form that the text has for it. */
  readonly variants: readonly string[];
}

const nameKeyId = ({ space, type, key }: NameKey): string => `${space} ${type} ${key}`;

const toNameKey = (named: NamedEntity, name: string): NameKey => ({
  space: spaceKey(named.spaceId),
  type: named.type,
  key: nameKey(name, named.type),
});

const hasInitials = (key: string): boolean => /(?:^|\s)\p{L}(?:\s|$)/u.test(key);

/** "j r patel" may be "jaya rani patel", and the other way round. */
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
 * The entity of each name, in the same order; new ones are made. To be called by who holds the
 * account's knowledge. A name is looked up as it is, then by its initials where just one person
 * fits, then by its other forms.
 */
export async function resolveNames(
  inTx: TxCtx,
  named: readonly NamedEntity[],
  now: Date,
): Promise<string[]> {
  const { tx, actor, ids } = inTx;
  const { accountId } = actor;
  const wanted = named.flatMap((one) =>
    [one.name, ...one.variants].map((name) => toNameKey(one, name)),
  );
  const known = new Map<string, string>();
  const learn = (rows: readonly EntityName[]): void => {
    for (const row of rows) known.set(nameKeyId(row), row.entity_id);
  };
  learn(await findNames(tx, accountId, uniqueKeys(wanted)));
  const people = await findPeopleWithInitials(inTx, named, known);
  const entities: EntityRecord[] = [];
  const names: NewEntityName[] = [];
  const found = named.map((one) => {
    const key = toNameKey(one, one.name);
    const forms = one.variants
      .map((form) => toNameKey(one, form))
      .filter((form) => !isPartialName(form.key, key.key));
    const known_ = [key, ...forms].map((each) => known.get(nameKeyId(each))).find(Boolean);
    const id = known_ ?? resolveByInitials(people, key) ?? makeEntity(one);
    for (const name of [one.name, ...one.variants]) {
      const own = toNameKey(one, name);
      if (known.has(nameKeyId(own))) continue;
      known.set(nameKeyId(own), id);
      addPerson(people, { ...own, entity_id: id });
      names.push({ ...own, tail: lastWord(own.key), name, entity_id: id, by_hand: false });
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
      is_kept: false,
      merged_into: null,
      merged_at: null,
      created_at: now,
      updated_at: now,
    });
    return id;
  }
  await insertEntities(tx, entities);
  await insertNames(tx, accountId, names);
  return found;
}

const uniqueKeys = (keys: readonly NameKey[]): NameKey[] => [
  ...new Map(keys.map((key) => [nameKeyId(key), key])).values(),
];

/** A first name alone says less than the whole: two people may share it. */
const isPartialName = (form: string, name: string): boolean => form !== name && name.includes(form);

/** By last name and first letter of a space: whom initials could mean. */
type PeopleByInitial = Map<string, EntityName[]>;

const initialKey = ({ space, key }: NameKey): string =>
  `${space} ${lastWord(key)} ${String.fromCodePoint(key.codePointAt(0) ?? 0)}`;

function addPerson(people: PeopleByInitial, name: EntityName): void {
  if (name.type !== 'person') return;
  const crowd = people.get(initialKey(name));
  if (crowd) crowd.push(name);
  else people.set(initialKey(name), [name]);
}

/** People that a name with initials, or the name behind initials, may mean. */
async function findPeopleWithInitials(
  { tx, actor }: TxCtx,
  named: readonly NamedEntity[],
  known: ReadonlyMap<string, string>,
): Promise<PeopleByInitial> {
  const unknown = named
    .filter(({ type }) => type === 'person')
    .map((one) => toNameKey(one, one.name))
    .filter((key) => !known.has(nameKeyId(key)) && key.key.includes(' '));
  const crowds = new Map(unknown.map((key) => [initialKey(key), key]));
  const people: PeopleByInitial = new Map();
  const found = await findPeopleByInitial(
    tx,
    actor.accountId,
    [...crowds.values()].map(({ space, key }) => ({ space, tail: lastWord(key), key })),
  );
  for (const name of found) addPerson(people, name);
  return people;
}

/** Just one person has a name that fits, and no whole name that does not. */
function resolveByInitials(people: PeopleByInitial, key: NameKey): string | undefined {
  if (key.type !== 'person') return undefined;
  const near = Map.groupBy(people.get(initialKey(key)) ?? [], ({ entity_id }) => entity_id);
  const fitting = [...near].filter(
    ([, names]) =>
      names.some((name) => matchesByInitials(name.key, key.key)) &&
      !names.some((name) => isDifferentPerson(name.key, key.key)),
  );
  return fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

const matchesByInitials = (known: string, key: string): boolean =>
  (hasInitials(key) || hasInitials(known)) && matchesInitials(known, key);

/** "john patel" is not whom "j patel" means where that is "jaya patel". */
const isDifferentPerson = (known: string, key: string): boolean =>
  !hasInitials(known) &&
  known.split(' ').length === key.split(' ').length &&
  !matchesInitials(known, key);
