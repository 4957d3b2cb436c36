export { createMailServer, type MailServer } from './server.ts';
