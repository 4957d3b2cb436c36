import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import {
  createAttachmentLink,
  downloadByAttachmentLink,
  getAttachment,
  listAttachments,
  removeAttachment,
} from './manage.ts';

const { email } = routes;

export const attachmentRouteHandlers = [
  createHandler(email.listAttachments, (ctx, { params, query }) =>
    listAttachments(ctx, params.id, query),
  ),
  createHandler(email.getAttachment, (ctx, { params }) => getAttachment(ctx, params.id)),
  createHandler(email.downloadAttachment, (ctx, { params, query }) =>
    createAttachmentLink(ctx, params.id, query),
  ),
  createHandler(email.attachmentContent, (ctx, { params, query }) =>
    downloadByAttachmentLink(ctx, params.id, query),
  ),
  createHandler(email.removeAttachment, (ctx, { params }) => removeAttachment(ctx, params.id)),
];
