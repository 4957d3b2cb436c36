import { addressHandlers } from './addresses/routes.ts';
import { attachmentHandlers } from './attachments/routes.ts';
import { inboundHandlers } from './inbound/routes.ts';
import { senderHandlers } from './senders/routes.ts';

export const emailHandlers = [
  ...addressHandlers,
  ...inboundHandlers,
  ...attachmentHandlers,
  ...senderHandlers,
];
