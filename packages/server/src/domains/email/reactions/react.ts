import { limits } from '@mneme/contract';
import { escapeHtml } from '../../../text/html.ts';
import { type Stale, staleAt } from '../../../work/delivery-pause.ts';
import { mayBeTold, readStretch, type StoredEvent } from '../../../work/outbox.ts';
import { holdAccount } from '../../accounts/index.ts';
import { type App, systemCtx, type TxCtx, withTransaction } from '../../ctx.ts';
import { queueMail } from '../outbound/queue.ts';
import { unaskedHeaders } from '../outbound/unsubscribe.ts';
import { recipientsOf } from '../recipients.ts';
import { meets, type ReactionRecord, triggered } from './model.ts';
import { render } from './render.ts';
import { countTriggered, holdReactions, moveReactions } from './store.ts';
import { parseTemplate, TemplateFault } from './template.ts';

/** Events that are looked at in one transaction. */
const batchEvents = 50;
const mailCharactersMax = 100_000;

/**
 * Looks at the next events of an account and queues the mails of its reactions; their places in
 * the outbox move in the same transaction, so that each event is looked at once, whatever stops.
 * False where there was nothing to look at, another process does, or the account is suspended.
 */
export async function react(app: App, accountId: string): Promise<boolean> {
  return withTransaction(systemCtx(app, accountId), async (inTx) => {
    // Held, so that no suspension begins or ends meanwhile.
    const account = await holdAccount(inTx.tx, accountId);
    if (!account || account.suspended) return false;
    const stale = account.resumed_at && staleAt(account.resumed_at);
    const held = await holdReactions(inTx.tx, accountId);
    if (held.length === 0) return false;
    const after = Math.min(...held.map(({ told_to }) => told_to));
    const { events, upTo } = await readStretch(inTx.tx, accountId, {
      after,
      count: batchEvents,
      types: [...new Set(held.map(({ trigger_type }) => trigger_type))],
    });
    if (upTo === after) return false;
    for (const reaction of held) await tell(inTx, reaction, events, stale);
    const ids = held.map(({ id }) => id);
    await moveReactions(inTx.tx, accountId, { ids, toldTo: upTo });
    return true;
  });
}

async function tell(
  inTx: TxCtx,
  reaction: ReactionRecord,
  events: readonly StoredEvent[],
  stale: Stale | null,
): Promise<void> {
  const isMeant = (event: StoredEvent): boolean =>
    event.position > reaction.told_to &&
    event.type === reaction.trigger_type &&
    mayBeTold(event, reaction.spaces) &&
    meets(reaction.trigger_conditions, event);
  let counted = reaction;
  for (const event of events.filter(isMeant)) {
    const isStale = stale !== null && event.created_at < stale.before;
    // What is not sent any more takes nothing of what may be sent today.
    const tally = triggered(counted, isStale ? event.created_at : inTx.clock.now());
    if (tally === null) continue;
    counted = { ...counted, ...tally };
    await write(inTx, reaction, event, isStale ? stale.reason : undefined);
  }
  if (counted !== reaction) await countTriggered(inTx.tx, reaction, counted);
}

async function write(
  inTx: TxCtx,
  reaction: ReactionRecord,
  event: StoredEvent,
  failure: string | undefined,
): Promise<void> {
  const written = writtenBy(reaction, event);
  if (written === null) {
    inTx.log.warn({ reaction: reaction.id }, 'a template of a reaction is no longer taken');
    return;
  }
  const { subject, text } = written;
  for (const recipient of await recipientsOf(inTx, reaction.recipients)) {
    await queueMail(inTx, {
      kind: 'reaction',
      spaces: reaction.spaces,
      recipient,
      subject,
      text,
      html: `<div style="white-space:pre-wrap">${escapeHtml(text)}</div>`,
      headers: unaskedHeaders(inTx, recipient),
      dedupeKey: `reaction:${reaction.id}:${event.id}:${recipient}`,
      failure,
    });
  }
}

/** Null where a template was taken by another version of the program, and is not by this one. */
function writtenBy(
  reaction: ReactionRecord,
  event: StoredEvent,
): { subject: string; text: string } | null {
  const { name, subject_template, body_template } = reaction;
  const values = valuesOf(reaction, event);
  try {
    const subjectMax = limits.mailSubjectCharactersMax;
    const subject = render(parseTemplate(subject_template), values, subjectMax).trim();
    const text = render(parseTemplate(body_template), values, mailCharactersMax);
    return { subject: subject === '' ? name : subject, text };
  } catch (error) {
    if (error instanceof TemplateFault) return null;
    throw error;
  }
}

/** What a template sees: the event, and what it is about by the name of its area and directly. */
function valuesOf({ name }: ReactionRecord, event: StoredEvent): object {
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
