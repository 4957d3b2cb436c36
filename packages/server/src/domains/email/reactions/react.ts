import { limits } from '@mneme/contract';
import { type StaleCutoff, staleCutoffAt } from '../../../events/delivery-pause.ts';
import { isVisibleTo, readEventBatch, type StoredEvent } from '../../../events/outbox.ts';
import { escapeHtml } from '../../../text/html.ts';
import { lockAccountForShare } from '../../accounts/index.ts';
import { type App, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { enqueueMail } from '../outbound/queue.ts';
import { bulkMailHeaders } from '../outbound/unsubscribe.ts';
import { resolveRecipients } from '../recipients.ts';
import { matchesConditions, nextTriggerCounts, type ReactionRecord } from './model.ts';
import { render } from './render.ts';
import { advanceReactionCursors, lockActiveReactions, saveTriggerCounts } from './store.ts';
import { parseTemplate, TemplateError } from './template.ts';

/** Events that are looked at in one transaction. */
const batchEvents = 50;
const mailCharactersMax = 100_000;

/**
 * Looks at the next events of an account and queues the mails of its reactions; their places in
 * the outbox move in the same transaction, so that each event is looked at once, whatever stops.
 * False where there was nothing to look at, another process does, or the account is suspended.
 */
export async function processReactions(app: App, accountId: string): Promise<boolean> {
  return withTransaction(systemCtx(app, accountId), async (inTx) => {
    // Held, so that no suspension begins or ends meanwhile.
    const account = await lockAccountForShare(inTx.tx, accountId);
    if (!account || account.suspended) return false;
    const stale = account.resumed_at && staleCutoffAt(account.resumed_at);
    const held = await lockActiveReactions(inTx.tx, accountId);
    if (held.length === 0) return false;
    const after = Math.min(...held.map(({ told_to }) => told_to));
    const { events, upTo } = await readEventBatch(inTx.tx, accountId, {
      after,
      limit: batchEvents,
      types: [...new Set(held.map(({ trigger_type }) => trigger_type))],
    });
    if (upTo === after) return false;
    for (const reaction of held) await triggerReaction(inTx, reaction, events, stale);
    const ids = held.map(({ id }) => id);
    await advanceReactionCursors(inTx.tx, accountId, { ids, toldTo: upTo });
    return true;
  });
}

async function triggerReaction(
  inTx: TxCtx,
  reaction: ReactionRecord,
  events: readonly StoredEvent[],
  stale: StaleCutoff | null,
): Promise<void> {
  const isMeant = (event: StoredEvent): boolean =>
    event.position > reaction.told_to &&
    event.type === reaction.trigger_type &&
    isVisibleTo(event, reaction.spaces) &&
    matchesConditions(reaction.trigger_conditions, event);
  let counted = reaction;
  for (const event of events.filter(isMeant)) {
    const isStale = stale !== null && event.created_at < stale.before;
    // What is not sent any more takes nothing of what may be sent today.
    const tally = nextTriggerCounts(counted, isStale ? event.created_at : inTx.clock.now());
    if (tally === null) continue;
    counted = { ...counted, ...tally };
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
  const written = renderReaction(reaction, event);
  if (written === null) {
    inTx.log.warn({ reaction: reaction.id }, 'a template of a reaction is no longer taken');
    return;
  }
  const { subject, text } = written;
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

/** Null where a template was taken by another version of the program, and is not by this one. */
function renderReaction(
  reaction: ReactionRecord,
  event: StoredEvent,
): { subject: string; text: string } | null {
  const { name, subject_template, body_template } = reaction;
  const values = templateValues(reaction, event);
  try {
    const subjectMax = limits.mailSubjectCharactersMax;
    const subject = render(parseTemplate(subject_template), values, subjectMax).trim();
    const text = render(parseTemplate(body_template), values, mailCharactersMax);
    return { subject: subject === '' ? name : subject, text };
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** What a template sees: the event, and what it is about by the name of its area and directly. */
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
