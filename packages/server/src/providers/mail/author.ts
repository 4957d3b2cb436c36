import { domainToASCII } from 'node:url';

/** A raw header line: its name in lower case, and the whole line with its folds. */
export interface HeaderLine {
  readonly key: string;
  readonly line: Uint8Array;
}

/**
 * Fields that may occur at most once (RFC 5322, 3.6; RFC 2045). If one occurs twice, programs
 * differ in which one they read, and a signature covers only one of them.
 */
const singletons: ReadonlySet<string> = new Set([
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'to',
  'cc',
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]);

const valueCharactersMax = 1_000;
/** A field with its folds, or the separator line of a mailbox file. */
const fieldLine = /^(?:[!-9;-~]+[ \t]*:|From [^:])/;
const lineBreak = /\r(?!\n)|\n(?![ \t])/;
const atext = "[a-z0-9!#$%&'*+/=?^_`{|}~-]";
const localPart = new RegExp(`^${atext}+(?:\\.${atext}+)*$`);
const localPartMax = 64;
const domainPattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** Special characters of a display name must be quoted, so it cannot contain a second address. */
const named = /^(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:\\()[\]])*<([^<>"\s]+)>$/;
const bare = /^[^<>"\s]+$/;

/**
 * The author of a mail in canonical form, if the header identifies exactly one; otherwise null. Two
 * parsers must not find different addresses, so anything unusual is rejected: several addresses,
 * groups, comments, quoted local parts, non-ASCII local parts, control characters, encoded words in
 * the address, and repeated fields; also lines that parsers may treat as a field, a fold or the end
 * of the header.
 */
export function parseAuthor(lines: readonly HeaderLine[]): string | null {
  const seen = new Set<string>();
  let from: string | null = null;
  for (const { key, line } of lines) {
    if (key === 'from' && line.length > 2 * valueCharactersMax) return null;
    const text = Buffer.from(line).toString('latin1');
    if (!fieldLine.test(text) || lineBreak.test(text)) return null;
    if (singletons.has(key)) {
      if (seen.has(key)) return null;
      seen.add(key);
    }
    if (key === 'from') from = new TextDecoder().decode(line);
  }
  if (from === null || from.length > valueCharactersMax) return null;
  const value = from
    .slice(from.indexOf(':') + 1)
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .trim();
  if (/[^\P{Cc}\t]|\p{Cf}|\ufffd/u.test(value)) return null;
  const address = named.exec(value)?.[1] ?? (bare.test(value) ? value : null);
  return address === null ? null : canonicalAddress(address);
}

/** Lower case, with the domain in DNS form; null if the address has no unique form. */
export function canonicalAddress(address: string): string | null {
  const at = address.indexOf('@');
  if (at < 1 || at !== address.lastIndexOf('@')) return null;
  // Checked before toLowerCase, which would map letters such as the Kelvin sign to ASCII.
  const local = address.slice(0, at);
  if (/[^\x21-\x7e]/.test(local) || local.length > localPartMax) return null;
  const domain = domainToASCII(address.slice(at + 1)).replace(/\.$/, '');
  if (!localPart.test(local.toLowerCase()) || !domainPattern.test(domain)) return null;
  return `${local.toLowerCase()}@${domain}`;
}

export const getDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
