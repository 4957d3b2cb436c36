export {
  authenticateMail,
  createResolver,
  type DnsResolver,
} from './authenticate.ts';
export { canonicalAddress } from './author.ts';
export { type MailHeader, parseMailHeader } from './mail-header.ts';
export { type MailPart, MailUnreadable, readMail } from './read.ts';
export { createMailSender, type MailSender, MailSendFailed, type OutgoingMail } from './send.ts';
export { parseTnef } from './tnef.ts';
