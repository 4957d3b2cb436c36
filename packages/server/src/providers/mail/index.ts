export {
  createSendMail,
  type LeavingMail,
  MailNotTaken,
  type SendMail,
  type SendSettings,
} from './send.ts';
