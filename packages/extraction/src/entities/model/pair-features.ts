import { stem } from '@mneme/text';
import {
  colleagues,
  friends,
  honorifics,
  kinshipTerms,
  personSubjectVerbs,
  roleNouns,
  subordinates,
  superiors,
} from '../lexicon/people.ts';
import { isOrganizationalUnit } from '../match-fact-rules.ts';
import type { SentenceSlot } from '../slotted-sentences.ts';
import type { FactCandidatePair } from './fact-candidate-pairs.ts';
import { getWordCluster } from './word-clusters.ts';

/** The facts of the rules for two entities: "works_at >" by their ids. */
export type RuleLabelsByPair = ReadonlyMap<string, readonly string[]>;

export const entityPairKey = (one: number, other: number): string => `${one} ${other}`;

/** A slot reduced to what features use. */
interface SlotFeatures {
  readonly word: string;
  readonly coarse: string;
  readonly fine: string;
  readonly kind: string;
}

const kinds: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['kin', kinshipTerms],
  ['friend', friends],
  ['boss', superiors],
  ['below', subordinates],
  ['colleague', colleagues],
  ['role', roleNouns],
  ['title', honorifics],
  ['acts', personSubjectVerbs],
];
const doubts = new Set(
  `not never no nobody neither nor without if whether unless might may would could should maybe
  perhaps probably wants want wanted hopes plans will gonna longer almost refuses refused declined
  used former formerly ex previously once until`.split(/\s+/),
);
const none: SlotFeatures = { word: '|', coarse: '|', fine: '|', kind: '' };

const letterOf = ({ type, kind, ids }: SentenceSlot): string =>
  kind === 'date' ? 'd' : `${(type ?? '?').slice(0, 2)}${ids.length > 1 ? '+' : ''}`;

function seen(slot: SentenceSlot | undefined): SlotFeatures {
  if (!slot) return none;
  if (slot.kind !== 'word')
    return {
      word: `<${letterOf(slot)}>`,
      coarse: `<${letterOf(slot)}>`,
      fine: `<${letterOf(slot)}>`,
      kind: '',
    };
  const found = getWordCluster(slot.text);
  const kind = kinds.find(([, words]) => words.has(slot.text))?.[0] ?? '';
  return {
    word: stem(slot.text).slice(0, 30),
    coarse: found ? String(found.coarse) : '-',
    fine: found ? String(found.fine) : '-',
    kind,
  };
}

/** Features of a pair of names, including the facts of the rules. */
export function extractPairFeatures(
  pair: FactCandidatePair,
  verdicts: RuleLabelsByPair,
  names: readonly string[],
): string[] {
  const { slots, one, other, kind } = pair;
  const [first, second] = [slots[one] as SentenceSlot, slots[other] as SentenceSlot];
  const types = `${kind[0]} ${letterOf(first)} ${letterOf(second)}`;
  const between = slots.slice(one + 1, other).map(seen);
  const before = [1, 2, 3].map((on) => seen(slots[one - on]));
  const after = [1, 2, 3].map((on) => seen(slots[other + on]));
  const features: string[] = ['bias', types];
  const add = (feature: string): void => {
    features.push(feature, `${types} ${feature}`);
  };
  addBetween(add, between);
  addAround(add, before, after);
  addGovernors(add, pair);
  addDistance(add, pair);
  addRivals(add, pair);
  addNames(add, pair, names);
  addDoubts(add, pair);
  addVerdicts(add, pair, verdicts);
  return features;
}

type Add = (feature: string) => void;

function addBetween(add: Add, between: readonly SlotFeatures[]): void {
  const words = between.map(({ word }) => word);
  if (between.length <= 6) {
    add(`all ${words.join(' ')}`);
    add(`allc ${between.map(({ coarse }) => coarse).join(' ')}`);
    add(`allk ${between.map(({ kind, fine }) => kind || fine).join(' ')}`);
  }
  for (const [at, { word, coarse, fine, kind }] of between.entries()) {
    const next = between[at + 1] ?? none;
    add(`b ${word}`);
    add(`bf ${fine}`);
    add(`bc ${coarse}`);
    if (kind !== '') add(`bk ${kind}`);
    add(`bb ${word} ${next.word}`);
    add(`bff ${kind || fine} ${next.word}`);
  }
  const [first = none, last = none] = [between[0], between.at(-1)];
  add(`bfirst ${first.word}`);
  add(`bfirstf ${first.kind || first.fine}`);
  add(`blast ${last.word}`);
  add(`blast2 ${between.at(-2)?.word ?? '|'} ${last.word}`);
  add(`blast2f ${between.at(-2)?.kind || between.at(-2)?.fine || '|'} ${last.word}`);
  add(`bends ${first.word} ${last.word}`);
  add(`bendsf ${first.kind || first.fine} ${last.word}`);
}

function addAround(
  add: Add,
  before: readonly SlotFeatures[],
  after: readonly SlotFeatures[],
): void {
  const [one = none, two = none, three = none] = before;
  add(`x ${one.word}`);
  add(`xf ${one.kind || one.fine}`);
  add(`xx ${two.word} ${one.word}`);
  add(`xxf ${two.kind || two.fine} ${one.kind || one.fine}`);
  add(`xbag ${two.kind || two.fine}`);
  add(`xbag ${three.kind || three.fine}`);
  const [next = none, past = none, later = none] = after;
  add(`y ${next.word}`);
  add(`yf ${next.kind || next.fine}`);
  add(`yy ${next.word} ${past.word}`);
  add(`yyf ${next.kind || next.fine} ${past.kind || past.fine}`);
  add(`ybag ${past.kind || past.fine}`);
  add(`ybag ${later.kind || later.fine}`);
  add(`xy ${one.word} ${next.word}`);
}

const light = new Set(
  `the a an this that his her their our my its your new old own same former big small young also
  still now just only both currently mostly mainly really very s`.split(/\s+/),
);
const links = new Set(
  `in at of from to with for by on near than about into over under after before as via through like
  without against around between out off`.split(/\s+/),
);

/** The governor of a slot: the preposition before it, and the first content word before that. */
function governorOf(
  slots: readonly SentenceSlot[],
  at: number,
  down: number,
): { link: string; head: SlotFeatures } {
  let link = '';
  for (let place = at - 1; place >= Math.max(down, at - 9); place -= 1) {
    const slot = slots[place] as SentenceSlot;
    if (slot.kind !== 'word') return { link, head: seen(slot) };
    if (links.has(slot.text)) link = `${slot.text} ${link}`.slice(0, 20);
    else if (!light.has(slot.text)) return { link, head: seen(slot) };
  }
  return { link, head: none };
}

/** The governors of both, and the first possible verbs of the earlier one. */
function addGovernors(add: Add, { slots, one, other }: FactCandidatePair): void {
  const [to, from] = [governorOf(slots, other, one), governorOf(slots, one, 0)];
  add(`g ${to.link}${to.head.word}`);
  add(`gf ${to.link}${to.head.kind || to.head.fine}`);
  add(`gc ${to.link}${to.head.coarse}`);
  add(`gh ${to.head.kind || to.head.fine}`);
  add(`glink ${from.link}> ${to.link}`);
  add(`gx ${from.link}${from.head.kind || from.head.fine}`);
  const acts = slots
    .slice(one + 1, other)
    .filter(({ kind, text }) => kind === 'word' && !light.has(text) && !links.has(text))
    .map(seen);
  const [first = none, last = none] = [acts[0], acts.at(-1)];
  add(`act ${first.kind || first.fine} ${to.link}`);
  add(`act2 ${first.fine} ${last.fine}`);
  add(`acts ${Math.min(6, acts.length)}`);
  const short = acts.slice(0, 4).map(({ kind, fine }) => kind || fine);
  add(`path ${short.join(' ')} ${to.link}`);
}

/** The last words of the names: teams have members, and companies employees. */
function addNames(
  add: Add,
  { slots, one, other }: FactCandidatePair,
  names: readonly string[],
): void {
  for (const [mark, at] of [
    ['n', one],
    ['m', other],
  ] as const) {
    const name = names[slots[at]?.ids[0] ?? -1] ?? '';
    const last = name.toLowerCase().split(' ').at(-1) ?? '';
    const found = getWordCluster(last);
    if (slots[at]?.type === 'organization') {
      add(`${mark} unit ${isOrganizationalUnit(name)}`);
      add(`${mark} ${last}`);
      add(`${mark} ${found?.fine ?? '-'}`);
    }
    add(`${mark} words ${Math.min(3, name.split(' ').length)}`);
  }
}

const few = (count: number): number => Math.min(2, count);

/** Other entities that could replace one of the pair. */
function addRivals(add: Add, { slots, one, other }: FactCandidatePair): void {
  const like = (to: SentenceSlot | undefined, from: number, end: number): number =>
    slots
      .slice(Math.max(0, from), end)
      .filter(({ type, kind }) => kind !== 'date' && type === to?.type).length;
  add(`rivals ${few(like(slots[one], one + 1, other))} ${few(like(slots[other], one + 1, other))}`);
  add(`rivals before ${Math.min(2, like(slots[one], one - 8, one))}`);
}

function addDistance(add: Add, { slots, one, other }: FactCandidatePair): void {
  const names = slots
    .slice(one + 1, other)
    .filter(({ kind }) => kind === 'name' || kind === 'group');
  const far = other - one;
  add(`far ${far < 8 ? far : far < 14 ? 'mid' : 'long'}`);
  add(`names ${Math.min(3, names.length)} ${names.map(letterOf).slice(0, 3).join(' ')}`);
  if (slots.slice(one + 1, other).some(({ text }) => /^[;:/]$/.test(text))) add('parts');
  if (slots.slice(one + 1, other).some(({ text }) => text === ',')) add('comma');
  if (slots.slice(one + 1, other).some(({ text }) => text === 'who' || text === 'which'))
    add('who');
  if (!slots.slice(0, one).some(({ kind }) => kind === 'name' || kind === 'group'))
    add('first name');
  if (other === slots.length - 1) add('last');
  if (slots[one]?.end === slots[one]?.start) add('unsaid');
  if (slots[one]?.isPlural) add('we');
}

function addDoubts(add: Add, { slots, one, other }: FactCandidatePair): void {
  for (const [at, { text }] of slots.entries()) {
    if (at >= other || at < one - 4 || !doubts.has(text)) continue;
    add(at < one ? 'doubt before' : 'doubt');
    add(`doubt ${text}`);
  }
}

/** The facts of the rules for a pair, without and with their confidence. */
export function getRuleLabels(
  { slots, one, other }: FactCandidatePair,
  verdicts: RuleLabelsByPair,
): string[] {
  const [firsts, seconds] = [slots[one]?.ids ?? [], slots[other]?.ids ?? []];
  return firsts.flatMap((id) => seconds.flatMap((to) => verdicts.get(entityPairKey(id, to)) ?? []));
}

function addVerdicts(add: Add, pair: FactCandidatePair, verdicts: RuleLabelsByPair): void {
  const said = getRuleLabels(pair, verdicts);
  for (const verdict of new Set(said)) add(`rule ${verdict}`);
  if (said.length === 0) add('rule none');
}
