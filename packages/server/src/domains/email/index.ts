export { removeBlobs, sweepBlobs, sweepBlobsKind } from './attachments/blobs.ts';
export { eraseAccountEmail } from './erase.ts';
export { processMailKind, removeBlobsKind } from './inbound/kinds.ts';
export { processMail } from './inbound/process.ts';
export { countMail, knownRecipient } from './inbound/recipient.ts';
export { type Envelope, keepRaw, type Taken, takeMail } from './inbound/take.ts';
export { emailHandlers } from './routes.ts';
