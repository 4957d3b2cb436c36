import type { AnswerText } from './answer.ts';
import type { KeptPart } from './content.ts';
import type { MailRecord } from './store/mails.ts';

/** A mail as far as it is understood. */
export interface Reading {
  readonly mail: MailRecord;
  readonly parts: readonly KeptPart[];
  /** Of the space that it names; undefined: it names none. */
  readonly spaceId: string | undefined;
  /** Written by a person, as far as its header tells. */
  readonly isPersonal: boolean;
}

/** How a mail ends. */
export interface Ending {
  readonly answer?: AnswerText;
  /** What it stored, or what it is about. */
  readonly memoryId?: string;
  /** Why it came to nothing; completed otherwise. */
  readonly failure?: string;
  /** Why its sender may not do that. */
  readonly refusal?: string;
  /** By the number of the attachment, what it became. */
  readonly partMemories?: ReadonlyMap<number, string>;
}

/** Refused without a word to its sender. */
export class Unanswerable extends Error {
  override readonly name = 'Unanswerable';
}
