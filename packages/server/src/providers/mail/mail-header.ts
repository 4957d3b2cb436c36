import type { Headers } from 'mailparser';

/** The decoded header of a mail; addresses in lower case. */
export interface MailHeader {
  /** Without angle brackets. */
  readonly messageId: string | null;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly subject: string;
  /** Message-IDs of the thread, the direct parent last. */
  readonly thread: readonly string[];
  /** From Auto-Submitted and its non-standard equivalents. */
  readonly automatic: 'no' | 'replied' | 'generated';
  readonly isList: boolean;
  /** A delivery status notification. */
  readonly isReport: boolean;
  /** Number of servers that it passed. */
  readonly hops: number;
}

const threadMax = 50;
const messageIdCharactersMax = 998;
const subjectCharactersMax = 998;
const addressesMax = 1_000;

/** Parses only the header; `bytes` may contain more. An unparsable header yields empty values. */
export async function parseMailHeader(bytes: Uint8Array): Promise<MailHeader> {
  const { MailParser } = await import('mailparser');
  const parser = new MailParser();
  const parsed = Promise.withResolvers<Headers>();
  parser.once('headers', parsed.resolve);
  parser.once('end', () => parsed.resolve(new Map()));
  parser.on('error', () => parsed.resolve(new Map()));
  parser.resume();
  parser.end(Buffer.concat([bytes, Buffer.from('\r\n\r\n')]));
  return toMailHeader(await parsed.promise);
}

export function toMailHeader(headers: Headers): MailHeader {
  const contentType = headers.get('content-type') as { value?: string } | undefined;
  const isReport = contentType?.value?.toLowerCase() === 'multipart/report';
  return {
    messageId: idsIn(headers.get('message-id'))[0] ?? null,
    from: addressesIn(headers.get('from')),
    to: ['to', 'cc', 'delivered-to', 'x-original-to'].flatMap((name) =>
      addressesIn(headers.get(name)),
    ),
    subject: oneLine(textOf(headers.get('subject'))).slice(0, subjectCharactersMax),
    thread: [
      ...new Set([...idsIn(headers.get('references')), ...idsIn(headers.get('in-reply-to'))]),
    ].slice(-threadMax),
    automatic: detectAutomatic(headers),
    isList: headers.has('list') || /^(?:list|bulk|junk)$/i.test(textOf(headers.get('precedence'))),
    isReport,
    hops: listOf(headers.get('received')).length,
  };
}

function detectAutomatic(headers: Headers): MailHeader['automatic'] {
  const autoSubmitted = textOf(headers.get('auto-submitted')).toLowerCase();
  if (autoSubmitted.startsWith('auto-replied')) return 'replied';
  const replies = ['x-autoreply', 'x-autorespond', 'x-auto-reply'].some((name) =>
    headers.has(name),
  );
  if (replies || /^auto_reply$/i.test(textOf(headers.get('precedence')))) return 'replied';
  if (autoSubmitted !== '' && !autoSubmitted.startsWith('no')) return 'generated';
  return headers.has('feedback-id') || headers.has('x-loop') ? 'generated' : 'no';
}

const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The last one of a repeated header counts, as in the parser. */
function textOf(value: unknown): string {
  const last = listOf(value).at(-1);
  if (typeof last === 'string') return last;
  const { text, value: inner } = Object(last) as { text?: unknown; value?: unknown };
  if (typeof text === 'string') return text;
  return typeof inner === 'string' ? inner : '';
}

/** Prevents line injection into headers built from this text. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim();

function idsIn(value: unknown): string[] {
  const found = listOf(value).flatMap((one) => String(one).split(/[\s,<>]+/));
  return found
    .map((id) => oneLine(id))
    .filter((id) => id !== '' && id.length <= messageIdCharactersMax)
    .slice(-threadMax);
}

interface AddressNode {
  readonly address?: string;
  readonly group?: readonly AddressNode[];
}

function addressesIn(value: unknown): string[] {
  const found: string[] = [];
  const queue = listOf(value).flatMap((one) =>
    typeof one === 'string'
      ? [{ address: one }]
      : ((Object(one) as { value?: readonly AddressNode[] }).value ?? []),
  );
  while (queue.length > 0 && found.length < addressesMax) {
    const next = queue.shift();
    const address = oneLine(next?.address ?? '').toLowerCase();
    if (/^[^\s@<>]+@[^\s@<>]+$/.test(address) && address.length <= 320) found.push(address);
    queue.push(...(next?.group ?? []));
  }
  return found;
}
