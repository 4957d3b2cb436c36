import {
  getCandidateText,
  getNormalizedCandidateText,
  type NameCandidate,
  type TokenizedText,
} from './candidates.ts';
import type { EntityMention } from './entity-typing.ts';
import { companyForms } from './lexicon/organizations.ts';
import type { NamedEntityType } from './type-scores.ts';

/** One entity of the text, with its mentions. */
export interface NamedEntity {
  readonly type: NamedEntityType;
  readonly name: string;
  readonly mentions: readonly NameCandidate[];
  readonly confidence: number;
}

interface EntityBuilder {
  type: NamedEntityType;
  name: string;
  plains: string[];
  mentions: NameCandidate[];
  confidence: number;
}

/** Groups mentions by entity: the longest form is the name. */
export function groupMentions(
  reading: TokenizedText,
  mentions: readonly EntityMention[],
): NamedEntity[] {
  const groups: EntityBuilder[] = [];
  const byLength = mentions.toSorted(
    (one, other) => other.to - other.from - (one.to - one.from) || one.from - other.from,
  );
  for (const mention of byLength) {
    const plains = partsOf(reading, mention);
    const group = groups.find((known) => isSame(known, mention.type, plains));
    if (group) {
      group.mentions.push(mention);
      group.confidence = Math.max(group.confidence, mention.confidence);
      continue;
    }
    groups.push({
      type: mention.type,
      name: getCandidateText(reading, mention),
      plains,
      mentions: [mention],
      confidence: mention.confidence,
    });
  }
  for (const group of groups) group.mentions.sort((one, other) => one.from - other.from);
  return groups.sort((one, other) => (one.mentions[0]?.from ?? 0) - (other.mentions[0]?.from ?? 0));
}

const partsOf = (reading: TokenizedText, mention: NameCandidate): string[] => {
  const parts = getNormalizedCandidateText(reading, mention)
    .split(' ')
    .filter((part) => part !== '.');
  while (parts.length > 1 && companyForms.has(parts.at(-1) as string)) parts.pop();
  return parts;
};

function isSame(group: EntityBuilder, type: NamedEntityType, plains: readonly string[]): boolean {
  if (group.plains.join(' ') === plains.join(' ')) return group.type === type;
  if (type === 'person' && group.type === 'person') return isSamePerson(group.plains, plains);
  if (group.type !== type) return false;
  // "Holm Marine" and "Holm" may be two entities; an abbreviation of the words is the same one.
  if (type === 'organization' && plains.length === 1 && group.plains.length > 1) {
    return isAbbreviation(group.plains, plains[0] as string);
  }
  // "the Leaf" of "Nissan Leaf".
  return type === 'product' && plains.length === 1 && group.plains.at(-1) === plains[0];
}

/** "Ingrid" or "Solberg" for Ingrid Solberg, "J. Patel" for Jay Patel, "JRP" for J. R. Patel. */
function isSamePerson(full: readonly string[], short: readonly string[]): boolean {
  if (full.length < 2) return false;
  if (short.length === 1) {
    const [only] = short as [string];
    if (full[0] === only || full.at(-1) === only) return true;
    return only.length > 1 && isAbbreviation(full, only);
  }
  const [one, other] = [full[0] as string, short[0] as string];
  if (full.at(-1) !== short.at(-1)) return false;
  const initial = other.length <= 2 || one.length <= 2;
  return initial && one[0] === other[0];
}

const isAbbreviation = (full: readonly string[], short: string): boolean =>
  full.length > 1 &&
  short.length === full.length &&
  full.every((part, at) => part[0] === short[at]);
