import type { App } from '../../ctx.ts';
import { trimOutboundRows } from './store.ts';

const keptMs = 30 * 86_400_000;
const stepRows = 500;

/** Forgets mails that left, or did not, 30 days ago. `step` is told after each part of them. */
export async function trimOutbound(app: App, step: () => Promise<void>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs);
  while ((await trimOutboundRows(app.engine.db, before, stepRows)) === stepRows) await step();
}
