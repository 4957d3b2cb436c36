import { splitSentences, truncateText } from '@mneme/text';
import type { StatementKind } from '../types.ts';
import { attributeOf } from './attribute.ts';
import { classifySentence } from './classify.ts';
import { cleanSentence, isCode, withoutQuotations } from './clean.ts';

/** A sentence that states something that lasts. */
export interface FoundStatement {
  readonly content: string;
  readonly kind: StatementKind;
  /** What it gives a value to; see `attributeOf`. */
  readonly attribute: string | null;
}

/** What the first 20,000 characters of a text state, sentence by sentence, in its words. */
export const findStatements = (text: string): FoundStatement[] =>
  splitSentences(withoutQuotations(truncateText(text))).flatMap((sentence): FoundStatement[] => {
    if (isCode(sentence.text)) return [];
    const content = cleanSentence(sentence.text);
    const kind = classifySentence(content);
    return kind ? [{ content, kind, attribute: attributeOf(content) }] : [];
  });
