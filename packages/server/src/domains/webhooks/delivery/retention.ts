import type { App } from '../../ctx.ts';
import { pruneDeliveryRows } from './store/deliveries.ts';

const retentionMs = 30 * 86_400_000;
const batchRows = 500;

/** Deletes deliveries after 30 days. Calls `onBatch` after each batch. */
export async function pruneDeliveries(app: App, onBatch: () => Promise<void>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - retentionMs);
  while ((await pruneDeliveryRows(app.engine.db, before, batchRows)) >= batchRows) await onBatch();
}
