import { getNormalizedCandidateText, type TokenizedText } from '../candidates.ts';
import type { EntityMention } from '../entity-typing.ts';

/**
 * Equal words have one type in a text: each form gets its most confident type, and is also found at
 * its other occurrences; so are parts of people's names.
 */
export function unifyMentionTypes(
  reading: TokenizedText,
  mentions: readonly EntityMention[],
): EntityMention[] {
  const forms = new Map<string, EntityMention>();
  const note = (plain: string, mention: EntityMention): void => {
    const known = forms.get(plain);
    if (!known || known.confidence < mention.confidence) forms.set(plain, mention);
  };
  for (const mention of mentions) note(getNormalizedCandidateText(reading, mention), mention);
  for (const mention of mentions) {
    const parts = getNormalizedCandidateText(reading, mention).split(' ');
    if (mention.type !== 'person' || parts.length < 2) continue;
    for (const part of [parts[0] as string, parts.at(-1) as string]) {
      if (!forms.has(part)) note(part, mention);
    }
  }
  const same = mentions.map((mention) => {
    const { type, confidence } = forms.get(getNormalizedCandidateText(reading, mention)) ?? mention;
    return { ...mention, type, confidence };
  });
  return [...same, ...others(reading, mentions, forms)].sort(
    (one, other) => one.from - other.from || one.to - other.to,
  );
}

/** Single capitalised words that are a known form and not part of a name yet. */
function others(
  { words, dateWords }: TokenizedText,
  mentions: readonly EntityMention[],
  forms: ReadonlyMap<string, EntityMention>,
): EntityMention[] {
  const covered = new Set(dateWords);
  for (const { from, to } of mentions) for (let at = from; at < to; at += 1) covered.add(at);
  return words.flatMap(({ plain, capital }, at): EntityMention[] => {
    const form = capital && plain.length > 1 && !covered.has(at) ? forms.get(plain) : undefined;
    return form ? [{ from: at, to: at + 1, type: form.type, confidence: form.confidence }] : [];
  });
}
