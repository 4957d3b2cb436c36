import type { DeliveryState } from '@mneme/contract';
import { pauseDeliveries, resumeDeliveries } from '../../events/delivery-pause.ts';
import { recordAuditEntry } from '../accounts/index.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';

/** Stops webhook calls and mail in all processes; does nothing if they are paused already. */
export async function pauseAllDeliveries(ctx: Ctx): Promise<DeliveryState> {
  const state = await withTransaction(ctx, async (inTx) => {
    const { since, isChanged } = await pauseDeliveries(inTx.tx, inTx.clock.now());
    const state = { paused: true, paused_at: since.toISOString() };
    if (isChanged) await record(inTx, 'deliveries.paused', { paused_at: state.paused_at });
    return state;
  });
  ctx.log.info({ since: state.paused_at }, 'deliveries paused');
  return state;
}

/** Due deliveries are sent within about a second, digests within a minute. */
export async function resumeAllDeliveries(ctx: Ctx): Promise<DeliveryState> {
  await withTransaction(ctx, async (inTx) => {
    if (await resumeDeliveries(inTx.tx, inTx.clock.now())) {
      await record(inTx, 'deliveries.resumed', {});
    }
  });
  ctx.log.info('deliveries resumed');
  return { paused: false, paused_at: null };
}

const record = (
  inTx: TxCtx,
  action: 'deliveries.paused' | 'deliveries.resumed',
  details: Record<string, unknown>,
): Promise<void> => {
  const { accountId } = inTx.actor;
  return recordAuditEntry(inTx, { action, accountId, targetId: accountId, details });
};
