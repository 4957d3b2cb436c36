export { blobsNamedByMail } from './attachments/store.ts';
export { attachmentCheck, mailCheck } from './checks.ts';
export {
  dueDigestsKind,
  sendDigestKind,
  sendDigestNow,
  sendDueDigests,
} from './digests/send.ts';
export { eraseAccountEmail } from './erase.ts';
export { processMailKind } from './inbound/kinds.ts';
export { processMail } from './inbound/process.ts';
export { countMail, knownRecipient, type Mailbox } from './inbound/recipient.ts';
export { type Envelope, keepRaw, takeMail } from './inbound/take.ts';
export { Mailer } from './outbound/mailer.ts';
export { trimOutbound } from './outbound/retention.ts';
export { releaseMails } from './outbound/store.ts';
export { emailHandlers } from './routes.ts';
