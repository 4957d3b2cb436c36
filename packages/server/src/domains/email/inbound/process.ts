import type { Owner, ParsedIntent } from '@mneme/contract';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { MailUnreadable } from '../../../providers/mail/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { insertAttachments } from '../attachments/store/attachments.ts';
import { isLocalMailAddress } from '../recipients.ts';
import { enqueueAutoReply, replySubject } from './auto-reply.ts';
import { type CommandResult, SilentRejection } from './command-context.ts';
import { resolveSpaceByName, runCommand } from './commands.ts';
import {
  deleteAttachmentBlobs,
  type MailContent,
  readMailContent,
  type StoredAttachment,
} from './content.ts';
import { presentIntent } from './grammar.ts';
import { interpretCommand } from './interpret-command.ts';
import { classifyMail, type MailClass } from './model.ts';
import { misunderstoodText } from './reply-texts.ts';
import { processMailToSignedAddress } from './signed-address-mail.ts';
import {
  findMail,
  type InboundMailRecord,
  markMailCompleted,
  requireRawBlob,
  updateMail,
} from './store/mails.ts';
import { verifySender } from './verify-sender.ts';

/** Limits retries of a mail that crashes the process. */
const attemptsMax = 20;
/** As many as the job has attempts. */
const failuresMax = 6;

interface Payload {
  readonly mailId: string;
  /** What the relay says; the row also has the owner of the rule that an earlier attempt found. */
  readonly owner?: Owner;
  readonly attempts?: number;
  readonly failures?: number;
}

/** Job: executes an accepted mail. Its effect happens exactly once, also after a crash. */
export async function processMail(app: App, job: RunningJob): Promise<void> {
  const { attempts = 0, failures = 0, ...accepted } = job.payload as unknown as Payload;
  const { accountId } = job;
  if (accountId === null) throw new Error('the job email.process has no account');
  const { mailId, owner } = accepted;
  const row = await findMail(app.engine.db, accountId, mailId);
  if (!row || !['received', 'processing'].includes(row.status)) return;
  const mail = { ...row, ...owner };
  const account = await findAccountActor(app.engine.db, accountId);
  if (!account) return;
  const actor = { ...account.actor, spaces: job.spaces && new Set(job.spaces) };
  const ctx: Ctx = { ...app, actor, requestId: `mail ${mailId}` };
  if (attempts >= attemptsMax) {
    await failMail(ctx, mail);
    return;
  }
  await job.saveProgress(0.1, { ...accepted, attempts: attempts + 1, failures });
  try {
    await updateMail(app.engine.db, mail, { status: 'processing' });
    if (mail.purpose === 'memory') await verifyAndProcess(ctx, mail);
    else await processNoticeMail(ctx, mail);
  } catch (error) {
    await job.saveProgress(0.1, { ...accepted, attempts: attempts + 1, failures: failures + 1 });
    if (failures + 1 < failuresMax) throw error;
    app.log.error({ err: error, mail: mailId }, 'mail processing failed');
    await failMail(ctx, mail);
  }
}

const failMail = (ctx: Ctx, mail: InboundMailRecord): Promise<void> =>
  withTransaction(ctx, ({ tx }) =>
    completeMail(ctx, tx, mail, {
      reason: 'Processing failed repeatedly. The server log has the reason.',
    }),
  );

/** Processes a mail unless its sender is rejected. */
async function verifyAndProcess(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  const { authentication, isVerified, owner, rejection } = await verifySender(ctx, mail);
  const { user_id, agent_id, run_id } = owner;
  const verified = { is_sender_verified: isVerified, user_id, agent_id, run_id };
  const stored = { authentication: JSON.stringify(authentication), ...verified };
  if (rejection !== null) {
    const set = { ...stored, status: 'rejected' as const, reason: rejection };
    await withTransaction(ctx, ({ tx }) => completeMail(ctx, tx, mail, set));
    return;
  }
  await updateMail(ctx.engine.db, mail, stored);
  // A command reads and changes only what the user of the mail has.
  const ownCtx = { ...ctx, actor: { ...ctx.actor, user: user_id } };
  await readAndProcess(ownCtx, { ...mail, authentication, ...verified });
}

async function processNoticeMail(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  try {
    await processMailToSignedAddress(ctx, mail, ({ tx }, reason) =>
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

/** Throws AlreadyCompleted if another run has completed it, which rolls back the transaction. */
async function completeMail(
  { clock }: Ctx,
  tx: TxCtx['tx'],
  mail: InboundMailRecord,
  set: MailUpdate,
): Promise<void> {
  const completed = { status: 'failed' as const, ...set, processed_at: clock.now() };
  if (!(await markMailCompleted(tx, mail, completed))) throw new AlreadyCompleted();
}

class AlreadyCompleted extends Error {}

async function readAndProcess(ctx: Ctx, mail: InboundMailRecord): Promise<void> {
  let content: MailContent;
  try {
    content = await readMailContent(ctx.blobs, requireRawBlob(mail));
  } catch (error) {
    if (!(error instanceof MailUnreadable)) throw error;
    const reason = error.message;
    await withTransaction(ctx, ({ tx }) => completeMail(ctx, tx, mail, { reason }));
    return;
  }
  try {
    await processContent(ctx, mail, content);
  } catch (error) {
    await deleteAttachmentBlobs(ctx.blobs, content.parts);
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
  const ignoredReason = ignoredReasons[kind];
  if (ignoredReason !== undefined) {
    const status = kind === 'loop' ? 'rejected' : 'completed';
    await withTransaction(ctx, async (inTx) => {
      await completeMail(ctx, inTx.tx, mail, { ...bodyPlain, status, reason: ignoredReason });
      await insertParts(inTx, mail, parts, new Map());
    });
    return;
  }
  const isVerified = mail.is_sender_verified === true;
  const canReply = kind === 'personal' && isVerified;
  const interpretation = interpretCommand(mail.subject, body);
  const intent =
    'misread' in interpretation
      ? null
      : presentIntent(interpretation.intent, interpretation.method, interpretation.content);
  const stored = intent === null ? {} : { parsed_intent: JSON.stringify(intent) };
  const complete = async (inTx: TxCtx, result: CommandResult, spaceId?: string): Promise<void> => {
    const { failure, rejection, memoryId, reply, partMemories = new Map() } = result;
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
    if (reply && canReply) await enqueueAutoReply(inTx, mail, reply);
  };
  if (intent === null) {
    const what = 'misread' in interpretation ? interpretation.misread : '';
    const replyMail = { subject: replySubject(mail), text: misunderstoodText(what) };
    const failure = `The command was not understood: ${what}`;
    await withTransaction(ctx, (inTx) => complete(inTx, { reply: replyMail, failure }));
    return;
  }
  if (!isVerified && intent.command !== 'store') {
    const reason =
      `"${intent.command}:" requires a sender that an allow rule matches and whose domain ` +
      'SPF or DKIM proves.';
    await withTransaction(ctx, (inTx) => complete(inTx, { rejection: reason }));
    return;
  }
  await runCommandSafely(ctx, { mail, parts, isPersonal: kind === 'personal' }, intent, complete);
}

/** Client errors fail the mail with a reply; server errors are thrown, so that the job retries. */
async function runCommandSafely(
  ctx: Ctx,
  context: { mail: InboundMailRecord; parts: readonly StoredAttachment[]; isPersonal: boolean },
  intent: ParsedIntent,
  complete: (inTx: TxCtx, result: CommandResult, spaceId?: string) => Promise<void>,
): Promise<void> {
  try {
    const spaceId = await resolveSpaceByName(ctx, intent.metadata.space);
    await runCommand(ctx, { ...context, spaceId }, intent, (inTx, result) =>
      complete(inTx, result, spaceId),
    );
  } catch (error) {
    if (error instanceof SilentRejection) {
      await withTransaction(ctx, (inTx) => complete(inTx, { failure: error.message }));
      return;
    }
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const failure = error.message;
    const text = `The command failed: ${failure}`;
    const replyMail = { subject: replySubject(context.mail), text };
    await withTransaction(ctx, (inTx) => complete(inTx, { reply: replyMail, failure }));
  }
}

const ignoredReasons: Readonly<Partial<Record<MailClass, string>>> = {
  bounce: 'The mail is a delivery status notification.',
  reply: 'The mail is an automatic reply.',
  loop: 'The mail is in a loop.',
};

/** Mail from one of our own addresses is a loop. */
async function classifyInbound(
  ctx: Ctx,
  mail: InboundMailRecord,
  { head }: MailContent,
): Promise<MailClass> {
  const kind = classifyMail(head, mail);
  if (kind === 'bounce') return kind;
  return (await isLocalMailAddress(ctx, ctx.engine.db, mail.sender)) ? 'loop' : kind;
}

const insertParts = (
  { tx, ids, clock }: TxCtx,
  { account_id, id: mail_id }: InboundMailRecord,
  parts: readonly StoredAttachment[],
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
