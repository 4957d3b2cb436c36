import type { MailAuthentication, ParsedIntent } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { authenticateMail, MailUnreadable } from '../../../providers/mail/index.ts';
import type { RunningJob } from '../../../work/worker.ts';
import { accountActor } from '../../accounts/index.ts';
import { type App, type Ctx, type TxCtx, withTransaction } from '../../ctx.ts';
import { findAddress } from '../addresses/store.ts';
import { insertAttachments } from '../attachments/store.ts';
import { splitAddress } from '../model.ts';
import { act, namedSpace } from './act.ts';
import { answerOnce, answerTo } from './answer.ts';
import { recordBounce } from './bounce.ts';
import { forget, type KeptPart, type MailContent, readContent } from './content.ts';
import { presentIntent } from './grammar.ts';
import { type Kind, kindOf } from './model.ts';
import { type Ending, Unanswerable } from './reading.ts';
import { endMail, findMail, type MailRecord, updateMail } from './store/mails.ts';
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
    const authentication = await judge(ctx, mail);
    if (authentication !== null) await actOn(ctx, { ...mail, authentication });
  } catch (error) {
    await job.progress(0.1, { mailId, attempts: attempts + 1, failures: failures + 1 });
    if (failures + 1 < failuresMax) throw error;
    app.log.error({ err: error, mail: mailId }, 'a mail was given up');
    await giveUp(ctx, mail);
  }
}

const giveUp = (ctx: Ctx, mail: MailRecord): Promise<void> =>
  withTransaction(ctx, ({ tx }) => finish(ctx, tx, mail, { reason: 'It failed again and again.' }));

/** Null where the mail is refused for it. */
async function judge(ctx: Ctx, mail: MailRecord): Promise<MailAuthentication | null> {
  const { results, rejects } = await authenticateMail(
    ctx.blobs.read(mail.raw_blob),
    { sender: mail.envelope_sender, ip: mail.client_ip, helo: mail.client_helo },
    { resolve: ctx.resolveName, mta: ctx.config.email.domain },
  );
  const stored = { authentication: JSON.stringify(results) };
  if (rejects && ctx.config.email.dmarc) {
    const reason = 'The domain of its author asks to refuse mail like this (DMARC).';
    await withTransaction(ctx, ({ tx }) =>
      finish(ctx, tx, mail, { ...stored, status: 'rejected', reason }),
    );
    return null;
  }
  await updateMail(ctx.engine.db, mail, stored);
  return results;
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
    content = await readContent(ctx.blobs, mail.raw_blob);
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
      if (kind === 'bounce') await recordBounce(inTx, content);
    });
    return;
  }
  const mayAnswer = kind === 'personal' && mail.authentication?.dmarc !== 'fail';
  const understood = understand(mail.subject, body);
  const intent =
    'misread' in understood
      ? null
      : presentIntent(understood.intent, understood.method, understood.content);
  const stored = intent === null ? {} : { parsed_intent: JSON.stringify(intent) };
  const end = async (inTx: TxCtx, ending: Ending, spaceId?: string): Promise<void> => {
    const { failure, memoryId, answer, partMemories = new Map() } = ending;
    await finish(ctx, inTx.tx, mail, {
      ...bodyPlain,
      ...stored,
      status: failure === undefined ? 'completed' : 'failed',
      reason: failure ?? null,
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
async function kindHere({ engine }: Ctx, mail: MailRecord, { head }: MailContent): Promise<Kind> {
  const kind = kindOf(head, mail);
  const parts = splitAddress(mail.sender);
  const isOurs = parts !== null && (await findAddress(engine.db, parts)) !== undefined;
  return isOurs && kind !== 'bounce' ? 'loop' : kind;
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
