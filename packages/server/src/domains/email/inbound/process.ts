import type { ParsedIntent } from '@mneme/contract';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { MailUnreadable } from '../../../providers/mail/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { insertAttachments } from '../attachments/store.ts';
import { isOwnAddress } from '../recipients.ts';
import { enqueueAutoReply, replySubject } from './auto-reply.ts';
import { type CommandResult, SilentRejection } from './command-context.ts';
import { resolveSpace, runCommand } from './commands.ts';
import { deletePartBlobs, type MailContent, readContent, type StoredPart } from './content.ts';
import { processNotice } from './delivery-notices.ts';
import { presentIntent } from './grammar.ts';
import { interpretCommand } from './interpret-command.ts';
import { classifyMail, type MailClass } from './model.ts';
import { misunderstoodText } from './reply-texts.ts';
import {
  findMail,
  type InboundMailRecord,
  markMailCompleted,
  requireRawBlob,
  updateMail,
} from './store/mails.ts';
import { verifySender } from './verify-sender.ts';

/** A mail that ends the process each time is not read for ever. */
const attemptsMax = 20;
/** As often as the job is tried again. */
const failuresMax = 6;

interface Payload {
  readonly mailId: string;
  readonly attempts?: number;
  readonly failures?: number;
}

/** Job: does what a mail that was taken in asks for. Whatever happens, it is done once. */
export async function processMail(app: App, job: RunningJob): Promise<void> {
  const { mailId, attempts = 0, failures = 0 } = job.payload as unknown as Payload;
  const { accountId } = job;
  if (accountId === null) throw new Error('a mail belongs to an account');
  const mail = await findMail(app.engine.db, accountId, mailId);
  if (!mail || !['received', 'processing'].includes(mail.status)) return;
  const account = await findAccountActor(app.engine.db, accountId);
  if (!account) return;
  const actor = { ...account.actor, spaces: job.spaces && new Set(job.spaces) };
  const ctx: Ctx = { ...app, actor, requestId: `mail ${mailId}` };
  if (attempts >= attemptsMax) {
    await failMail(ctx, mail);
    return;
  }
  await job.saveProgress(0.1, { mailId, attempts: attempts + 1, failures });
  try {
    await updateMail(app.engine.db, mail, { status: 'processing' });
    if (mail.purpose === 'memory') await verifyAndProcess(ctx, mail);
    else await processNoticeMail(ctx, mail);
  } catch (error) {
    await job.saveProgress(0.1, { mailId, attempts: attempts + 1, failures: failures + 1 });
    if (failures + 1 < failuresMax) throw error;
    app.log.error({ err: error, mail: mailId }, 'a mail was given up');
    await failMail(ctx, mail);
  }
}

const failMail = (ctx: Ctx, mail: InboundMailRecord): Promise<void> =>
  withTransaction(ctx, ({ tx }) =>
    completeMail(ctx, tx, mail, { reason: 'It failed again and again.' }),
  );

/** Acts on a mail, unless its author may not write. */
async function verifyAndProcess(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  const { authentication, isVerified, rejection } = await verifySender(ctx, mail);
  const stored = { authentication: JSON.stringify(authentication), is_verified: isVerified };
  if (rejection !== null) {
    const set = { ...stored, status: 'rejected' as const, reason: rejection };
    await withTransaction(ctx, ({ tx }) => completeMail(ctx, tx, mail, set));
    return;
  }
  await updateMail(ctx.engine.db, mail, stored);
  await readAndProcess(ctx, { ...mail, authentication, is_verified: isVerified });
}

async function processNoticeMail(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  try {
    await processNotice(ctx, mail, ({ tx }, reason) =>
      completeMail(ctx, tx, mail, { status: 'completed', reason }),
    );
  } catch (error) {
    if (error instanceof AlreadyCompleted) return;
    if (!(error instanceof MailUnreadable)) throw error;
    const reason = error.message;
    await withTransaction(ctx, ({ tx }) => completeMail(ctx, tx, mail, { reason }));
  }
}

type MailUpdate = Parameters<typeof updateMail>[2];

/** Throws where another run has ended it: what came with this one is taken back. */
async function completeMail(
  { clock }: Ctx,
  tx: TxCtx['tx'],
  mail: InboundMailRecord,
  set: MailUpdate,
): Promise<void> {
  const ended = { status: 'failed' as const, ...set, processed_at: clock.now() };
  if (!(await markMailCompleted(tx, mail, ended))) throw new AlreadyCompleted();
}

class AlreadyCompleted extends Error {}

async function readAndProcess(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  let content: MailContent;
  try {
    content = await readContent(ctx.blobs, requireRawBlob(mail));
  } catch (error) {
    if (!(error instanceof MailUnreadable)) throw error;
    const reason = error.message;
    await withTransaction(ctx, ({ tx }) => completeMail(ctx, tx, mail, { reason }));
    return;
  }
  try {
    await processContent(ctx, mail, content);
  } catch (error) {
    await deletePartBlobs(ctx.blobs, content.parts);
    if (!(error instanceof AlreadyCompleted)) throw error;
  }
}

async function processContent(
  ctx: Ctx,
  mail: InboundMailRecord,
  content: MailContent,
): Promise<void> {
  const kind = await classifyInbound(ctx, mail, content);
  const { body, parts } = content;
  const bodyPlain = { body_plain: body };
  const silent = ignoredReasons[kind];
  if (silent !== undefined) {
    const status = kind === 'loop' ? 'rejected' : 'completed';
    await withTransaction(ctx, async (inTx) => {
      await completeMail(ctx, inTx.tx, mail, { ...bodyPlain, status, reason: silent });
      await insertParts(inTx, mail, parts, new Map());
    });
    return;
  }
  const isVerified = mail.is_verified === true;
  const mayAnswer = kind === 'personal' && isVerified;
  const understood = interpretCommand(mail.subject, body);
  const intent =
    'misread' in understood
      ? null
      : presentIntent(understood.intent, understood.method, understood.content);
  const stored = intent === null ? {} : { parsed_intent: JSON.stringify(intent) };
  const end = async (inTx: TxCtx, ending: CommandResult, spaceId?: string): Promise<void> => {
    const { failure, rejection, memoryId, reply, partMemories = new Map() } = ending;
    const status = failure === undefined ? 'completed' : 'failed';
    await completeMail(ctx, inTx.tx, mail, {
      ...bodyPlain,
      ...stored,
      status: rejection === undefined ? status : 'rejected',
      reason: rejection ?? failure ?? null,
      response_memory_id: memoryId ?? null,
      space_id: spaceId ?? null,
    });
    await insertParts(inTx, mail, parts, partMemories);
    if (reply && mayAnswer) await enqueueAutoReply(inTx, mail, reply);
  };
  if (intent === null) {
    const what = 'misread' in understood ? understood.misread : '';
    const answer = { subject: replySubject(mail), text: misunderstoodText(what) };
    const failure = `It was not understood: ${what}`;
    await withTransaction(ctx, (inTx) => end(inTx, { reply: answer, failure }));
    return;
  }
  if (!isVerified && intent.command !== 'store') {
    const reason = `"${intent.command}:" needs a sender that a rule allows and SPF or DKIM proves.`;
    await withTransaction(ctx, (inTx) => end(inTx, { rejection: reason }));
    return;
  }
  await runCommandSafely(ctx, { mail, parts, isPersonal: kind === 'personal' }, intent, end);
}

/** What refuses the command ends the mail as failed, and is told; a fault of ours is thrown. */
async function runCommandSafely(
  ctx: Ctx,
  read: { mail: InboundMailRecord; parts: readonly StoredPart[]; isPersonal: boolean },
  intent: ParsedIntent,
  end: (inTx: TxCtx, ending: CommandResult, spaceId?: string) => Promise<void>,
): Promise<void> {
  try {
    const spaceId = await resolveSpace(ctx, intent.metadata.space);
    await runCommand(ctx, { ...read, spaceId }, intent, (inTx, ending) =>
      end(inTx, ending, spaceId),
    );
  } catch (error) {
    if (error instanceof SilentRejection) {
      await withTransaction(ctx, (inTx) => end(inTx, { failure: error.message }));
      return;
    }
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const failure = error.message;
    const text = `It could not be done: ${failure}`;
    const answer = { subject: replySubject(read.mail), text };
    await withTransaction(ctx, (inTx) => end(inTx, { reply: answer, failure }));
  }
}

const ignoredReasons: Readonly<Partial<Record<MailClass, string>>> = {
  bounce: 'It tells what became of another mail.',
  reply: 'A program answered by itself.',
  loop: 'It goes round in circles.',
};

/** Mail of one of the addresses that mail is sent to would answer itself for ever. */
async function classifyInbound(
  ctx: Ctx,
  mail: InboundMailRecord,
  { head }: MailContent,
): Promise<MailClass> {
  const kind = classifyMail(head, mail);
  if (kind === 'bounce') return kind;
  return (await isOwnAddress(ctx, ctx.engine.db, mail.sender)) ? 'loop' : kind;
}

const insertParts = (
  { tx, ids, clock }: TxCtx,
  { account_id, id: mail_id }: InboundMailRecord,
  parts: readonly StoredPart[],
  memories: ReadonlyMap<number, string>,
): Promise<void> =>
  insertAttachments(
    tx,
    parts.map(({ filename, contentType, bytes, sha256, blob }, number) => ({
      account_id,
      id: ids.uuid(),
      mail_id,
      number,
      filename,
      content_type: contentType,
      bytes,
      sha256,
      blob,
      memory_id: memories.get(number) ?? null,
      created_at: clock.now(),
    })),
  );
