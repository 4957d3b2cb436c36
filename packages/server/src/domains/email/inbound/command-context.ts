import type { AutoReply } from './auto-reply.ts';
import type { StoredPart } from './content.ts';
import type { InboundMailRecord } from './store/mails.ts';

/** A mail as far as it is understood. */
export interface CommandContext {
  readonly mail: InboundMailRecord;
  readonly parts: readonly StoredPart[];
  /** Of the space that it names; undefined: it names none. */
  readonly spaceId: string | undefined;
  /** Written by a person, as far as its header tells. */
  readonly isPersonal: boolean;
}

/** How a mail ends. */
export interface CommandResult {
  readonly reply?: AutoReply;
  /** What it stored, or what it is about. */
  readonly memoryId?: string;
  /** Why it came to nothing; completed otherwise. */
  readonly failure?: string;
  /** Why its sender may not do that. */
  readonly rejection?: string;
  /** By the number of the attachment, what it became. */
  readonly partMemories?: ReadonlyMap<number, string>;
}

/** Refused without a word to its sender. */
export class SilentRejection extends Error {
  override readonly name = 'Unanswerable';
}
