import { type ParsedIntent, createRelationship as relationshipBody } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../../ctx.ts';
import { type Outcome, storeTogether } from '../../memories/index.ts';
import { createRelationship } from '../../relationships/index.ts';
import { answerTo } from './answer.ts';
import type { KeptPart } from './content.ts';
import type { Ending, Reading } from './reading.ts';
import { excerpt } from './texts.ts';

/**
 * What the mail says becomes a memory, and each attached text another one, linked to it by
 * `references`. A mail that says what is known already ends with the memory that has it.
 */
export async function store(
  ctx: Ctx,
  { mail, parts, spaceId }: Reading,
  intent: ParsedIntent,
  end: (inTx: TxCtx, ending: Ending) => Promise<void>,
): Promise<void> {
  const content = intent.content.trim() || namesOf(parts);
  if (content === '') throw new AppError('bad_request', { message: 'The mail holds nothing.' });
  const texts = [...parts.entries()].filter(([, { text }]) => text !== null);
  const shared = {
    ...(spaceId === undefined ? {} : { space_id: spaceId }),
    tags: intent.metadata.tags,
  };
  const source = { source: 'email', mail_id: mail.id, sender: mail.sender };
  const { priority } = intent.metadata;
  const main = {
    ...shared,
    content,
    metadata: source,
    occurred_at: mail.created_at,
    ...(priority === null ? {} : { priority }),
  };
  const attached = texts.map(([, { text, filename, contentType }]) => ({
    ...shared,
    content: text ?? '',
    content_type: contentType === 'text/plain' ? ('text' as const) : ('markdown' as const),
    metadata: { ...source, filename },
  }));
  await storeTogether(ctx, [main, ...attached], async (inTx, [first, ...others]) => {
    const memoryId = knownId(first);
    const numbers = new Map<number, string>();
    for (const [i, outcome] of others.entries()) {
      const id = idOf(outcome);
      const number = texts[i]?.[0];
      if (id === null || number === undefined) continue;
      numbers.set(number, id);
      if (id !== memoryId) await link(inTx, memoryId, id);
    }
    await end(inTx, {
      memoryId,
      partMemories: numbers,
      answer: { subject: answerTo(mail), text: storedText(first, content, parts, others) },
    });
  });
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
  others: readonly Outcome[],
): string {
  const isNew = !(first instanceof AppError);
  const refused = others.filter((one) => idOf(one) === null);
  return [
    `${isNew ? 'Kept' : 'Known already'}: ${idOf(first)}`,
    '',
    `  ${excerpt(content)}`,
    ...(parts.length === 0 ? [] : ['', `Attachments: ${parts.length}`]),
    ...refused.map((one) => (one instanceof AppError ? `Not kept: ${one.message}` : '')),
  ].join('\n');
}
