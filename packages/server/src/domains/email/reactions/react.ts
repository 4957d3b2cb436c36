import { limits } from '@mneme/contract';
import { escapeHtml } from '@mneme/text';
import { type StaleCutoff, staleCutoffAt } from '../../../events/delivery-pause.ts';
import { isVisibleTo, readEventBatch, type StoredEvent } from '../../../events/outbox.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type App, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { enqueueMail } from '../outbound/queue.ts';
import { bulkMailHeaders } from '../outbound/unsubscribe.ts';
import { resolveRecipients } from '../recipients.ts';
import { eventMatchesConditions, nextTriggerCounts, type ReactionRecord } from './model.ts';
import { renderTemplate } from './render.ts';
import {
  advanceReactionCursors,
  lockActiveReactions,
  saveTriggerCounts,
} from './store/reactions.ts';
import { parseTemplate, TemplateError } from './template.ts';

/** Events per transaction. */
const batchEvents = 50;
const mailCharactersMax = 100_000;

/**
 * Processes the next events of an account and queues the mails of its reactions. The same
 * transaction advances their cursors, so that a crash neither skips nor repeats an event. False if
 * there are no events, another process has the lock, or the account is suspended.
 */
export async function processReactions(app: App, accountId: string): Promise<boolean> {
  return withTransaction(systemCtx(app, accountId), async (inTx) => {
    // Locked, so that the account is not suspended or resumed during the transaction.
    const account = await lockAccountForShare(inTx.tx, accountId);
    if (!account || account.suspended) return false;
    const stale = account.resumed_at && staleCutoffAt(account.resumed_at);
    const reactions = await lockActiveReactions(inTx.tx, accountId);
    if (reactions.length === 0) return false;
    const after = Math.min(...reactions.map(({ cursor }) => cursor));
    const { events, upTo } = await readEventBatch(inTx.tx, accountId, {
      after,
      limit: batchEvents,
      types: [...new Set(reactions.map(({ trigger_type }) => trigger_type))],
    });
    if (upTo === after) return false;
    for (const reaction of reactions) await triggerReaction(inTx, reaction, events, stale);
    const ids = reactions.map(({ id }) => id);
    await advanceReactionCursors(inTx.tx, accountId, { ids, upTo });
    return true;
  });
}

async function triggerReaction(
  inTx: TxCtx,
  reaction: ReactionRecord,
  events: readonly StoredEvent[],
  stale: StaleCutoff | null,
): Promise<void> {
  const isMatching = (event: StoredEvent): boolean =>
    event.position > reaction.cursor &&
    event.type === reaction.trigger_type &&
    isVisibleTo(event, reaction.spaces) &&
    eventMatchesConditions(reaction.trigger_conditions, event);
  let counted = reaction;
  for (const event of events.filter(isMatching)) {
    const isStale = stale !== null && event.created_at < stale.before;
    // A stale event does not count toward today's limit.
    const counts = nextTriggerCounts(counted, isStale ? event.created_at : inTx.clock.now());
    if (counts === null) continue;
    counted = { ...counted, ...counts };
    await enqueueReactionMail(inTx, reaction, event, isStale ? stale.reason : undefined);
  }
  if (counted !== reaction) await saveTriggerCounts(inTx.tx, reaction, counted);
}

async function enqueueReactionMail(
  inTx: TxCtx,
  reaction: ReactionRecord,
  event: StoredEvent,
  failure: string | undefined,
): Promise<void> {
  const rendered = renderReaction(reaction, event);
  if (rendered === null) {
    inTx.log.warn({ reaction: reaction.id }, 'reaction template rejected');
    return;
  }
  const { subject, text } = rendered;
  for (const recipient of await resolveRecipients(inTx, reaction.recipients)) {
    await enqueueMail(inTx, {
      kind: 'reaction',
      spaces: reaction.spaces,
      recipient,
      subject,
      text,
      html: `<div style="white-space:pre-wrap">${escapeHtml(text)}</div>`,
      headers: bulkMailHeaders(inTx, recipient),
      dedupeKey: `reaction:${reaction.id}:${event.id}:${recipient}`,
      failure,
    });
  }
}

/** Null if this version rejects a template that another version has accepted. */
function renderReaction(
  reaction: ReactionRecord,
  event: StoredEvent,
): { subject: string; text: string } | null {
  const { name, subject_template, body_template } = reaction;
  const values = templateValues(reaction, event);
  try {
    const subjectMax = limits.mailSubjectCharactersMax;
    const subject = renderTemplate(parseTemplate(subject_template), values, subjectMax).trim();
    const text = renderTemplate(parseTemplate(body_template), values, mailCharactersMax);
    return { subject: subject === '' ? name : subject, text };
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** The variables of a template: the event, and its data at the top level and by its area. */
function templateValues({ name }: ReactionRecord, event: StoredEvent): object {
  const { id, type, data, space_id, changes, created_at } = event;
  const [area = ''] = type.split('.');
  return {
    ...data,
    data,
    [area]: data,
    event: { id, type, space_id, changes, created_at: created_at.toISOString() },
    reaction: { name },
  };
}
