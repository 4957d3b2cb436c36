import {
  type ParsedIntent,
  createRelationship as relationshipBody,
  type UploadFields,
} from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import {
  type MemoryRecord,
  type NewMemory,
  type Outcome,
  storeTogether,
} from '../../memories/index.ts';
import { createRelationship } from '../../relationships/index.ts';
import { answerTo } from './answer.ts';
import type { KeptPart } from './content.ts';
import type { Ending, Reading } from './reading.ts';
import { type PartRecording, recordingsAmong } from './recordings.ts';
import { excerpt } from './texts.ts';

/**
 * What the mail says becomes a memory, and each attached text or recording another one, linked to
 * it by `references`. A mail that says what is known already ends with the memory that has it.
 */
export async function store(
  ctx: Ctx,
  { mail, parts, spaceId }: Reading,
  intent: ParsedIntent,
  end: (inTx: TxCtx, ending: Ending) => Promise<void>,
): Promise<void> {
  const content = intent.content.trim() || namesOf(parts);
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
  const fieldsOf = ({ filename }: KeptPart) => ({ ...shared, metadata: { ...source, filename } });
  const recordings = await recordingsAmong(ctx, parts, fieldsOf);
  const others = [...textsAmong(parts, fieldsOf), ...recordings.flatMap(asOther)];
  const bodies = [main, ...others.flatMap(({ body }) => body ?? [])];
  await storeTogether(ctx, bodies, async (inTx, [first, ...outcomes]) => {
    const memoryId = knownId(first);
    const numbers = new Map<number, string>();
    const refused: AppError[] = [];
    for (const { number, body, known, add } of others) {
      const outcome = body ? outcomes.shift() : known;
      const id = typeof outcome === 'string' ? outcome : idOf(outcome);
      if (typeof outcome === 'object' && !(outcome instanceof AppError)) await add?.(inTx, outcome);
      if (id === null && outcome instanceof AppError) refused.push(outcome);
      if (id === null) continue;
      numbers.set(number, id);
      const isOwn = isNew(first) && isNew(outcome);
      // What was there before stays as it is: a link would be a change of it.
      if (id !== memoryId && (isVerified || isOwn)) await link(inTx, memoryId, id);
    }
    await end(inTx, {
      memoryId,
      partMemories: numbers,
      answer: { subject: answerTo(mail), text: storedText(first, content, parts, refused) },
    });
  });
}

/** An attachment that becomes a memory, is one already, or is refused. */
interface Other {
  readonly number: number;
  readonly body?: NewMemory;
  readonly known?: string | AppError;
  readonly add?: (inTx: TxCtx, record: MemoryRecord) => Promise<void>;
}

const textsAmong = (
  parts: readonly KeptPart[],
  fieldsOf: (part: KeptPart) => UploadFields,
): Other[] =>
  parts.flatMap((part, number): Other[] => {
    const { text, contentType } = part;
    if (text === null) return [];
    const content_type = contentType === 'text/plain' ? 'text' : 'markdown';
    return [{ number, body: { ...fieldsOf(part), content: text, content_type } }];
  });

function asOther({ number, found }: PartRecording): Other {
  if (found instanceof AppError) return { number, known: found };
  return 'knownId' in found ? { number, known: found.knownId } : { number, ...found };
}

async function link(inTx: TxCtx, memoryId: string, attachedId: string): Promise<void> {
  const body = relationshipBody.parse({ target_id: attachedId, type: 'references' });
  try {
    await createRelationship(inTx, memoryId, body);
  } catch (error) {
    // They are linked already, or one has no room: the memories are there all the same.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}

const isNew = (outcome: unknown): boolean =>
  typeof outcome === 'object' && !(outcome instanceof AppError);

/** Of the memory that the outcome made, or of the one that says the same; null: refused. */
function idOf(outcome: Outcome | undefined): string | null {
  if (outcome === undefined) return null;
  if (!(outcome instanceof AppError)) return outcome.id;
  const known = outcome.code === 'duplicate_memory' ? outcome.details?.memory_id : null;
  return typeof known === 'string' ? known : null;
}

function knownId(outcome: Outcome | undefined): string {
  const id = idOf(outcome);
  if (id !== null) return id;
  throw outcome instanceof AppError ? outcome : new AppError('internal_error');
}

const namesOf = (parts: readonly KeptPart[]): string =>
  parts.length === 0 ? '' : `Attachments: ${parts.map(({ filename }) => filename).join(', ')}`;

function storedText(
  first: Outcome | undefined,
  content: string,
  parts: readonly KeptPart[],
  refused: readonly AppError[],
): string {
  return [
    `${isNew(first) ? 'Kept' : 'Known already'}: ${idOf(first)}`,
    '',
    `  ${excerpt(content)}`,
    ...(parts.length === 0 ? [] : ['', `Attachments: ${parts.length}`]),
    ...refused.map(({ message }) => `Not kept: ${message}`),
  ].join('\n');
}
