import type { App } from '../../ctx.ts';
import { pruneOutboundRows } from './store.ts';

const retentionMs = 30 * 86_400_000;
const batchRows = 500;

/** Forgets mails that left, or did not, 30 days ago. `step` is told after each part of them. */
export async function pruneOutbound(app: App, step: () => Promise<void>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - retentionMs);
  while ((await pruneOutboundRows(app.engine.db, before, batchRows)) === batchRows) await step();
}
