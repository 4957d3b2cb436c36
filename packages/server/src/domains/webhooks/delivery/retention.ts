import type { App } from '../../ctx.ts';
import { pruneDeliveryRows } from './store/deliveries.ts';

const keptMs = 30 * 86_400_000;
const stepRows = 500;

/** Forgets deliveries of 30 days ago. `step` is told after each part of them. */
export async function pruneDeliveries(app: App, step: () => Promise<void>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs);
  while ((await pruneDeliveryRows(app.engine.db, before, stepRows)) === stepRows) await step();
}
