import { addressHandlers } from './addresses/routes.ts';
import { attachmentHandlers } from './attachments/routes.ts';
import { digestHandlers } from './digests/routes.ts';
import { inboundHandlers } from './inbound/routes.ts';
import { outboundHandlers } from './outbound/routes.ts';
import { reactionHandlers } from './reactions/routes.ts';
import { senderHandlers } from './senders/routes.ts';

export const emailHandlers = [
  ...addressHandlers,
  ...inboundHandlers,
  ...attachmentHandlers,
  ...senderHandlers,
  ...reactionHandlers,
  ...digestHandlers,
  ...outboundHandlers,
];
