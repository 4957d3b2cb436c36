import type { DateMention } from './dates.ts';
import type { FactRule } from './rule.ts';
import type { SentenceSlot, SlottedSentence } from './slotted-sentences.ts';

export interface ValidityPeriod {
  readonly from?: string;
  readonly to?: string;
}

const reach = 9;

const startOf = (value: string): string => value.split('/')[0] as string;
const endOf = (value: string): string => value.split('/').at(-1) as string;

/** When a fact holds, by the dates near its words [first, after); `verb` is one of them. */
export function findValidityPeriod(
  sentence: SlottedSentence,
  [first, verb, after]: readonly [number, number, number],
  rule: Pick<FactRule, 'time'>,
  dates: readonly DateMention[],
  at: Date,
): ValidityPeriod {
  const { slots } = sentence;
  const right = datesBeside(slots, after, Math.min(slots.length, after + reach), dates);
  const day = at.toISOString().slice(0, 10);
  const told = merged(right, rule);
  if (slots.some((_, index) => index >= first && index < after && isNoLongerMarker(slots, index)))
    return { to: told.from ?? told.to ?? day };
  if (told.from || told.to) return told;
  const left = datesBeside(slots, Math.max(0, first - reach), first, dates);
  const leads = ['since', 'as of', 'until', 'from'];
  const before = merged(
    left.filter(({ lead }) => leads.includes(lead)),
    rule,
  );
  if (before.from || before.to) return before;
  // "yesterday I met", "on Friday she joined".
  const near = left.at(-1);
  if (near && first - near.place < 5 && rule.time === 'from') return { from: startOf(near.value) };
  // "left A in May and joined B": the second verb shares the first one's date.
  const shared = datesBeside(slots, first, verb, dates).at(-1);
  if (shared && isJoined(slots, shared.place + 1, verb)) {
    const both = merged([shared], rule);
    if (both.from || both.to) return both;
  }
  const used = slots[verb - 1]?.text === 'to' && slots[verb - 2]?.text === 'used';
  const former = slots
    .slice(Math.max(0, verb - 4), after)
    .some(({ text }) => /^(?:former|formerly|previously|ex)$/.test(text));
  if (used || former) return { to: day };
  const perfect = /^(?:has|have)$/.test(slots[verb - 1]?.text ?? '');
  if (rule.time === 'to' && perfect) return { to: day };
  return {};
}

const isJoined = (slots: readonly SentenceSlot[], from: number, verb: number): boolean =>
  verb > from && slots.slice(from, verb).every(({ text }) => /^(?:and|then|,)$/.test(text));

/** Maximum distance between "not" and "any more". */
const moreReach = 9;

/** "no longer", "not … any more" at a position: the fact was true and has ended. */
export function isNoLongerMarker(slots: readonly SentenceSlot[], at: number): boolean {
  const textAt = (index: number): string => slots[index]?.text ?? '';
  const word = textAt(at);
  if (word === 'no') return textAt(at + 1) === 'longer';
  if (word === 'longer') return textAt(at - 1) === 'no';
  if (word !== 'not') return false;
  for (let position = at + 1; position <= at + moreReach; position += 1) {
    if (/^(?:[,;:.]|but|and)$/.test(textAt(position))) return false;
    if (textAt(position) === 'anymore') return true;
    if (textAt(position) === 'any' && /^(?:more|longer)$/.test(textAt(position + 1))) return true;
  }
  return false;
}

interface Beside {
  readonly lead: string;
  readonly value: string;
  readonly place: number;
}

function datesBeside(
  slots: readonly SentenceSlot[],
  from: number,
  to: number,
  dates: readonly DateMention[],
): Beside[] {
  const found: Beside[] = [];
  for (let index = from; index < to; index += 1) {
    const slot = slots[index] as SentenceSlot;
    if (/^[;.?]$/.test(slot.text)) {
      if (found.length > 0) return found;
      if (index > from) break;
    }
    const next = slots[index + 1]?.text;
    if (slot.text === 'since' && next === 'then') {
      const earlier = slots.slice(0, index).findLast(({ kind }) => kind === 'date');
      const value = earlier && dates[earlier.ids[0] as number]?.value;
      if (value) found.push({ lead: 'since', value, place: index });
    }
    if (slot.kind !== 'date') continue;
    const value = dates[slot.ids[0] as number]?.value;
    if (value) found.push({ lead: leadOf(slots, index), value, place: index });
  }
  return found;
}

function leadOf(slots: readonly SentenceSlot[], at: number): string {
  const one = slots[at - 1]?.text ?? '';
  const two = slots[at - 2]?.text ?? '';
  if (one === 'of' && two === 'as') return 'as of';
  if (one === 'the') return two === 'of' && slots[at - 3]?.text === 'as' ? 'as of' : two;
  return one;
}

function merged(found: readonly Beside[], rule: Pick<FactRule, 'time'>): ValidityPeriod {
  const valid: { from?: string; to?: string } = {};
  for (const { lead, value } of found) {
    const none = valid.from === undefined && valid.to === undefined;
    if (lead === 'since' || lead === 'as of' || lead === 'from') {
      // A fact that ended as of a day did not start on it.
      if (rule.time !== 'to') valid.from = startOf(value);
      else if (none) valid.to = endOf(value);
    } else if (lead === 'until' || lead === 'till') valid.to = endOf(value);
    else if (none && rule.time === 'from') valid.from = startOf(value);
    else if (none && rule.time === 'to') valid.to = endOf(value);
  }
  return valid;
}
