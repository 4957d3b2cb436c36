import type { Readable } from 'node:stream';
import type { AttachmentStream, Headers, MailParser, MessageText } from 'mailparser';
import { type MailHeader, toMailHeader } from './mail-header.ts';

/** A part other than the mail's own text; its bytes are available only while it is handled. */
export interface MailPart {
  readonly filename: string | null;
  readonly contentType: string;
  readonly charset: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ParsedMail {
  readonly head: MailHeader;
  /** Decoded text of all plain parts; empty if there are none. */
  readonly text: string;
  readonly html: string | null;
}

/** Not a mail, or beyond the limits; the message contains the reason. */
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
  // Loaded with the first mail: it needs 70 ms and 8 MB.
  const library = await import('mailparser');
  return new library.MailParser(options);
}

/**
 * Parses a raw mail as a stream. Each attachment is passed to `onAttachment`, and parsing continues
 * when the returned promise resolves. Throws MailUnreadable and the errors of `onAttachment`.
 */
export async function readMail(
  raw: AsyncIterable<Uint8Array>,
  onAttachment: (part: MailPart) => Promise<void>,
): Promise<ParsedMail> {
  const parser = await createParser();
  let headers: Headers = new Map();
  let body: { text?: string | undefined; html?: string | undefined } = {};
  const finished = Promise.withResolvers<void>();
  const pendingAttachments: Promise<void>[] = [];
  parser.on('headers', (parsedHeaders) => {
    headers = parsedHeaders;
  });
  parser.on('data', (data: AttachmentStream | MessageText) => {
    if (data.type === 'text') {
      body = { text: data.text, html: typeof data.html === 'string' ? data.html : undefined };
      return;
    }
    const handled = onAttachment(partOf(data));
    pendingAttachments.push(handled);
    handled.then(() => data.release(), finished.reject);
  });
  parser.once('end', () => finished.resolve());
  parser.once('error', (error) =>
    finished.reject(new MailUnreadable('The mail cannot be read.', { cause: error })),
  );
  const feeding = pipeToParser(raw, parser, finished.promise);
  await Promise.all([feeding, finished.promise]);
  // If an attachment is the whole mail, the parser ends without waiting for its release.
  await Promise.all(pendingAttachments);
  return { head: toMailHeader(headers), text: body.text ?? '', html: body.html ?? null };
}

/** Stops early if the parser has failed. */
async function pipeToParser(
  raw: AsyncIterable<Uint8Array>,
  parser: MailParser,
  finished: Promise<void>,
): Promise<void> {
  let hasFailed = false;
  const ended = finished.then(
    () => undefined,
    () => {
      hasFailed = true;
    },
  );
  for await (const chunk of raw) {
    if (hasFailed) return;
    if (parser.write(chunk)) continue;
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
