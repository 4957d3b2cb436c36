import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../../kernel/sealed.ts';
import type { App } from '../../ctx.ts';

const purpose = 'attachment links';

/** For one attachment until one moment; whoever has the link needs no key. */
export function linkOf(app: App, id: string, expires: number): string {
  const signature = sign(app, id, expires);
  const base = app.config.publicUrl ?? '';
  const query = `expires=${expires}&signature=${signature}`;
  return `${base}/v1/email/attachments/${id}/content?${query}`;
}

export function isSigned(
  app: App,
  id: string,
  { expires, signature }: { expires: number; signature: string },
): boolean {
  if (expires * 1_000 <= app.clock.now().getTime()) return false;
  const right = Buffer.from(sign(app, id, expires));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given);
}

const sign = ({ secretKey }: App, id: string, expires: number): string =>
  createHmac('sha256', deriveKey(secretKey, purpose))
    .update(`${id}\n${expires}`)
    .digest('base64url');
