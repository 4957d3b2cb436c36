import type { Readable } from 'node:stream';
import type { AttachmentStream, Headers, MailParser, MessageText } from 'mailparser';
import { type MailHeader, toMailHeader } from './mail-header.ts';

/** A part that is no text of the mail itself; its bytes are there while it is being kept. */
export interface MailPart {
  readonly filename: string | null;
  readonly contentType: string;
  readonly charset: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ParsedMail {
  readonly head: MailHeader;
  /** Of all its plain parts, decoded; empty where there is none. */
  readonly text: string;
  readonly html: string | null;
}

/** It is no mail, or is beyond the limits of one; the message says what. */
export class MailUnreadable extends Error {
  override readonly name = 'MailUnreadable';
}

const options = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipImageLinks: true,
  checksumAlgo: 'sha256',
  keepDeliveryStatus: true,
};

async function createParser(): Promise<MailParser> {
  // With the first mail: it takes 70 ms and 8 MB.
  const library = await import('mailparser');
  return new library.MailParser(options);
}

/**
 * Reads a raw mail as it streams by. Each attachment is handed to `keep` in its turn, and the mail
 * goes on when that is done. Throws MailUnreadable, and what `keep` throws.
 */
export async function readMail(
  raw: AsyncIterable<Uint8Array>,
  keep: (part: MailPart) => Promise<void>,
): Promise<ParsedMail> {
  const parser = await createParser();
  let headers: Headers = new Map();
  let body: { text?: string | undefined; html?: string | undefined } = {};
  const over = Promise.withResolvers<void>();
  const keeping: Promise<void>[] = [];
  parser.on('headers', (told) => {
    headers = told;
  });
  parser.on('data', (data: AttachmentStream | MessageText) => {
    if (data.type === 'text') {
      body = { text: data.text, html: typeof data.html === 'string' ? data.html : undefined };
      return;
    }
    const kept = keep(partOf(data));
    keeping.push(kept);
    kept.then(() => data.release(), over.reject);
  });
  parser.once('end', () => over.resolve());
  parser.once('error', (error) =>
    over.reject(new MailUnreadable('The mail cannot be read.', { cause: error })),
  );
  const fed = feed(raw, parser, over.promise);
  await Promise.all([fed, over.promise]);
  // After an attachment that is the whole mail the parser ends without waiting for its release.
  await Promise.all(keeping);
  return { head: toMailHeader(headers), text: body.text ?? '', html: body.html ?? null };
}

/** Ends early where the reader has given up. */
async function feed(
  raw: AsyncIterable<Uint8Array>,
  parser: MailParser,
  over: Promise<void>,
): Promise<void> {
  let isOver = false;
  const ended = over.then(
    () => undefined,
    () => {
      isOver = true;
    },
  );
  for await (const piece of raw) {
    if (isOver) return;
    if (parser.write(piece)) continue;
    const drained = Promise.withResolvers<void>();
    parser.once('drain', drained.resolve);
    await Promise.race([drained.promise, ended]);
  }
  parser.end();
}

function partOf(data: AttachmentStream): MailPart {
  const { filename, contentType, content, headers } = data;
  const type = headers?.get('content-type') as { params?: { charset?: string } } | undefined;
  return {
    filename: filename ?? null,
    contentType: (contentType || 'application/octet-stream').toLowerCase(),
    charset: type?.params?.charset ?? null,
    content: content as Readable,
  };
}
