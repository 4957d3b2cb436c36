import { createBlobCheck } from '../blobs/index.ts';
import { attachmentsAfter } from './attachments/store/attachments.ts';
import { mailsAfter } from './inbound/store/mails.ts';

/** Every mail has the blob of its raw bytes. */
export const mailBlobCheck = createBlobCheck({
  name: 'mails',
  hasHashes: false,
  readRows: mailsAfter,
  keyOf: ({ id }) => id,
  toBlobReferences: ({ id, raw_blob: blob, raw_bytes: bytes }) =>
    blob === null ? [] : [{ id, blob, bytes }],
});

/** Every attachment has its blob. */
export const attachmentBlobCheck = createBlobCheck({
  name: 'attachments',
  hasHashes: true,
  readRows: attachmentsAfter,
  keyOf: ({ id }) => id,
  toBlobReferences: ({ id, blob, bytes, sha256 }) => [{ id, blob, bytes, sha256 }],
});
