import {
  canBeNamePart,
  type NameCandidate,
  normalizedWordAt,
  type TokenizedText,
  wordAt,
} from './candidates.ts';
import { functionWords } from './lexicon/non-name-words.ts';
import { roleNouns } from './lexicon/people.ts';
import { lowercaseProductNames } from './lexicon/products.ts';
import { crafts, naturalLanguages, skillHeadNouns } from './lexicon/skills.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import { isRelationshipNoun } from './relationship-nouns.ts';
import type { NamedEntityType } from './type-scores.ts';

const courseWords = wordPattern(`
  trained course certified expert fluent training skilled`);
const verbsBehindNames = wordPattern(`
  is was said says has will and wants thinks knows does did can`);

export interface LowercaseName extends NameCandidate {
  readonly type: NamedEntityType;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const knowing = set(
  `knows know knew learn learns learnt learned learning teach teaches taught coach coaches
  coached teaching study studies
  studied studying practise practises practised practice practices speaks speak master mastered
  enjoys`,
);
const knowingIn = set(
  `fluent expert skilled trained training course courses certified qualified experienced experience
  years degree lessons workshop class classes background versed good great best proficient works
  worked apprenticeship diploma`,
);
const teachers =
  set(`teacher tutor instructor lessons classes class course coach skills gaps ticket certificate
  licence license diploma degree exam`);
const usages = set('uses use using used via runs run with in on from to and or into');

/** Names and skills in lower case. */
export function findLowercaseNames(reading: TokenizedText): LowercaseName[] {
  const found: LowercaseName[] = [];
  for (let at = 0; at < reading.words.length; at += 1) {
    const name =
      skillAt(reading, at) ??
      alsoSkill(reading, at, found.at(-1)) ??
      productAt(reading, at) ??
      chatNameAt(reading, at);
    if (!name) continue;
    found.push(name);
    at = name.to - 1;
  }
  return found;
}

const isSmall = (reading: TokenizedText, at: number): boolean => {
  const word = wordAt(reading, at);
  return word?.kind === 'word' && !word.capital && !reading.dateWords.has(at);
};

/** Listed crafts, and other objects of "know" and "teach". */
function skillAt(reading: TokenizedText, at: number): LowercaseName | null {
  const word = wordAt(reading, at);
  if (word?.kind !== 'word' || (word.capital && !word.first)) return null;
  for (let size = 3; size >= 1; size -= 1) {
    const phrase = reading.words
      .slice(at, at + size)
      .map(({ plain }) => plain)
      .join(' ');
    if (!crafts.has(phrase)) continue;
    if (size > 1 || isKnown(reading, at) || isMastered(reading, at))
      return { from: at, to: at + size, type: 'skill' };
  }
  if (word.capital) return null;
  if (isTaught(reading, at)) return openSkill(reading, at) ?? taughtWord(reading, at);
  if (isMastered(reading, at)) return openSkill(reading, at) ?? masteredNoun(reading, at);
  const the = normalizedWordAt(reading, at - 1) === 'the' ? at - 2 : at - 1;
  const verb = normalizedWordAt(reading, the);
  const plays =
    verb === 'plays' || (verb === 'play' && players.test(normalizedWordAt(reading, the - 1)));
  return plays ? taughtWord(reading, at) : null;
}

/** Whether the words before say that somebody knows, learns or teaches something. */
function isKnown(reading: TokenizedText, at: number): boolean {
  for (let i = at - 1; i >= Math.max(0, at - 4); i -= 1) {
    const plain = normalizedWordAt(reading, i);
    if (knowing.has(plain)) return true;
    if (/^(?:in|at|on|for)$/.test(plain) && knowingIn.has(normalizedWordAt(reading, i - 1)))
      return true;
    if (/^(?:started|starts|does|did|done|doing)$/.test(plain)) return i === at - 1;
    if (/[.;:!?]/.test(plain)) return false;
  }
  return teachers.has(normalizedWordAt(reading, at + 1));
}

const isTaught = (reading: TokenizedText, at: number): boolean => {
  const before = normalizedWordAt(reading, at - 1);
  if (knowing.has(before) && !/^(?:know|knew|enjoys|master|speak)$/.test(before)) return true;
  const earlier = normalizedWordAt(reading, at - 2);
  return before === 'in' && courseWords.test(earlier);
};

const masteries = set(
  `belt knack talent flair gift passion good great brilliant excellent best better terrible hopeless
  expert skilled experienced certified qualified proficient adept competent versed certificate
  diploma degree ticket licence license qualification experience background expertise training
  course courses class classes workshop apprenticeship specialises specializes specialised
  specialized excels fluent lessons gifted handy mastery doctorate grounding knowledge command grasp
  understanding smattering`,
);
const takenUp = /^(?:picked|took|taken|takes|taking|picking|picks) up$/;

/** Whether the words before express mastery: "a knack for", "took up". */
function isMastered(reading: TokenizedText, at: number): boolean {
  const [one, two, three] = [1, 2, 3].map((back) => normalizedWordAt(reading, at - back)) as [
    string,
    string,
    string,
  ];
  if (/^(?:in|at|for|with|of)$/.test(one) && masteries.has(two)) return true;
  if (/^(?:some|basic|advanced|the|a|his|her|their|my)$/.test(one)) {
    if (/^(?:in|at|for|with|of)$/.test(two) && masteries.has(three)) return true;
    return takenUp.test(`${three} ${two}`) || (knowing.has(two) && one !== 'the');
  }
  return takenUp.test(`${two} ${one}`);
}

/** "knitting and rope making": the next skill of a list. */
function alsoSkill(
  reading: TokenizedText,
  at: number,
  last: LowercaseName | undefined,
): LowercaseName | null {
  if (last?.type !== 'skill' || last.to >= at || at - last.to > 4) return null;
  const gap = reading.words.slice(last.to, at).map(({ plain }) => plain);
  if (!/^(?:,|and|or|but|, and|, less so at|, also|and also|and some)$/.test(gap.join(' '))) {
    return null;
  }
  const one = normalizedWordAt(reading, at);
  if (isSmall(reading, at) && crafts.has(one)) return { from: at, to: at + 1, type: 'skill' };
  return openSkill(reading, at);
}

/** A common noun group after "certified in", "a knack for": "tropical medicine". */
function masteredNoun(reading: TokenizedText, at: number): LowercaseName | null {
  const strict = /^(?:in|for)$/.test(normalizedWordAt(reading, at - 1));
  if (!strict || !surely.has(normalizedWordAt(reading, at - 2))) return null;
  for (let size = 3; size >= 1; size -= 1) {
    const words = reading.words.slice(at, at + size);
    if (words.length < size || words.some(({ kind, capital }) => kind !== 'word' || capital)) {
      continue;
    }
    if (words.some(({ plain }) => functionWords.has(plain) || nobody.has(plain))) continue;
    const next = normalizedWordAt(reading, at + size);
    if (next === '' || /^(?:[.,;:!?)]|and|but|or|at|from)$/.test(next)) {
      return { from: at, to: at + size, type: 'skill' };
    }
  }
  return null;
}

const surely = set(
  `knack talent flair certified qualified fluent conversant proficient certificate diploma degree
  expert skilled versed specialises specializes specialised specialized excels adept
  apprenticeship qualification licence license lessons grounding background experience`,
);
const players = /^(?:i|we|they|you|to|and|can|both|also|who|still)$/;
const nobody = set(
  `people kids children students pupils classes everyone something everything more today a lot much
  them us me him her how part role parts games music that when why which home house outside well
  again together full both there`,
);

/** One common noun after "teaches" or "plays": "teaches flamenco", "plays the tabla". */
function taughtWord(reading: TokenizedText, at: number): LowercaseName | null {
  const { plain } = reading.words[at] as { plain: string };
  if (/^stud/.test(normalizedWordAt(reading, at - 1))) return null;
  if (nobody.has(plain) || functionWords.has(plain) || plain.length < 4) return null;
  const next = normalizedWordAt(reading, at + 1);
  const ends = next === '' || /^(?:[.,;:!?)]|and|but|at|with|in|since|for|to)$/.test(next);
  return ends ? { from: at, to: at + 1, type: 'skill' } : null;
}

/** One to three words after "knows" with the ending of a skill: "knows net mending". */
function openSkill(reading: TokenizedText, at: number): LowercaseName | null {
  for (let size = 3; size >= 1; size -= 1) {
    const words = reading.words.slice(at, at + size);
    if (words.length < size || words.some(({ kind, capital }) => kind !== 'word' || capital))
      continue;
    if (words.some(({ plain }) => functionWords.has(plain) || roleNouns.has(plain))) continue;
    const last = words.at(-1)?.plain ?? '';
    const next = normalizedWordAt(reading, at + size);
    const ends = next === '' || /^(?:[.,;:!?)]|and|but|or|at|for|with|in|on|from|to)$/.test(next);
    if (ends && (skillHeadNouns.has(last) || (/ing$/.test(last) && last.length > 5))) {
      return { from: at, to: at + size, type: 'skill' };
    }
  }
  return null;
}

function productAt(reading: TokenizedText, at: number): LowercaseName | null {
  const word = wordAt(reading, at);
  if (!word || !isSmall(reading, at)) return null;
  const company = /^(?:at|joined|left|joins|quit)$/.test(normalizedWordAt(reading, at - 1));
  if (company && lowercaseProductNames.has(word.plain)) {
    return { from: at, to: at + 1, type: 'organization' };
  }
  if (lowercaseProductNames.has(word.plain)) return { from: at, to: at + 1, type: 'product' };
  const shell = wordPattern(`
  fish bash make go spark helm vault jest yarn bazel maven gradle rails`);
  const used = /^(?:uses|using)$/.test(normalizedWordAt(reading, at - 1));
  return used && shell.test(word.plain) ? { from: at, to: at + 1, type: 'product' } : null;
}

/** Chats without capitals: given names, places after "in", companies after "from" and "at". */
function chatNameAt(reading: TokenizedText, at: number): LowercaseName | null {
  const word = wordAt(reading, at);
  const before = normalizedWordAt(reading, at - 1);
  if (word?.kind === 'word' && before === '@' && word.glued && !canBeNamePart(reading, at)) {
    return { from: at, to: at + 1, type: 'person' };
  }
  if (!reading.isLowercase || !isSmall(reading, at) || !word) return null;
  const { plain } = word;
  const { gazetteer } = reading;
  if (functionWords.has(plain) || plain.length < 3) return null;
  const one = { from: at, to: at + 1 };
  const strange = strangerAt(reading, at, before);
  if (strange) return { ...one, type: strange };
  const led = wordPattern(`
  met with and ask asked told from by saw for to called`).test(before);
  const kin = isRelationshipNoun(before) || roleNouns.has(before);
  if (
    gazetteer.isGivenName(plain) &&
    !gazetteer.isEverydayWord(plain) &&
    !gazetteer.isOrganization(plain)
  ) {
    if (!gazetteer.isEnglishWord(plain) || led || kin || isVerbNext(reading, at)) {
      return { ...one, type: 'person' };
    }
  }
  if (naturalLanguages.has(plain) && knowing.has(before)) return { ...one, type: 'skill' };
  if (/^(?:in|to|from|near)$/.test(before) && gazetteer.isPlace(plain) && plain.length > 3) {
    return { ...one, type: 'location' };
  }
  const company = gazetteer.isOrganization(plain) && !gazetteer.isEverydayWord(plain);
  if (
    company ||
    (gazetteer.isOrganization(plain) && /^(?:from|at|for|joined|left)$/.test(before))
  ) {
    return { ...one, type: 'organization' };
  }
  return gazetteer.isProduct(plain) && !gazetteer.isEnglishWord(plain) && usages.has(before)
    ? { ...one, type: 'product' }
    : null;
}

/** A word in no dictionary, typed by the word before it: "met tunde from stripe". */
function strangerAt(reading: TokenizedText, at: number, before: string): NamedEntityType | null {
  const { gazetteer } = reading;
  const plain = normalizedWordAt(reading, at);
  if (gazetteer.isEnglishWord(plain) && !(gazetteer.isOrganization(plain) && before !== 'the'))
    return null;
  if (/[\d']/.test(plain) || isLaughter.test(plain)) return null;
  if (isRelationshipNoun(before) || /^(?:met|ask|asked|told|tell|saw|called|ping)$/.test(before)) {
    return gazetteer.isOrganization(plain) ? null : 'person';
  }
  const person = normalizedWordAt(reading, at - 2);
  if (/^(?:left|joined|joins|quit)$/.test(before)) return 'organization';
  if (/^(?:at|for)$/.test(before) && /^work/.test(person)) return 'organization';
  if (before === 'from' && !gazetteer.isEnglishWord(person) && person.length > 2)
    return 'organization';
  return null;
}

/** Interjections and abbreviations that are frequent in chats. */
const isLaughter = wordPattern(`
  lo+l (?:ha|he|hi)+h? hm+ o?mg thx pls plz btw idk imo tbh ok(?:ay)? ya+y ugh tho gonna wanna
  gotta dunno ur u ppl rn bc cuz sry np ty asap wtf lmao rofl atm afaik fyi iirc nvm nope yep yup
  yeah dm dms`);

const isVerbNext = (reading: TokenizedText, at: number): boolean =>
  verbsBehindNames.test(normalizedWordAt(reading, at + 1));
