import { functionWords } from './lexicon/non-name-words.ts';
import { wordPattern } from './lexicon/word-lists.ts';
import type { SentenceSlot, SlottedSentence } from './slotted-sentences.ts';

const reach = 26;
const prepositions = wordPattern(`
  in at of from to with for by on near than about into over under after before until since
  via through like without against around between`);
const light = wordPattern(`
  who which that , \\( \\) has have had is was are were be been am being now still also already
  only just currently both mainly mostly and then always often usually sometimes does do did first
  once himself herself themselves recently since soon all each again no longer not`);

const verbal = /(?:ing|ed|ly)$|^(?:started|began|keeps|kept|likes|loves|enjoys|likely|lead|team)$/;

/**
 * The slot of a verb's subject: the name right before it, or the first of the clause that is not
 * bound by a preposition or a possessive. Null if none has the right type, or if a common noun is
 * before the verb.
 */
export function findVerbSubject(
  sentence: SlottedSentence,
  verb: number,
  letters: string,
): SentenceSlot | null {
  const { slots } = sentence;
  let direct = true;
  let found: SentenceSlot | null = null;
  for (let at = verb - 1; at >= Math.max(0, verb - reach); at -= 1) {
    const slot = slots[at] as SentenceSlot;
    if (slot.kind === 'name' || slot.kind === 'group') {
      const accepts = accepted(slots, at, letters, direct);
      if (accepts && direct) return accepts;
      found = accepts ?? found;
      direct = false;
      continue;
    }
    if (/^[;.?!]$/.test(slot.text)) break;
    // "Ana: uses" is about a person, "Note: uses" is not.
    if (slot.text === ':')
      return found ?? (at <= 2 ? accepted(slots, at - 1, letters, true) : null);
    if (direct && isNoun(slots, at, verb)) return null;
    if (!light.test(slot.text)) direct = false;
  }
  return found;
}

/** "the fund sits in": the word right before the verb is not an adverb, verb or conjunction. */
const isNoun = (slots: readonly SentenceSlot[], at: number, verb: number): boolean => {
  const { text, kind } = slots[at] as SentenceSlot;
  if (kind !== 'word' || light.test(text) || verbal.test(text)) return false;
  return at === verb - 1 && /^\p{L}/u.test(text) && !functionWords.has(text);
};

function accepted(
  slots: readonly SentenceSlot[],
  at: number,
  letters: string,
  direct: boolean,
): SentenceSlot | null {
  const slot = slots[at];
  if (!slot || !hasAllowedType(slot, letters)) return null;
  const next = slots[at + 1]?.text ?? '';
  if (next === "'s") return null;
  const before = slots[at - 1]?.text ?? '';
  // "by Ritu, who …" is about Ritu; "at Acme uses" is not about Acme.
  const past = next === ',' ? (slots[at + 2]?.text ?? '') : next;
  if (direct && /^(?:who|which|that)$/.test(past)) return slot;
  if (
    prepositions.test(before) ||
    (before === 'the' && prepositions.test(slots[at - 2]?.text ?? ''))
  ) {
    // "We at Cirque Boréal use": the speakers are the company.
    return slot.type === 'organization' && slots[at - 2]?.isPlural ? slot : null;
  }
  if (slot.isPlural && next === 'at' && slots[at + 2]?.type === 'organization') return null;
  return slot;
}

/** Whether a slot's type is among the letters; "u" are units of organisations. */
export const hasAllowedType = (slot: SentenceSlot, letters: string): boolean => {
  const letter = /^<([a-z]):/.exec(slot.text)?.[1] ?? '';
  return letters.includes(letter) || (letters === 'u' && letter === 'o');
};
