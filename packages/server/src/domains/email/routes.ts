import { addressRouteHandlers } from './addresses/routes.ts';
import { attachmentRouteHandlers } from './attachments/routes.ts';
import { digestRouteHandlers } from './digests/routes.ts';
import { inboundRouteHandlers } from './inbound/routes.ts';
import { outboundRouteHandlers } from './outbound/routes.ts';
import { reactionRouteHandlers } from './reactions/routes.ts';
import { senderRouteHandlers } from './senders/routes.ts';

export const emailRouteHandlers = [
  ...addressRouteHandlers,
  ...inboundRouteHandlers,
  ...attachmentRouteHandlers,
  ...senderRouteHandlers,
  ...reactionRouteHandlers,
  ...digestRouteHandlers,
  ...outboundRouteHandlers,
];
