import { isValidSignedLink, signLink } from '../../../kernel/signed-link.ts';
import type { App } from '../../ctx.ts';

const purpose = 'attachment links';

/** A URL that downloads one attachment without an API key until `expires`. */
export function attachmentUrl(app: App, id: string, expires: number): string {
  const base = app.config.publicUrl ?? '';
  const query = `expires=${expires}&signature=${signLink(app, purpose, [id], expires)}`;
  return `${base}/v1/email/attachments/${id}/content?${query}`;
}

export const isValidAttachmentLink = (
  app: App,
  id: string,
  link: { expires: number; signature: string },
): boolean => isValidSignedLink(app, purpose, [id], link);
