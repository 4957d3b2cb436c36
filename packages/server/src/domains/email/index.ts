export { eraseAttachment } from './attachments/manage.ts';
export { blobsNamedByMail } from './attachments/store.ts';
export { attachmentCheck, mailCheck } from './checks.ts';
export { removeDigest } from './digests/manage.ts';
export {
  dueDigestsKind,
  sendDigestKind,
  sendDigestNow,
  sendDueDigests,
} from './digests/send.ts';
export { emptyMail, eraseAccountEmail } from './erase.ts';
export { processMailKind } from './inbound/kinds.ts';
export { processMail } from './inbound/process.ts';
export { countMail, knownRecipient, type Mailbox } from './inbound/recipient.ts';
export { type Envelope, keepRaw, takeMail } from './inbound/take.ts';
export { Mailer } from './outbound/mailer.ts';
export { trimOutbound } from './outbound/retention.ts';
export { failStaleMails, releaseMails } from './outbound/store.ts';
export { removeReaction } from './reactions/manage.ts';
export { emailHandlers } from './routes.ts';
export { eraseSender } from './senders/manage.ts';
