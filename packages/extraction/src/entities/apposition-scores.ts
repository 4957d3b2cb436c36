import { type NameCandidate, normalizedWordAt, type TokenizedText, wordAt } from './candidates.ts';
import { wordSet } from './lexicon/word-lists.ts';
import type { NamedEntityType, TypeScores } from './type-scores.ts';

/** Common nouns that classify a name, by entity type. */
const nouns: Readonly<Partial<Record<NamedEntityType, ReadonlySet<string>>>> = {
  organization: wordSet(`
    company companies firm startup start-up consultancy agency bank insurer retailer supplier
    vendor manufacturer maker publisher broadcaster newspaper magazine university college school
    hospital clinic charity nonprofit ngo foundation institute cooperative co-op collective union
    brewery bakery restaurant cafe employer subsidiary contractor distributor operator carrier
    airline shipyard studio competitor rival band orchestra choir club ministry regulator
    shop bookshop pharmacy hotel pub gallery museum church theatre orphanage
    wholesaler broker caterer utility conglomerate spin-off spinoff outfit partnership
    association federation dealer lender builder chain`),
  location: wordSet(`
    town village city suburb hamlet borough county province region island river lake mountain
    valley neighbourhood neighborhood district street square beach port peninsula capital`),
  product: wordSet(`
    app application tool database editor framework library language-server service platform
    software package plugin plug-in extension browser phone laptop tablet camera printer car van
    truck bike bicycle motorbike scooter boat yacht tractor microscope scanner drug medicine
    antibiotic painkiller vaccine console keyboard router synth synthesizer telescope drone
    ventilator ide cli compiler linter bundler crm erp spreadsheet`),
  event: wordSet(`
    conference festival meetup workshop summit hackathon marathon tournament fair expo exhibition
    regatta retreat gala symposium convention race`),
};

const articles = wordSet('a an the our my his her their its another your');
const copulas = wordSet('is was are were');
const stops = wordSet(`
  of in at for with from by to on that who which and or where when near called named based about
  is was are were has had have than as`);
const groupMax = 6;

/** The entity type of a common noun. */
function typeOf(noun: string): NamedEntityType | null {
  for (const [type, known] of Object.entries(nouns))
    if (known.has(noun)) return type as NamedEntityType;
  return null;
}

/** "the startup Velo", "a cooperative called Velo", "Velo, our printer", "Velo is a brewery". */
export function scoreTypesByApposition(
  scores: TypeScores,
  reading: TokenizedText,
  candidate: NameCandidate,
): void {
  const before = headBefore(reading, candidate.from);
  const behind = headBehind(reading, candidate.to);
  for (const head of [before, behind]) {
    const type = head ? typeOf(head) : null;
    if (!type) continue;
    scores[type] += 2.4;
    if (type !== 'organization') scores.organization -= 0.4;
    scores.person -= 1.5;
  }
}

function headBefore(reading: TokenizedText, from: number): string | null {
  const sentence = wordAt(reading, from)?.sentence;
  let at = from - 1;
  if (/^["'“”‘(]$/.test(normalizedWordAt(reading, at))) at -= 1;
  if (normalizedWordAt(reading, at) === 'called' || normalizedWordAt(reading, at) === 'named')
    at -= 1;
  const word = wordAt(reading, at);
  if (word?.kind !== 'word' || word.sentence !== sentence || word.capital) return null;
  return word.plain;
}

/** The last noun of the group after a comma or "is", up to the first preposition. */
function headBehind(reading: TokenizedText, to: number): string | null {
  const link = normalizedWordAt(reading, to);
  if (link !== ',' && !copulas.has(link)) return null;
  if (!articles.has(normalizedWordAt(reading, to + 1))) return null;
  let head: string | null = null;
  for (let at = to + 2; at < to + 2 + groupMax; at += 1) {
    const word = wordAt(reading, at);
    if (word?.kind !== 'word' || word.capital || stops.has(word.plain)) break;
    if (word.plain === "'s") return null;
    head = word.plain;
  }
  return head;
}
