import type { TxCtx } from '../../ctx.ts';
import { noteBounce } from '../outbound/bounces.ts';
import type { MailContent } from './content.ts';

const idsMax = 20;

/** Notes what a notice of delivery (RFC 3464) says failed for good; a delay is no failure. */
export async function recordBounce(inTx: TxCtx, { head, reports }: MailContent): Promise<void> {
  const text = reports.join('\n');
  const status = /^status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(text)?.[1];
  const action = /^action:\s*(\w+)/im.exec(text)?.[1]?.toLowerCase();
  if (action !== 'failed' && !status?.startsWith('5')) return;
  const recipient = /^(?:final|original)-recipient:\s*[^;\n]{1,40};\s*<?([^\s<>]+@[^\s<>]+)/im;
  const detail = /^diagnostic-code:\s*(.{1,500})/im.exec(text)?.[1] ?? status ?? 'failed';
  const named = [...text.matchAll(/^message-id:\s*<?([^\s<>]{1,998})>?/gim)];
  const messageIds = [...new Set([...named.map(([, id = '']) => id), ...head.thread])];
  await noteBounce(inTx, {
    messageIds: messageIds.filter((id) => id !== '').slice(0, idsMax),
    recipient: recipient.exec(text)?.[1]?.toLowerCase() ?? null,
    detail: detail.trim(),
  });
}
