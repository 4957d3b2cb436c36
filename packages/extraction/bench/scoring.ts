import type { ExtractedEntity, ExtractedFact, Extraction } from '../src/types.ts';
import type { LabelledEntity, LabelledFact, LabelledText } from './labels.ts';

/** Found and right, found, and to be found. */
export class Tally {
  correct = 0;
  found = 0;
  labelled = 0;

  get precision(): number {
    return this.found === 0 ? 1 : this.correct / this.found;
  }

  get recall(): number {
    return this.labelled === 0 ? 1 : this.correct / this.labelled;
  }
}

/** What one text adds, and what of it was wrong or not found, for tuning. */
export interface ScoredText {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly misses: readonly string[];
}

const titles = new Set(
  (
    'mr mrs ms miss dr prof professor sir dame sr fr herr frau monsieur madame signor signora ' +
    'señor señora don dona doña the'
  ).split(' '),
);
const forms = new Set(
  'inc ltd llc plc corp corporation gmbh ag co limited sa s.a. ab bv'.split(' '),
);

/** A name without case, punctuation, honorifics, leading article and company forms. */
export function normalizeName(name: string): string {
  const words = name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/['’]s\b/gu, '')
    .split(/[^\p{L}\p{N}+#&]+/u)
    .filter((word) => word !== '');
  while (words.length > 1 && titles.has(words[0] as string)) words.shift();
  while (words.length > 1 && forms.has(words.at(-1) as string)) words.pop();
  return words.join(' ');
}

const matches = (label: LabelledEntity, found: ExtractedEntity): boolean =>
  label.type === found.type &&
  [label.name, ...label.mentions].some((name) => normalizeName(name) === normalizeName(found.name));

/** The label's place by the found entity's; each counts once. */
function matchEntities(
  labels: readonly LabelledEntity[],
  found: readonly ExtractedEntity[],
  fits: (label: LabelledEntity, entity: ExtractedEntity) => boolean,
): Map<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const [at, entity] of found.entries()) {
    const place = labels.findIndex((label, i) => !taken.has(i) && fits(label, entity));
    if (place < 0) continue;
    taken.add(place);
    pairs.set(at, place);
  }
  return pairs;
}

const hasSameValue = (label: LabelledEntity, entity: ExtractedEntity): boolean =>
  matches(label, entity) && (label.type !== 'date' || label.value === entity.value);

const symmetric = new Set(['related_to', 'collaborates_with', 'knows']);

/** Scores one text's extraction against its labels. */
export function scoreExtraction(label: LabelledText, extraction: Extraction): ScoredText {
  const tallies = new Map<string, Tally>();
  const tally = (name: string): Tally => {
    const known = tallies.get(name) ?? new Tally();
    tallies.set(name, known);
    return known;
  };
  const misses: string[] = [];
  const pairs = matchEntities(label.entities, extraction.entities, hasSameValue);
  const hit = new Set(pairs.values());
  for (const [at, entity] of extraction.entities.entries()) {
    tally(entity.type).found += 1;
    if (pairs.has(at)) tally(entity.type).correct += 1;
    else misses.push(`+ ${entity.type} ${entity.name}${entity.value ? ` = ${entity.value}` : ''}`);
  }
  for (const [at, entity] of label.entities.entries()) {
    tally(entity.type).labelled += 1;
    if (hit.has(at)) continue;
    misses.push(`- ${entity.type} ${entity.name}${entity.value ? ` = ${entity.value}` : ''}`);
  }
  scoreSpans(label, extraction, tally);
  scoreFacts(label, extraction, tally, misses);
  return { tallies, misses };
}

/** Dates by their words alone, and values where the words are right. */
function scoreSpans(
  label: LabelledText,
  extraction: Extraction,
  tally: (name: string) => Tally,
): void {
  const dates = label.entities.filter(({ type }) => type === 'date');
  const found = extraction.entities.filter(({ type }) => type === 'date');
  const pairs = matchEntities(dates, found, matches);
  const [spans, values] = [tally('date spans'), tally('date values')];
  spans.found += found.length;
  spans.labelled += dates.length;
  spans.correct += pairs.size;
  values.found += pairs.size;
  values.labelled += pairs.size;
  for (const [at, place] of pairs) {
    if (found[at]?.value === dates[place]?.value) values.correct += 1;
  }
}

function scoreFacts(
  label: LabelledText,
  { entities, facts }: Extraction,
  tally: (name: string) => Tally,
  misses: string[],
): void {
  const same = (name: string, at: number): boolean => {
    const entity = entities[at];
    if (!entity) return false;
    const labelled = label.entities.find((one) => one.name === name);
    const names = [name, ...(labelled?.mentions ?? [])].map(normalizeName);
    return (
      names.includes(normalizeName(entity.name)) && (labelled?.type ?? entity.type) === entity.type
    );
  };
  const fits = (one: LabelledFact, fact: ExtractedFact): boolean =>
    one.predicate === fact.predicate &&
    ((same(one.subject, fact.subject) && same(one.object, fact.object)) ||
      (symmetric.has(one.predicate) &&
        same(one.subject, fact.object) &&
        same(one.object, fact.subject)));
  const taken = new Set<number>();
  const nameOf = (at: number): string => entities[at]?.name ?? '?';
  for (const fact of facts) {
    tally('facts').found += 1;
    tally(fact.predicate).found += 1;
    const place = label.facts.findIndex((one, at) => !taken.has(at) && fits(one, fact));
    if (place < 0) {
      misses.push(`+ ${nameOf(fact.subject)} ${fact.predicate} ${nameOf(fact.object)}`);
      continue;
    }
    taken.add(place);
    tally('facts').correct += 1;
    tally(fact.predicate).correct += 1;
    scoreTimes(label.facts[place] as LabelledFact, fact, tally, misses);
  }
  for (const [at, fact] of label.facts.entries()) {
    tally('facts').labelled += 1;
    tally(fact.predicate).labelled += 1;
    if (!taken.has(at)) misses.push(`- ${fact.subject} ${fact.predicate} ${fact.object}`);
  }
}

/** Valid times of facts that are right. */
function scoreTimes(
  one: LabelledFact,
  fact: ExtractedFact,
  tally: (name: string) => Tally,
  misses: string[],
): void {
  const ends = [
    ['valid_from', one.valid_from, fact.validFrom],
    ['valid_to', one.valid_to, fact.validTo],
  ] as const;
  for (const [name, told, read] of ends) {
    if (told !== undefined) tally(name).labelled += 1;
    if (read !== undefined) tally(name).found += 1;
    if (told !== undefined && told === read) tally(name).correct += 1;
    else if (told !== read)
      misses.push(`~ ${one.subject} ${one.predicate} ${name} ${told}/${read}`);
  }
}
