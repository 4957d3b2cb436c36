import type { App } from '../../ctx.ts';
import { pruneOutboundRows } from './store/outbound-mails.ts';

const retentionMs = 30 * 86_400_000;
const batchRows = 500;

/** Deletes finished mails after 30 days. Calls `step` after each batch. */
export async function pruneOutboundMails(app: App, step: () => Promise<void>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - retentionMs);
  while ((await pruneOutboundRows(app.engine.db, before, batchRows)) >= batchRows) await step();
}
