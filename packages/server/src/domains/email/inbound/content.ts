import { createHash } from 'node:crypto';
import { limits } from '@mneme/contract';
import { extractEmailReply, removeEmailSignature } from '@mneme/text';
import type { BlobStore } from '../../../providers/blobs/index.ts';
import {
  type MailHeader,
  type MailPart,
  MailUnreadable,
  parseTnef,
  readMail,
} from '../../../providers/mail/index.ts';
import { formatCalendarEvents } from './calendar.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** An attachment in the blob store. */
export interface StoredAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: Uint8Array;
  readonly blob: string;
  /** Its text, if it can become a memory; otherwise null. */
  readonly text: string | null;
}

export interface MailContent {
  readonly head: MailHeader;
  /** The author's text or Markdown without the quoted mail. */
  readonly body: string;
  readonly parts: readonly StoredAttachment[];
  /** The fields of a delivery status notification and the Message-ID of its mail. */
  readonly reports: readonly string[];
}

const partsMax = 100;
const htmlCharactersMax = 4_000_000;
const depthMax = 3;
const reportTypes = ['message/delivery-status', 'text/rfc822-headers'];
const tnefTypes = ['application/ms-tnef', 'application/vnd.ms-tnef'];
const filenameCharactersMax = 255;

/** Parses a mail and stores its attachments. Throws MailUnreadable, and then stores none. */
export async function readMailContent(blobs: BlobStore, rawBlob: string): Promise<MailContent> {
  const collected: CollectedParts = { parts: [], notes: [], reports: [] };
  try {
    const { head, text, html } = await readMail(blobs.read(rawBlob), (part) =>
      collectPart(blobs, part, collected, 0),
    );
    const content = bodyText(text, html);
    const body = isReply(head) ? extractEmailReply(content) : removeEmailSignature(content);
    const { parts, notes, reports } = collected;
    return {
      head,
      body: toStorableText([body, ...notes].filter(Boolean).join('\n\n')),
      parts,
      reports,
    };
  } catch (error) {
    await deleteAttachmentBlobs(blobs, collected.parts);
    throw error;
  }
}

interface CollectedParts {
  readonly parts: StoredAttachment[];
  /** Texts of parts that are appended to the body. */
  readonly notes: string[];
  readonly reports: string[];
}

const bodyText = (text: string, html: string | null): string =>
  text.trim() === '' && html !== null ? htmlToMarkdown(truncateHtml(html)) : text;

/** Stores a part and unpacks attached mails and TNEF containers. */
async function collectPart(
  blobs: BlobStore,
  part: MailPart,
  collected: CollectedParts,
  depth: number,
): Promise<void> {
  const { parts, notes, reports } = collected;
  if (parts.length >= partsMax)
    throw new MailUnreadable(`The mail has more than ${partsMax} attachments.`);
  const stored = await storePart(blobs, part);
  parts.push(stored);
  const { contentType } = stored;
  if (contentType === 'text/calendar')
    notes.push(formatCalendarEvents(await decodeText(blobs, stored, part)));
  else if (reportTypes.includes(contentType)) reports.push(await decodeText(blobs, stored, part));
  else if (contentType === 'message/rfc822' && depth < depthMax) {
    const inner = await readMail(blobs.read(stored.blob), (innerPart) =>
      collectPart(blobs, innerPart, collected, depth + 1),
    );
    const { from, subject } = inner.head;
    reports.push(`Message-ID: ${inner.head.messageId ?? ''}`);
    const head = [`From: ${from.join(', ')}`, `Subject: ${subject}`].join('\n');
    notes.push(`${head}\n\n${bodyText(inner.text, inner.html)}`);
  } else if (isTnef(stored)) await unpackTnef(blobs, stored, collected);
}

/** Stores the contents of a winmail.dat in addition to the file itself. */
async function unpackTnef(
  blobs: BlobStore,
  stored: StoredAttachment,
  { parts, notes }: CollectedParts,
): Promise<void> {
  const tnef = parseTnef(await readBlob(blobs, stored.blob));
  if (tnef?.body) notes.push(tnef.body);
  for (const { filename, content } of tnef?.attachments ?? []) {
    if (parts.length >= partsMax) return;
    const type = { contentType: contentTypeOfName(filename), charset: null };
    parts.push(await storePart(blobs, { filename, ...type, content: singleChunk(content) }));
  }
}

/** For a mail whose transaction was rolled back. */
export async function deleteAttachmentBlobs(
  blobs: BlobStore,
  parts: readonly StoredAttachment[],
): Promise<void> {
  for (const { blob } of parts) await blobs.remove(blob);
}

/** A forwarded mail is not a reply: its quoted text belongs to the content. */
const isReply = ({ thread, subject }: MailHeader): boolean =>
  !/^(?:fwd?|wg|tr|rv|i)\s*:/i.test(subject) &&
  (thread.length > 0 || /^(?:re|aw|sv|antw|vs|odp|ynt)(?:\[\d+\])?\s*:/i.test(subject));

async function storePart(blobs: BlobStore, part: MailPart): Promise<StoredAttachment> {
  const stored = await blobs.write(part.content, { bytesMax: limits.mailBytesMax });
  const contentType = contentTypeOf(part);
  const entry = {
    filename: safeFilename(part, contentType),
    contentType,
    bytes: stored.bytes,
    sha256: stored.sha256,
    blob: stored.name,
    text: null,
  };
  return isText(entry) ? { ...entry, text: await textForMemory(blobs, entry, part) } : entry;
}

const contentTypeOf = ({ contentType, filename }: MailPart): string =>
  contentType === 'application/octet-stream' ? contentTypeOfName(filename ?? '') : contentType;

const typesByEnding: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  ics: 'text/calendar',
};

const contentTypeOfName = (filename: string): string =>
  typesByEnding[/\.(\w{1,10})$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ??
  'application/octet-stream';

/** A safe name for downloads: without folders and characters that headers cannot contain. */
function safeFilename({ filename }: MailPart, contentType: string): string {
  const sanitized = (filename ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069"\\/]+/gu, '_')
    .toWellFormed()
    .trim();
  const name = [...sanitized].slice(-filenameCharactersMax).join('');
  if (name !== '' && !/^\.+$/.test(name)) return name;
  return contentType === 'message/rfc822' ? 'message.eml' : 'attachment';
}

const isTnef = ({ contentType, filename }: StoredAttachment): boolean =>
  tnefTypes.includes(contentType) || filename.toLowerCase() === 'winmail.dat';

const isText = ({ contentType, bytes }: StoredAttachment): boolean =>
  contentType.startsWith('text/') &&
  !['text/calendar', 'text/rfc822-headers'].includes(contentType) &&
  bytes > 0 &&
  bytes <= limits.contentBytesMax;

async function textForMemory(
  blobs: BlobStore,
  stored: StoredAttachment,
  part: MailPart,
): Promise<string | null> {
  const text = await decodeText(blobs, stored, part);
  const content = stored.contentType === 'text/html' ? htmlToMarkdown(truncateHtml(text)) : text;
  // Binary data with a text type must not become a memory.
  const isNoise =
    content.includes('\u0000') || content.split('\ufffd').length > 1 + content.length / 100;
  return isNoise || content.trim() === '' ? null : toStorableText(content);
}

async function decodeText(
  blobs: BlobStore,
  { blob }: StoredAttachment,
  { charset }: MailPart,
): Promise<string> {
  const bytes = await readBlob(blobs, blob);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

/** The size is limited by that of a mail. */
async function readBlob(blobs: BlobStore, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* singleChunk(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

const truncateHtml = (html: string): string => html.slice(0, htmlCharactersMax);

const toStorableText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '').trim();

/** The hash of a code, as stored in the database. */
export const hashConfirmationCode = (code: string): Uint8Array =>
  createHash('sha256').update(code.toUpperCase()).digest();
