import type { Sentence, Slot } from './template.ts';

const reach = 26;
const prepositions =
  /^(?:in|at|of|from|to|with|for|by|on|near|than|about|into|over|under|after|before|until|since|via|through|like|without|against|around|between)$/;
const light =
  /^(?:who|which|that|,|has|have|had|is|was|are|were|be|been|am|being|now|still|also|already|only|just|currently|both|mainly|mostly|and|then|always|often|usually|sometimes|does|do|did|first|once|recently|since|soon|all|each|\(|\)|again)$/;

/**
 * The slot that a verb at a place has as its subject: the nearest name to the left of the right
 * type that no preposition or owner's sign binds, within the clause. Null when there is none.
 */
export function subjectOf(sentence: Sentence, verb: number, letters: string): Slot | null {
  const { slots } = sentence;
  let direct = true;
  for (let at = verb - 1; at >= Math.max(0, verb - reach); at -= 1) {
    const slot = slots[at] as Slot;
    if (slot.kind === 'name' || slot.kind === 'group') {
      const found = accepted(slots, at, letters, direct);
      if (found) return found;
      direct = false;
      continue;
    }
    if (slot.text === ';' || slot.text === '.' || slot.text === '?') return null;
    // "Ana: uses" speaks of somebody, "Note: uses" does not.
    if (slot.text === ':') return at > 0 && at <= 2 ? accepted(slots, at - 1, letters, true) : null;
    if (!light.test(slot.text)) direct = false;
  }
  return null;
}

function accepted(
  slots: readonly Slot[],
  at: number,
  letters: string,
  direct: boolean,
): Slot | null {
  const slot = slots[at];
  if (!slot || !fits(slot, letters)) return null;
  const next = slots[at + 1]?.text ?? '';
  if (next === "'s") return null;
  const before = slots[at - 1]?.text ?? '';
  // "by Ritu, who …" is about Ritu; "at Acme uses" is not about Acme.
  if (direct && (next === 'who' || (next === ',' && slots[at + 2]?.text === 'who'))) return slot;
  if (
    prepositions.test(before) ||
    (before === 'the' && prepositions.test(slots[at - 2]?.text ?? ''))
  ) {
    // "We at Cirque Boréal use": the ones who speak are the company.
    return slot.type === 'organization' && slots[at - 2]?.many ? slot : null;
  }
  if (slot.many && next === 'at' && slots[at + 2]?.type === 'organization') return null;
  return slot;
}

/** Whether a slot's type is among the letters; "u" are units of organisations. */
export const fits = (slot: Slot, letters: string): boolean => {
  const letter = /^<([a-z]):/.exec(slot.text)?.[1] ?? '';
  return letters.includes(letter) || (letters === 'u' && letter === 'o');
};
