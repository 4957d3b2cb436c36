import type { ParsedIntent } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { MailUnreadable } from '../../../providers/mail/index.ts';
import type { RunningJob } from '../../../work/worker.ts';
import { accountActor } from '../../accounts/index.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { insertAttachments } from '../attachments/store.ts';
import { isOurs } from '../recipients.ts';
import { act, namedSpace } from './act.ts';
import { answerOnce, answerTo } from './answer.ts';
import { forget, type KeptPart, type MailContent, readContent } from './content.ts';
import { presentIntent } from './grammar.ts';
import { type Kind, kindOf } from './model.ts';
import { actOnNotice } from './notices.ts';
import { type Ending, Unanswerable } from './reading.ts';
import { standingOf } from './standing.ts';
import { endMail, findMail, type MailRecord, rawOf, updateMail } from './store/mails.ts';
import { misreadText } from './texts.ts';
import { understand } from './understand.ts';

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
  const account = await accountActor(app.engine.db, accountId);
  if (!account) return;
  const actor = { ...account.actor, spaces: job.spaces && new Set(job.spaces) };
  const ctx: Ctx = { ...app, actor, requestId: `mail ${mailId}` };
  if (attempts >= attemptsMax) {
    await giveUp(ctx, mail);
    return;
  }
  await job.progress(0.1, { mailId, attempts: attempts + 1, failures });
  try {
    await updateMail(app.engine.db, mail, { status: 'processing' });
    if (mail.purpose === 'memory') await judge(ctx, mail);
    else await notice(ctx, mail);
  } catch (error) {
    await job.progress(0.1, { mailId, attempts: attempts + 1, failures: failures + 1 });
    if (failures + 1 < failuresMax) throw error;
    app.log.error({ err: error, mail: mailId }, 'a mail was given up');
    await giveUp(ctx, mail);
  }
}

const giveUp = (ctx: Ctx, mail: MailRecord): Promise<void> =>
  withTransaction(ctx, ({ tx }) => finish(ctx, tx, mail, { reason: 'It failed again and again.' }));

/** Acts on a mail, unless its author may not write. */
async function judge(ctx: Ctx, mail: MailRecord): Promise<void> {
  const { authentication, isVerified, refusal } = await standingOf(ctx, mail);
  const stored = { authentication: JSON.stringify(authentication), is_verified: isVerified };
  if (refusal !== null) {
    const set = { ...stored, status: 'rejected' as const, reason: refusal };
    await withTransaction(ctx, ({ tx }) => finish(ctx, tx, mail, set));
    return;
  }
  await updateMail(ctx.engine.db, mail, stored);
  await actOn(ctx, { ...mail, authentication, is_verified: isVerified });
}

async function notice(ctx: Ctx, mail: MailRecord): Promise<void> {
  try {
    await actOnNotice(ctx, mail, ({ tx }, reason) =>
      finish(ctx, tx, mail, { status: 'completed', reason }),
    );
  } catch (error) {
    if (error instanceof EndedMeanwhile) return;
    if (!(error instanceof MailUnreadable)) throw error;
    const reason = error.message;
    await withTransaction(ctx, ({ tx }) => finish(ctx, tx, mail, { reason }));
  }
}

type Set = Parameters<typeof updateMail>[2];

/** Throws where another run has ended it: what came with this one is taken back. */
async function finish({ clock }: Ctx, tx: TxCtx['tx'], mail: MailRecord, set: Set): Promise<void> {
  const ended = { status: 'failed' as const, ...set, processed_at: clock.now() };
  if (!(await endMail(tx, mail, ended))) throw new EndedMeanwhile();
}

class EndedMeanwhile extends Error {}

async function actOn(ctx: Ctx, mail: MailRecord): Promise<void> {
  let content: MailContent;
  try {
    content = await readContent(ctx.blobs, rawOf(mail));
  } catch (error) {
    if (!(error instanceof MailUnreadable)) throw error;
    const reason = error.message;
    await withTransaction(ctx, ({ tx }) => finish(ctx, tx, mail, { reason }));
    return;
  }
  try {
    await actOnContent(ctx, mail, content);
  } catch (error) {
    await forget(ctx.blobs, content.parts);
    if (!(error instanceof EndedMeanwhile)) throw error;
  }
}

async function actOnContent(ctx: Ctx, mail: MailRecord, content: MailContent): Promise<void> {
  const kind = await kindHere(ctx, mail, content);
  const { body, parts } = content;
  const bodyPlain = { body_plain: body };
  const silent = silentReasons[kind];
  if (silent !== undefined) {
    const status = kind === 'loop' ? 'rejected' : 'completed';
    await withTransaction(ctx, async (inTx) => {
      await finish(ctx, inTx.tx, mail, { ...bodyPlain, status, reason: silent });
      await keepParts(inTx, mail, parts, new Map());
    });
    return;
  }
  const isVerified = mail.is_verified === true;
  const mayAnswer = kind === 'personal' && isVerified;
  const understood = understand(mail.subject, body);
  const intent =
    'misread' in understood
      ? null
      : presentIntent(understood.intent, understood.method, understood.content);
  const stored = intent === null ? {} : { parsed_intent: JSON.stringify(intent) };
  const end = async (inTx: TxCtx, ending: Ending, spaceId?: string): Promise<void> => {
    const { failure, refusal, memoryId, answer, partMemories = new Map() } = ending;
    const status = failure === undefined ? 'completed' : 'failed';
    await finish(ctx, inTx.tx, mail, {
      ...bodyPlain,
      ...stored,
      status: refusal === undefined ? status : 'rejected',
      reason: refusal ?? failure ?? null,
      response_memory_id: memoryId ?? null,
      space_id: spaceId ?? null,
    });
    await keepParts(inTx, mail, parts, partMemories);
    if (answer && mayAnswer) await answerOnce(inTx, mail, answer);
  };
  if (intent === null) {
    const what = 'misread' in understood ? understood.misread : '';
    const answer = { subject: answerTo(mail), text: misreadText(what) };
    const failure = `It was not understood: ${what}`;
    await withTransaction(ctx, (inTx) => end(inTx, { answer, failure }));
    return;
  }
  if (!isVerified && intent.command !== 'store') {
    const reason = `"${intent.command}:" needs a sender that a rule allows and SPF or DKIM proves.`;
    await withTransaction(ctx, (inTx) => end(inTx, { refusal: reason }));
    return;
  }
  await tryAct(ctx, { mail, parts, isPersonal: kind === 'personal' }, intent, end);
}

/** What refuses the command ends the mail as failed, and is told; a fault of ours is thrown. */
async function tryAct(
  ctx: Ctx,
  read: { mail: MailRecord; parts: readonly KeptPart[]; isPersonal: boolean },
  intent: ParsedIntent,
  end: (inTx: TxCtx, ending: Ending, spaceId?: string) => Promise<void>,
): Promise<void> {
  try {
    const spaceId = await namedSpace(ctx, intent.metadata.space);
    await act(ctx, { ...read, spaceId }, intent, (inTx, ending) => end(inTx, ending, spaceId));
  } catch (error) {
    if (error instanceof Unanswerable) {
      await withTransaction(ctx, (inTx) => end(inTx, { failure: error.message }));
      return;
    }
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const failure = error.message;
    const text = `It could not be done: ${failure}`;
    const answer = { subject: answerTo(read.mail), text };
    await withTransaction(ctx, (inTx) => end(inTx, { answer, failure }));
  }
}

const silentReasons: Readonly<Partial<Record<Kind, string>>> = {
  bounce: 'It tells what became of another mail.',
  reply: 'A program answered by itself.',
  loop: 'It goes round in circles.',
};

/** Mail of one of the addresses that mail is sent to would answer itself for ever. */
async function kindHere(ctx: Ctx, mail: MailRecord, { head }: MailContent): Promise<Kind> {
  const kind = kindOf(head, mail);
  if (kind === 'bounce') return kind;
  return (await isOurs(ctx, ctx.engine.db, mail.sender)) ? 'loop' : kind;
}

const keepParts = (
  { tx, ids, clock }: TxCtx,
  { account_id, id: mail_id }: MailRecord,
  parts: readonly KeptPart[],
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
