import { parseDates } from '@mneme/text';
import type { FactTime } from '../graph/index.ts';

const pastTense = /\b(?:did|was|were)\b/i;
const before = /\b(?:before|until|till|prior to)(?: the)? *$/i;
const after = /\bafter(?: the)? *$/i;

const momentAt = (at: number): Pick<FactTime, 'from' | 'to'> => ({ from: at, to: at + 1 });

/**
 * Which time a question for a fact is about: `asOf`, a time that a question about the past names,
 * or now. In the past tense alone ("where did Ana work?") it may mean what holds, or what has
 * ended.
 */
export function parseFactTime(
  text: string,
  isAboutPast: boolean,
  { now, asOf }: { readonly now: Date; readonly asOf: Date | undefined },
): FactTime {
  if (asOf !== undefined) return { ...momentAt(asOf.getTime()), wanted: 'held' };
  const present = momentAt(now.getTime());
  if (!isAboutPast && !pastTense.test(text)) return { ...present, wanted: 'held' };
  const [named] = parseDates(text, now).toSorted((a, b) => b.to - a.to);
  if (!named) return { ...present, wanted: isAboutPast ? 'ended' : 'held_or_ended' };
  const precedingText = text.slice(0, named.start);
  if (before.test(precedingText)) {
    return { from: Number.NEGATIVE_INFINITY, to: named.from, wanted: 'held' };
  }
  const { from, to } = after.test(precedingText) ? { from: named.to, to: present.to } : named;
  return { from, to: Math.max(to, from + 1), wanted: 'held' };
}
