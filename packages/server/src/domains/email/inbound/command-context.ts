import type { AutoReply } from './auto-reply.ts';
import type { StoredAttachment } from './content.ts';
import type { InboundMailRecord } from './store/mails.ts';

/** A parsed mail for a command. */
export interface CommandContext {
  readonly mail: InboundMailRecord;
  readonly parts: readonly StoredAttachment[];
  /** Undefined: the mail names no space. */
  readonly spaceId: string | undefined;
  /** The header does not mark the mail as automatic. */
  readonly isPersonal: boolean;
}

/** The outcome of a mail. */
export interface CommandResult {
  readonly reply?: AutoReply;
  /** The memory that it stored or refers to. */
  readonly memoryId?: string;
  /** If set, the mail has failed for this reason. */
  readonly failure?: string;
  /** If set, the mail is rejected for this reason. */
  readonly rejection?: string;
  /** Memory ids by the number of the attachment. */
  readonly partMemories?: ReadonlyMap<number, string>;
}

/** The mail fails without a reply. */
export class SilentRejection extends Error {
  override readonly name = 'SilentRejection';
}
