import { normalizedWordAt, type TokenizedText } from './candidates.ts';
import type { DateMention } from './dates.ts';
import type { NamedEntity } from './group-mentions.ts';
import { findLetterAddressee, findSigningOrganization } from './letter.ts';
import { functionWords } from './lexicon/non-name-words.ts';
import { honorifics, kinshipTerms, roleNouns } from './lexicon/people.ts';
import { isRelationshipNoun } from './relationship-nouns.ts';
import type { NamedEntityType } from './type-scores.ts';

/** A word of a sentence, or a sign for names: `<p:3>`, and `<p:3+5>` for lists. */
export interface SentenceSlot {
  /** In lower case, or the sign in angle brackets. */
  text: string;
  readonly kind: 'word' | 'name' | 'date' | 'group';
  readonly type?: NamedEntityType;
  /** Indices of the entities, or of the date. */
  readonly ids: readonly number[];
  readonly start: number;
  readonly end: number;
  /** "We": the speaker and others. */
  readonly isPlural?: true;
}

export interface SlottedSentence {
  readonly slots: readonly SentenceSlot[];
  /** The texts of the slots, separated by single spaces. */
  readonly text: string;
  /** Start of each slot in `text`. */
  readonly offsets: readonly number[];
  readonly isQuestion: boolean;
}

/** Referents of pronouns at a position of the text. */
interface Persons {
  readonly speaker: number | null;
  readonly addressee: number | null;
  /** The organisation that "we" refers to, once one is mentioned. */
  we: readonly number[];
  sentence: readonly SentenceSlot[];
  previous: readonly SentenceSlot[];
  readonly byPronoun: Map<string, number>;
  /** Organisations that "we" are said to be. */
  readonly jobs: number[];
}

const letters: Readonly<Record<NamedEntityType, string>> = {
  person: 'p',
  organization: 'o',
  location: 'l',
  product: 'x',
  event: 'e',
  skill: 's',
};

/** A map, because a word may be the name of an object property, such as "constructor". */
const expansions: ReadonlyMap<string, readonly string[]> = new Map([
  ["i'm", ['i', 'am']],
  ["i've", ['i', 'have']],
  ["i'd", ['i', 'would']],
  ["i'll", ['i', 'will']],
  ["we're", ['we', 'are']],
  ["we've", ['we', 'have']],
  ["we'd", ['we', 'would']],
  ["we'll", ['we', 'will']],
  ["they're", ['they', 'are']],
  ["they've", ['they', 'have']],
  ["they'll", ['they', 'will']],
  ["he'll", ['he', 'will']],
  ["she'll", ['she', 'will']],
]);

/** The sentences of a text as slots, with pronouns replaced by their referents. */
export function buildSlottedSentences(
  reading: TokenizedText,
  groups: readonly NamedEntity[],
  dates: readonly DateMention[],
  speaker: number | null,
): SlottedSentence[] {
  const raw = slotsBySentence(reading, groups, dates);
  const sender = findSigningOrganization(raw);
  const persons: Persons = {
    speaker,
    addressee: findLetterAddressee(raw),
    we: sender === null ? [] : [sender],
    sentence: [],
    previous: [],
    byPronoun: new Map(),
    jobs: [],
  };
  const sentences: SlottedSentence[] = [];
  for (const slots of raw) {
    const listed = withLists(withPronouns(slots, persons, groups));
    sentences.push(sentenceOf(listed));
    const named = listed.filter(({ kind }) => kind === 'name');
    if (named.length > 0) persons.previous = named;
    persons.sentence = [];
  }
  return sentences;
}

function sentenceOf(slots: readonly SentenceSlot[]): SlottedSentence {
  const offsets: number[] = [];
  let length = 0;
  for (const { text } of slots) {
    offsets.push(length);
    length += text.length + 1;
  }
  const text = slots.map((slot) => slot.text).join(' ');
  return { slots, text, offsets, isQuestion: slots.at(-1)?.text === '?' };
}

const signOf = (type: NamedEntityType, ids: readonly number[]): string =>
  `<${letters[type]}:${ids.join('+')}>`;

function slotsBySentence(
  reading: TokenizedText,
  groups: readonly NamedEntity[],
  dates: readonly DateMention[],
): SentenceSlot[][] {
  const begins = new Map<number, { id: number; to: number; type: NamedEntityType }>();
  for (const [id, group] of groups.entries()) {
    for (const { from, to } of group.mentions) {
      const known = begins.get(from);
      if (!known || known.to < to) begins.set(from, { id, to, type: group.type });
    }
  }
  const dateStarts = new Map(dates.map(({ start }, id) => [start, id]));
  const sentences: SentenceSlot[][] = [];
  let number = -1;
  for (let at = 0; at < reading.words.length; at += 1) {
    const word = reading.words[at];
    if (!word) continue;
    if (word.sentence !== number) sentences.push([]);
    number = word.sentence;
    const slots = sentences.at(-1) as SentenceSlot[];
    const name = begins.get(at);
    const date = dateStarts.get(word.start);
    if (name) {
      dropTitle(slots);
      const end = reading.words[name.to - 1]?.end ?? word.end;
      const { type, id } = name;
      slots.push({
        text: signOf(type, [id]),
        kind: 'name',
        type,
        ids: [id],
        start: word.start,
        end,
      });
      at = name.to - 1;
    } else if (date !== undefined) {
      const end = dates[date]?.end ?? word.end;
      slots.push({ text: `<d:${date}>`, kind: 'date', ids: [date], start: word.start, end });
      while (at + 1 < reading.words.length && (reading.words[at + 1]?.start ?? end) < end) at += 1;
    } else {
      for (const text of expanded(reading, at)) {
        slots.push({ text, kind: 'word', ids: [], start: word.start, end: word.end });
      }
    }
  }
  return sentences;
}

function expanded(reading: TokenizedText, at: number): readonly string[] {
  const plain = normalizedWordAt(reading, at);
  // "he's" is two words already; after a pronoun "'s" is "is".
  if (
    plain === "'s" &&
    /^(?:he|she|it|that|who|there|what)$/.test(normalizedWordAt(reading, at - 1))
  ) {
    return ['is'];
  }
  const negated = /^(.+)n't$/.exec(plain)?.[1];
  if (negated) return [negated === 'ca' ? 'can' : negated === 'wo' ? 'will' : negated, 'not'];
  return expansions.get(plain) ?? [plain.replaceAll(/[<>]/g, '')];
}

/** "dr .", "herr dr ." before a name. */
function dropTitle(slots: SentenceSlot[]): void {
  while (slots.length > 0) {
    const last = slots.at(-1)?.text ?? '';
    const two = slots.at(-2)?.text ?? '';
    if (last === '.' && honorifics.has(two)) slots.length -= 2;
    else if (honorifics.has(last) && !isRelationshipNoun(last) && !roleNouns.has(last))
      slots.length -= 1;
    else return;
  }
}

function withPronouns(
  slots: readonly SentenceSlot[],
  persons: Persons,
  groups: readonly NamedEntity[],
): SentenceSlot[] {
  const done: SentenceSlot[] = [];
  persons.byPronoun.delete('they');
  for (const [at, slot] of slots.entries()) {
    const meant = slot.kind === 'word' ? meaningOf(slot, slots[at + 1], done, persons) : null;
    if (!meant || meant.ids.length === 0) {
      done.push(slot);
      if (slot.kind === 'name') noteWe(done, persons, groups);
      continue;
    }
    const type = groups[meant.ids[0] as number]?.type ?? 'person';
    const { start, end } = slot;
    const many = slot.text === 'we' ? { isPlural: true as const } : {};
    const { ids } = meant;
    done.push({ text: signOf(type, ids), kind: 'name', type, ids, start, end, ...many });
    if (meant.owns) done.push({ text: "'s", kind: 'word', ids: [], start: end, end });
  }
  return done;
}

/** "We at Cirque Boréal use": from here on "we" refers to it. */
function noteWe(
  done: readonly SentenceSlot[],
  persons: Persons,
  groups: readonly NamedEntity[],
): void {
  const id = done.at(-1)?.ids[0];
  if (id === undefined || groups[id]?.type !== 'organization') return;
  const [one, two] = [done.at(-3), done.at(-2)];
  if (two?.text === 'at' && (one?.isPlural || one?.text === 'here')) persons.we = [id];
}

/** "At Lumo Games we use": from here on "we" refers to it. */
function noteHere(done: readonly SentenceSlot[], persons: Persons): void {
  const end = done.at(-1)?.text === ',' ? done.length - 1 : done.length;
  const name = done[end - 1];
  if (name?.type === 'organization' && done[end - 2]?.text === 'at') {
    persons.we = name.ids;
    persons.jobs.push(...name.ids);
  }
}

const lastPerson = (done: readonly SentenceSlot[]): readonly number[] =>
  done.findLast(({ type }) => type === 'person')?.ids ?? [];

interface Meant {
  readonly ids: readonly number[];
  readonly owns: boolean;
}

function meaningOf(
  slot: SentenceSlot,
  next: SentenceSlot | undefined,
  done: readonly SentenceSlot[],
  persons: Persons,
): Meant | null {
  const { speaker } = persons;
  const own = speaker === null ? [] : [speaker];
  switch (slot.text) {
    case 'i':
    case 'me':
    case 'myself':
      return { ids: own, owns: false };
    case 'my':
      return { ids: own, owns: true };
    case 'whose':
      return { ids: lastPerson(done), owns: true };
    case 'we':
    case 'us':
      noteHere(done, persons);
      return { ids: persons.we.length > 0 && slot.text === 'we' ? persons.we : own, owns: false };
    case 'our':
      return {
        ids: persons.we.length > 0 && !kinshipTerms.has(next?.text ?? '') ? persons.we : own,
        owns: true,
      };
    case 'your':
      return { ids: persons.addressee === null ? [] : [persons.addressee], owns: true };
    case 'he':
    case 'him':
      return { ids: singular('he', done, persons), owns: false };
    case 'she':
      return { ids: singular('she', done, persons), owns: false };
    case 'his':
      return { ids: singular('he', done, persons), owns: true };
    case 'her':
      return { ids: singular('she', done, persons), owns: isOwner(next) };
    case 'they':
      return { ids: plural(done, persons), owns: false };
    case 'their':
      return { ids: plural(done, persons), owns: true };
    default:
      return null;
  }
}

const isOwner = (next: SentenceSlot | undefined): boolean =>
  next?.kind === 'word' &&
  /^\p{L}/u.test(next.text) &&
  (!functionWords.has(next.text) || next.text === 'own' || next.text === 'two');

/**
 * The referent of the same pronoun earlier in the sentence, or the first person mentioned before.
 */
function singular(
  pronoun: string,
  done: readonly SentenceSlot[],
  persons: Persons,
): readonly number[] {
  const people = (slots: readonly SentenceSlot[]): number[] =>
    slots
      .filter(({ type, ids }) => type === 'person' && ids.length === 1)
      .map(({ ids }) => ids[0] as number)
      .filter((id) => id !== persons.speaker);
  const other = persons.byPronoun.get(pronoun === 'he' ? 'she' : 'he');
  const here = people(done);
  const before = people(persons.previous);
  const known = persons.byPronoun.get(pronoun);
  const fits = (id: number | undefined): id is number => id !== undefined && id !== other;
  const found = [
    here.find((id) => id === known),
    here.find(fits),
    before.find((id) => id === known),
    before.find(fits),
    known,
  ].find((id) => id !== undefined);
  if (found === undefined) return [];
  persons.byPronoun.set(pronoun, found);
  return [found];
}

/** Two people mentioned just before, or else the last organisation. */
function plural(done: readonly SentenceSlot[], persons: Persons): readonly number[] {
  for (const slots of [done, persons.previous]) {
    const people = slots.filter(({ type }) => type === 'person').flatMap(({ ids }) => ids);
    const distinct = [...new Set(people)].filter((id) => id !== persons.speaker);
    const company = slots.findLast(({ type }) => type === 'organization');
    if (distinct.length === 2 && slots === done) return distinct;
    if (company) return company.ids.slice(0, 1);
    if (distinct.length === 2) return distinct;
  }
  return [];
}

/** "<p:1> , <p:2> and <p:3>" as one slot. */
function withLists(slots: readonly SentenceSlot[]): SentenceSlot[] {
  const done: SentenceSlot[] = [];
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] as SentenceSlot;
    const end = slot.kind === 'name' ? listEnd(slots, at) : at + 1;
    if (end === at + 1) {
      done.push(slot);
      continue;
    }
    const ids = slots.slice(at, end).flatMap((one) => (one.kind === 'name' ? one.ids : []));
    const last = slots[end - 1] as SentenceSlot;
    const type = slot.type as NamedEntityType;
    done.push({
      text: signOf(type, [...new Set(ids)]),
      kind: 'group',
      type,
      ids: [...new Set(ids)],
      start: slot.start,
      end: last.end,
    });
    at = end - 1;
  }
  return done;
}

const listMax = 8;

/** The index after a list of names of one type that ends with "and" or "&". */
function listEnd(slots: readonly SentenceSlot[], from: number): number {
  const type = slots[from]?.type;
  const isOne = (at: number): boolean =>
    slots[at]?.kind === 'name' && slots[at]?.type === type && slots[at + 1]?.text !== "'s";
  if (!isOne(from)) return from + 1;
  let at = from + 1;
  for (let count = 1; count < listMax; count += 1) {
    const text = slots[at]?.text ?? '';
    if (/^(?:and|&|or)$/.test(text) && isOne(at + 1)) return at + 2;
    if (text === ',' && slots[at + 1]?.text === 'and' && isOne(at + 2)) return at + 3;
    if (text === '/' && isOne(at + 1)) return at + 2;
    if (text !== ',' || !isOne(at + 1)) return from + 1;
    at += 2;
  }
  return from + 1;
}
