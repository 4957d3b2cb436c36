import {
  type ParsedIntent,
  createRelationshipBody as relationshipBody,
  type UploadFields,
} from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import {
  createMemories,
  type ItemResult,
  type MemoryRecord,
  type NewMemory,
} from '../../memories/index.ts';
import { createRelationship } from '../../relationships/index.ts';
import { toOwnerFields } from '../owner.ts';
import { type AttachmentRecording, findAttachedRecordings } from './attached-recordings.ts';
import { replySubject } from './auto-reply.ts';
import type { CommandContext, CommandResult } from './command-context.ts';
import type { StoredAttachment } from './content.ts';
import { excerpt } from './reply-texts.ts';

/**
 * Stores the mail as a memory, and each attached text or recording as another one, linked by a
 * relationship of type `references`. A mail with known content refers to the existing memory of
 * its owner.
 */
export async function storeAsMemory(
  ctx: Ctx,
  { mail, parts, spaceId }: CommandContext,
  intent: ParsedIntent,
  complete: (inTx: TxCtx, result: CommandResult) => Promise<void>,
): Promise<void> {
  const content = intent.content.trim() || attachmentNames(parts);
  if (content === '')
    throw new AppError('bad_request', {
      message: 'The mail is empty: it has no text and no attachments.',
    });
  const shared = {
    ...(spaceId === undefined ? {} : { space_id: spaceId }),
    tags: intent.metadata.tags,
    ...toOwnerFields(mail),
  };
  const isVerified = mail.is_sender_verified === true;
  const source = {
    source: 'email',
    mail_id: mail.id,
    sender: mail.sender,
    email_verified: isVerified,
  };
  const { priority } = intent.metadata;
  const main = {
    ...shared,
    content,
    metadata: source,
    occurred_at: mail.created_at,
    ...(priority === null ? {} : { priority }),
  };
  const fieldsOf = ({ filename }: StoredAttachment) => ({
    ...shared,
    metadata: { ...source, filename },
  });
  const recordings = await findAttachedRecordings(ctx, parts, fieldsOf);
  const attachments = [...textMemories(parts, fieldsOf), ...recordings.flatMap(toAttachmentMemory)];
  const bodies = [main, ...attachments.flatMap(({ body }) => body ?? [])];
  await createMemories(ctx, bodies, async (inTx, [first, ...outcomes]) => {
    const memoryId = requireMemoryId(first);
    const numbers = new Map<number, string>();
    const rejected: AppError[] = [];
    for (const { number, body, existing, attach } of attachments) {
      const outcome = body ? outcomes.shift() : existing;
      const id = typeof outcome === 'string' ? outcome : memoryIdOf(outcome);
      if (typeof outcome === 'object' && !(outcome instanceof AppError))
        await attach?.(inTx, outcome);
      if (id === null && outcome instanceof AppError) rejected.push(outcome);
      if (id === null) continue;
      numbers.set(number, id);
      const isNew = isStored(first) && isStored(outcome);
      // Mail of an unverified sender must not change existing memories, also not by a link.
      if (id !== memoryId && (isVerified || isNew)) await linkAttachment(inTx, memoryId, id);
    }
    await complete(inTx, {
      memoryId,
      partMemories: numbers,
      reply: {
        subject: replySubject(mail),
        text: confirmationText(first, content, parts, rejected),
      },
    });
  });
}

/** An attachment that becomes a memory, is already stored, or is rejected. */
interface AttachmentMemory {
  readonly number: number;
  readonly body?: NewMemory;
  readonly existing?: string | AppError;
  readonly attach?: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
}

const textMemories = (
  parts: readonly StoredAttachment[],
  fieldsOf: (part: StoredAttachment) => UploadFields,
): AttachmentMemory[] =>
  parts.flatMap((part, number): AttachmentMemory[] => {
    const { text, contentType } = part;
    if (text === null) return [];
    const content_type = contentType === 'text/plain' ? 'text' : 'markdown';
    return [{ number, body: { ...fieldsOf(part), content: text, content_type } }];
  });

function toAttachmentMemory({ number, result }: AttachmentRecording): AttachmentMemory {
  if (result instanceof AppError) return { number, existing: result };
  return 'knownId' in result ? { number, existing: result.knownId } : { number, ...result };
}

async function linkAttachment(inTx: TxCtx, memoryId: string, attachedId: string): Promise<void> {
  const body = relationshipBody.parse({ target_id: attachedId, type: 'references' });
  try {
    await createRelationship(inTx, memoryId, body);
  } catch (error) {
    // Already linked, or too many relationships: the memories are stored without the link.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}

const isStored = (outcome: unknown): boolean =>
  typeof outcome === 'object' && !(outcome instanceof AppError);

/** The id of the new memory or of the duplicate; null if rejected. */
function memoryIdOf(outcome: ItemResult | undefined): string | null {
  if (outcome === undefined) return null;
  if (!(outcome instanceof AppError)) return outcome.id;
  const duplicateId = outcome.code === 'duplicate_memory' ? outcome.details?.memory_id : null;
  return typeof duplicateId === 'string' ? duplicateId : null;
}

function requireMemoryId(outcome: ItemResult | undefined): string {
  const id = memoryIdOf(outcome);
  if (id !== null) return id;
  throw outcome instanceof AppError ? outcome : new AppError('internal_error');
}

const attachmentNames = (parts: readonly StoredAttachment[]): string =>
  parts.length === 0 ? '' : `Attachments: ${parts.map(({ filename }) => filename).join(', ')}`;

function confirmationText(
  first: ItemResult | undefined,
  content: string,
  parts: readonly StoredAttachment[],
  rejected: readonly AppError[],
): string {
  return [
    `${isStored(first) ? 'Stored' : 'Already stored'}: ${memoryIdOf(first)}`,
    '',
    `  ${excerpt(content)}`,
    ...(parts.length === 0 ? [] : ['', `Attachments: ${parts.length}`]),
    ...rejected.map(({ message }) => `Attachment not stored: ${message}`),
  ].join('\n');
}
