export {
  authenticateMail,
  createResolver,
  type ResolveName,
} from './authenticate.ts';
export { canonicalAddress } from './author.ts';
export { type MailHead, readHead } from './head.ts';
export { type MailPart, MailUnreadable, readMail } from './read.ts';
export { createSendMail, type LeavingMail, MailNotTaken, type SendMail } from './send.ts';
export { readTnef } from './tnef.ts';
