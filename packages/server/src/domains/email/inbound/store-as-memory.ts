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
import { replySubject } from './auto-reply.ts';
import type { CommandContext, CommandResult } from './command-context.ts';
import type { StoredPart } from './content.ts';
import { findRecordings, type PartRecording } from './recordings.ts';
import { excerpt } from './reply-texts.ts';

/**
 * What the mail says becomes a memory, and each attached text or recording another one, linked to
 * it by `references`. A mail that says what is known already ends with the memory that has it.
 */
export async function storeAsMemory(
  ctx: Ctx,
  { mail, parts, spaceId }: CommandContext,
  intent: ParsedIntent,
  end: (inTx: TxCtx, ending: CommandResult) => Promise<void>,
): Promise<void> {
  const content = intent.content.trim() || attachmentNames(parts);
  if (content === '') throw new AppError('bad_request', { message: 'The mail holds nothing.' });
  const shared = {
    ...(spaceId === undefined ? {} : { space_id: spaceId }),
    tags: intent.metadata.tags,
  };
  const isVerified = mail.is_verified === true;
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
  const fieldsOf = ({ filename }: StoredPart) => ({ ...shared, metadata: { ...source, filename } });
  const recordings = await findRecordings(ctx, parts, fieldsOf);
  const others = [...textMemories(parts, fieldsOf), ...recordings.flatMap(toAttachmentMemory)];
  const bodies = [main, ...others.flatMap(({ body }) => body ?? [])];
  await createMemories(ctx, bodies, async (inTx, [first, ...outcomes]) => {
    const memoryId = requireMemoryId(first);
    const numbers = new Map<number, string>();
    const refused: AppError[] = [];
    for (const { number, body, existing, attach } of others) {
      const outcome = body ? outcomes.shift() : existing;
      const id = typeof outcome === 'string' ? outcome : memoryIdOf(outcome);
      if (typeof outcome === 'object' && !(outcome instanceof AppError))
        await attach?.(inTx, outcome);
      if (id === null && outcome instanceof AppError) refused.push(outcome);
      if (id === null) continue;
      numbers.set(number, id);
      const isOwn = isStored(first) && isStored(outcome);
      // What was there before stays as it is: a link would be a change of it.
      if (id !== memoryId && (isVerified || isOwn)) await linkAttachment(inTx, memoryId, id);
    }
    await end(inTx, {
      memoryId,
      partMemories: numbers,
      reply: {
        subject: replySubject(mail),
        text: confirmationText(first, content, parts, refused),
      },
    });
  });
}

/** An attachment that becomes a memory, is one already, or is refused. */
interface AttachmentMemory {
  readonly number: number;
  readonly body?: NewMemory;
  readonly existing?: string | AppError;
  readonly attach?: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
}

const textMemories = (
  parts: readonly StoredPart[],
  fieldsOf: (part: StoredPart) => UploadFields,
): AttachmentMemory[] =>
  parts.flatMap((part, number): AttachmentMemory[] => {
    const { text, contentType } = part;
    if (text === null) return [];
    const content_type = contentType === 'text/plain' ? 'text' : 'markdown';
    return [{ number, body: { ...fieldsOf(part), content: text, content_type } }];
  });

function toAttachmentMemory({ number, result }: PartRecording): AttachmentMemory {
  if (result instanceof AppError) return { number, existing: result };
  return 'knownId' in result ? { number, existing: result.knownId } : { number, ...result };
}

async function linkAttachment(inTx: TxCtx, memoryId: string, attachedId: string): Promise<void> {
  const body = relationshipBody.parse({ target_id: attachedId, type: 'references' });
  try {
    await createRelationship(inTx, memoryId, body);
  } catch (error) {
    // They are linked already, or one has no room: the memories are there all the same.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}

const isStored = (outcome: unknown): boolean =>
  typeof outcome === 'object' && !(outcome instanceof AppError);

/** Of the memory that the outcome made, or of the one that says the same; null: refused. */
function memoryIdOf(outcome: ItemResult | undefined): string | null {
  if (outcome === undefined) return null;
  if (!(outcome instanceof AppError)) return outcome.id;
  const known = outcome.code === 'duplicate_memory' ? outcome.details?.memory_id : null;
  return typeof known === 'string' ? known : null;
}

function requireMemoryId(outcome: ItemResult | undefined): string {
  const id = memoryIdOf(outcome);
  if (id !== null) return id;
  throw outcome instanceof AppError ? outcome : new AppError('internal_error');
}

const attachmentNames = (parts: readonly StoredPart[]): string =>
  parts.length === 0 ? '' : `Attachments: ${parts.map(({ filename }) => filename).join(', ')}`;

function confirmationText(
  first: ItemResult | undefined,
  content: string,
  parts: readonly StoredPart[],
  refused: readonly AppError[],
): string {
  return [
    `${isStored(first) ? 'Kept' : 'Known already'}: ${memoryIdOf(first)}`,
    '',
    `  ${excerpt(content)}`,
    ...(parts.length === 0 ? [] : ['', `Attachments: ${parts.length}`]),
    ...refused.map(({ message }) => `Not kept: ${message}`),
  ].join('\n');
}
