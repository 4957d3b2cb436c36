import { createBlobCheck } from '../blobs/index.ts';
import { attachmentsAfter } from './attachments/store.ts';
import { mailsAfter } from './inbound/store/mails.ts';

/** Every mail is there as it came. */
export const mailCheck = createBlobCheck({
  name: 'mails',
  hasHashes: false,
  after: mailsAfter,
  keyOf: ({ id }) => id,
  blobsOf: ({ id, raw_blob: blob, raw_bytes: bytes }) =>
    blob === null ? [] : [{ id, blob, bytes }],
});

/** Every attachment has all of its bytes. */
export const attachmentCheck = createBlobCheck({
  name: 'attachments',
  hasHashes: true,
  after: attachmentsAfter,
  keyOf: ({ id }) => id,
  blobsOf: ({ id, blob, bytes, sha256 }) => [{ id, blob, bytes, sha256 }],
});
