import { createHash } from 'node:crypto';
import { limits } from '@mneme/contract';
import type { BlobStore } from '../../../providers/blobs/index.ts';
import {
  type MailHeader,
  type MailPart,
  MailUnreadable,
  parseTnef,
  readMail,
} from '../../../providers/mail/index.ts';
import { extractReply, removeSignature } from '../../../text/email-reply.ts';
import { htmlToMarkdown } from '../../../text/html-to-markdown.ts';
import { formatCalendarEvents } from './calendar.ts';

/** An attachment whose bytes are in the blob store. */
export interface StoredPart {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: Uint8Array;
  readonly blob: string;
  /** What it says, where it is a text that a memory can hold. */
  readonly text: string | null;
}

export interface MailContent {
  readonly head: MailHeader;
  /** What its author wrote, as text or Markdown; without what it answers. */
  readonly body: string;
  readonly parts: readonly StoredPart[];
  /** Of a notice of delivery: its fields, and which mail it is about. */
  readonly reports: readonly string[];
}

const partsMax = 100;
const htmlCharactersMax = 4_000_000;
const depthMax = 3;
const reportTypes = ['message/delivery-status', 'text/rfc822-headers'];
const tnefTypes = ['application/ms-tnef', 'application/vnd.ms-tnef'];
const filenameCharactersMax = 255;

/** A mail as it is read; its attachments are kept. Throws MailUnreadable, and keeps none then. */
export async function readContent(blobs: BlobStore, rawBlob: string): Promise<MailContent> {
  const collected: CollectedParts = { parts: [], notes: [], reports: [] };
  try {
    const { head, text, html } = await readMail(blobs.read(rawBlob), (part) =>
      collectPart(blobs, part, collected, 0),
    );
    const said = bodyText(text, html);
    const body = isReply(head) ? extractReply(said) : removeSignature(said);
    const { parts, notes, reports } = collected;
    return {
      head,
      body: toStorableText([body, ...notes].filter(Boolean).join('\n\n')),
      parts,
      reports,
    };
  } catch (error) {
    await deletePartBlobs(blobs, collected.parts);
    throw error;
  }
}

interface CollectedParts {
  readonly parts: StoredPart[];
  /** What parts say that belongs to the mail's own words. */
  readonly notes: string[];
  readonly reports: string[];
}

const bodyText = (text: string, html: string | null): string =>
  text.trim() === '' && html !== null ? htmlToMarkdown(truncateHtml(html)) : text;

/** Keeps a part, and reads on in those that wrap others. */
async function collectPart(
  blobs: BlobStore,
  part: MailPart,
  into: CollectedParts,
  depth: number,
): Promise<void> {
  const { parts, notes, reports } = into;
  if (parts.length >= partsMax) throw new MailUnreadable(`It has over ${partsMax} attachments.`);
  const kept = await storePart(blobs, part);
  parts.push(kept);
  const { contentType } = kept;
  if (contentType === 'text/calendar')
    notes.push(formatCalendarEvents(await decodeText(blobs, kept, part)));
  else if (reportTypes.includes(contentType)) reports.push(await decodeText(blobs, kept, part));
  else if (contentType === 'message/rfc822' && depth < depthMax) {
    const inner = await readMail(blobs.read(kept.blob), (one) =>
      collectPart(blobs, one, into, depth + 1),
    );
    const { from, subject } = inner.head;
    reports.push(`Message-ID: ${inner.head.messageId ?? ''}`);
    const head = [`From: ${from.join(', ')}`, `Subject: ${subject}`].join('\n');
    notes.push(`${head}\n\n${bodyText(inner.text, inner.html)}`);
  } else if (isTnef(kept)) await unpackTnef(blobs, kept, into);
}

/** What a winmail.dat holds, beside it. */
async function unpackTnef(
  blobs: BlobStore,
  kept: StoredPart,
  { parts, notes }: CollectedParts,
): Promise<void> {
  const wrapped = parseTnef(await readBlob(blobs, kept.blob));
  if (wrapped?.body) notes.push(wrapped.body);
  for (const { filename, content } of wrapped?.attachments ?? []) {
    if (parts.length >= partsMax) return;
    const type = { contentType: contentTypeOfName(filename), charset: null };
    parts.push(await storePart(blobs, { filename, ...type, content: singleChunk(content) }));
  }
}

/** For a mail whose transaction was not to be. */
export async function deletePartBlobs(
  blobs: BlobStore,
  parts: readonly StoredPart[],
): Promise<void> {
  for (const { blob } of parts) await blobs.remove(blob);
}

/** What is passed on is no answer, and says what it passes on. */
const isReply = ({ thread, subject }: MailHeader): boolean =>
  !/^(?:fwd?|wg|tr|rv|i)\s*:/i.test(subject) &&
  (thread.length > 0 || /^(?:re|aw|sv|antw|vs|odp|ynt)(?:\[\d+\])?\s*:/i.test(subject));

async function storePart(blobs: BlobStore, part: MailPart): Promise<StoredPart> {
  const kept = await blobs.write(part.content, { bytesMax: limits.mailBytesMax });
  const contentType = contentTypeOf(part);
  const entry = {
    filename: safeFilename(part, contentType),
    contentType,
    bytes: kept.bytes,
    sha256: kept.sha256,
    blob: kept.name,
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

/** As a name that a download may have: no folders, nothing that a header would not hold. */
function safeFilename({ filename }: MailPart, contentType: string): string {
  const plain = (filename ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069"\\/]+/gu, '_')
    .toWellFormed()
    .trim();
  const named = [...plain].slice(-filenameCharactersMax).join('');
  if (named !== '' && !/^\.+$/.test(named)) return named;
  return contentType === 'message/rfc822' ? 'message.eml' : 'attachment';
}

const isTnef = ({ contentType, filename }: StoredPart): boolean =>
  tnefTypes.includes(contentType) || filename.toLowerCase() === 'winmail.dat';

const isText = ({ contentType, bytes }: StoredPart): boolean =>
  contentType.startsWith('text/') &&
  !['text/calendar', 'text/rfc822-headers'].includes(contentType) &&
  bytes > 0 &&
  bytes <= limits.contentBytesMax;

async function textForMemory(
  blobs: BlobStore,
  kept: StoredPart,
  part: MailPart,
): Promise<string | null> {
  const text = await decodeText(blobs, kept, part);
  const said = kept.contentType === 'text/html' ? htmlToMarkdown(truncateHtml(text)) : text;
  // What is no text by its bytes would be a memory of noise.
  const isNoise = said.includes('\u0000') || said.split('\ufffd').length > 1 + said.length / 100;
  return isNoise || said.trim() === '' ? null : toStorableText(said);
}

async function decodeText(
  blobs: BlobStore,
  { blob }: StoredPart,
  { charset }: MailPart,
): Promise<string> {
  const bytes = await readBlob(blobs, blob);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

/** Never more than a mail has: of an attachment that was taken apart already. */
async function readBlob(blobs: BlobStore, name: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(name)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* singleChunk(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

const truncateHtml = (html: string): string => html.slice(0, htmlCharactersMax);

const toStorableText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '').trim();

/** A code as it stands in the database. */
export const hashConfirmationCode = (code: string): Uint8Array =>
  createHash('sha256').update(code.toUpperCase()).digest();
