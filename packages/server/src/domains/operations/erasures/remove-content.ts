import type { ErasureKind } from '@mneme/contract';
import { type RedactedEvent, readAccountPosition, redactEvents } from '../../../events/outbox.ts';
import {
  type Erasure,
  findErasuresWithContent,
  markErasedContentRemoved,
} from '../../../instance/erasure-ledger.ts';
import { redactStoredResponses } from '../../../instance/idempotency-store.ts';
import { type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { type App, systemCtx, withTransaction } from '../../ctx.ts';
import { eraseMailContent } from '../../email/index.ts';
import { redactDeliveries } from '../../webhooks/index.ts';

export const removeErasedContentKind = 'operations.remove_erased_content';
/** Runs twice within the guaranteed minute. */
export const removeErasedContentSeconds = 20;

/** Erasures of one account per batch. */
const batchErasures = 1_000;
/** Events and stored responses of an account per statement. */
const pageEvents = 20_000;
const pageOutcomes = 1_000;
/**
 * Events about an item are not older than the item, but clocks differ, and new ids stay ahead of a
 * clock that was set back.
 */
const clockSkewMs = 86_400_000;

/**
 * Job: removes erased content from events, deliveries, mails and stored responses. Idempotent, so
 * that it can be repeated after a crash.
 */
export async function removeErasedContent(
  app: App,
  job: Pick<RunningJob, 'shouldYield'>,
): Promise<typeof requeueResult | undefined> {
  for (;;) {
    const batch = await findErasuresWithContent(app.engine.db, batchErasures);
    if (batch.length === 0) return undefined;
    await removeContent(app, batch);
    if (job.shouldYield()) return requeueResult;
  }
}

/** Handles erasures of one account. */
async function removeContent(app: App, batch: readonly Erasure[]): Promise<void> {
  const { engine, clock } = app;
  const accountId = batch[0]?.accountId ?? '';
  const ids = batch.map(({ id }) => id);
  const events = await redactAllEvents(app, accountId, ids);
  for (let after: string | null = ''; after !== null; ) {
    const page: { after: string; limit: number } = { after, limit: pageOutcomes };
    after = await engine.transaction((tx) => redactStoredResponses(tx, accountId, ids, page));
  }
  const idsOf = (...kinds: readonly ErasureKind[]) =>
    batch.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  await withTransaction(systemCtx(app, accountId), async (inTx) => {
    await redactDeliveries(inTx.tx, accountId, events);
    await eraseMailContent(inTx, {
      memoryIds: idsOf('memory'),
      eventIds: events.map(({ id }) => id),
      causeIds: idsOf('reaction', 'digest'),
    });
    await markErasedContentRemoved(inTx.tx, batch, clock.now());
  });
}

async function redactAllEvents(
  { engine }: App,
  accountId: string,
  ids: readonly string[],
): Promise<RedactedEvent[]> {
  const redacted: RedactedEvent[] = [];
  const last = await readAccountPosition(engine.db, accountId);
  const since = new Date(Math.min(...ids.map(createdAtMs)) - clockSkewMs);
  for (let after = 0; after < last; after += pageEvents) {
    const page = { after, upTo: after + pageEvents, since };
    redacted.push(...(await engine.transaction((tx) => redactEvents(tx, accountId, ids, page))));
  }
  return redacted;
}

/** Ids are UUIDs of version 7: the first 48 bits are milliseconds (RFC 9562). */
const createdAtMs = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
