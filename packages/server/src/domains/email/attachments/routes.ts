import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import {
  attachmentContent,
  downloadAttachment,
  getAttachment,
  listAttachments,
  removeAttachment,
} from './manage.ts';

const { email } = routes;

export const attachmentHandlers = [
  handle(email.listAttachments, (ctx, { params, query }) => listAttachments(ctx, params.id, query)),
  handle(email.getAttachment, (ctx, { params }) => getAttachment(ctx, params.id)),
  handle(email.downloadAttachment, (ctx, { params, query }) =>
    downloadAttachment(ctx, params.id, query),
  ),
  handle(email.attachmentContent, (ctx, { params, query }) =>
    attachmentContent(ctx, params.id, query),
  ),
  handle(email.removeAttachment, (ctx, { params }) => removeAttachment(ctx, params.id)),
];
