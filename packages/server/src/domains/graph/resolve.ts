import type { EntityType } from '@mneme/contract';
import type { TxCtx } from '../ctx.ts';
import { type EntityRecord, nameKey, spaceOf, tailOf } from './model.ts';
import {
  findNames,
  findPeople,
  insertEntities,
  insertNames,
  type KnownName,
  type NameKey,
  type NewName,
} from './store/entities.ts';

/** An entity as a text names it. */
export interface Named {
  readonly spaceId: string | null;
  readonly type: EntityType;
  readonly name: string;
  /** Every form that the text has for it. */
  readonly forms: readonly string[];
}

const idOf = ({ space, type, key }: NameKey): string => `${space} ${type} ${key}`;

const keyOf = (named: Named, name: string): NameKey => ({
  space: spaceOf(named.spaceId),
  type: named.type,
  key: nameKey(name, named.type),
});

const hasInitials = (key: string): boolean => /(?:^|\s)\p{L}(?:\s|$)/u.test(key);

/** "j r patel" may be "jaya rani patel", and the other way round. */
function mayBeSame(a: string, b: string): boolean {
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
  named: readonly Named[],
  now: Date,
): Promise<string[]> {
  const { tx, actor, ids } = inTx;
  const { accountId } = actor;
  const wanted = named.flatMap((one) => [one.name, ...one.forms].map((name) => keyOf(one, name)));
  const known = new Map<string, string>();
  const learn = (rows: readonly KnownName[]): void => {
    for (const row of rows) known.set(idOf(row), row.entity_id);
  };
  learn(await findNames(tx, accountId, unique(wanted)));
  const people = await peopleLike(inTx, named, known);
  const entities: EntityRecord[] = [];
  const names: NewName[] = [];
  const found = named.map((one) => {
    const key = keyOf(one, one.name);
    const forms = one.forms
      .map((form) => keyOf(one, form))
      .filter((form) => !isShort(form.key, key.key));
    const known_ = [key, ...forms].map((each) => known.get(idOf(each))).find(Boolean);
    const id = known_ ?? byInitials(people, key) ?? makeEntity(one);
    for (const name of [one.name, ...one.forms]) {
      const own = keyOf(one, name);
      if (known.has(idOf(own))) continue;
      known.set(idOf(own), id);
      join(people, { ...own, entity_id: id });
      names.push({ ...own, tail: tailOf(own.key), name, entity_id: id, by_hand: false });
    }
    return id;
  });
  function makeEntity({ spaceId, name, type }: Named): string {
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

const unique = (keys: readonly NameKey[]): NameKey[] => [
  ...new Map(keys.map((key) => [idOf(key), key])).values(),
];

/** A first name alone says less than the whole: two people may share it. */
const isShort = (form: string, name: string): boolean => form !== name && name.includes(form);

/** By last name and first letter of a space: whom initials could mean. */
type People = Map<string, KnownName[]>;

const crowdOf = ({ space, key }: NameKey): string =>
  `${space} ${tailOf(key)} ${String.fromCodePoint(key.codePointAt(0) ?? 0)}`;

function join(people: People, name: KnownName): void {
  if (name.type !== 'person') return;
  const crowd = people.get(crowdOf(name));
  if (crowd) crowd.push(name);
  else people.set(crowdOf(name), [name]);
}

/** People that a name with initials, or the name behind initials, may mean. */
async function peopleLike(
  { tx, actor }: TxCtx,
  named: readonly Named[],
  known: ReadonlyMap<string, string>,
): Promise<People> {
  const unknown = named
    .filter(({ type }) => type === 'person')
    .map((one) => keyOf(one, one.name))
    .filter((key) => !known.has(idOf(key)) && key.key.includes(' '));
  const crowds = new Map(unknown.map((key) => [crowdOf(key), key]));
  const people: People = new Map();
  const found = await findPeople(
    tx,
    actor.accountId,
    [...crowds.values()].map(({ space, key }) => ({ space, tail: tailOf(key), key })),
  );
  for (const name of found) join(people, name);
  return people;
}

/** Just one person has a name that fits, and no whole name that does not. */
function byInitials(people: People, key: NameKey): string | undefined {
  if (key.type !== 'person') return undefined;
  const near = Map.groupBy(people.get(crowdOf(key)) ?? [], ({ entity_id }) => entity_id);
  const fitting = [...near].filter(
    ([, names]) =>
      names.some((name) => fits(name.key, key.key)) &&
      !names.some((name) => isAnother(name.key, key.key)),
  );
  return fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

const fits = (known: string, key: string): boolean =>
  (hasInitials(key) || hasInitials(known)) && mayBeSame(known, key);

/** "john patel" is not whom "j patel" means where that is "jaya patel". */
const isAnother = (known: string, key: string): boolean =>
  !hasInitials(known) &&
  known.split(' ').length === key.split(' ').length &&
  !mayBeSame(known, key);
