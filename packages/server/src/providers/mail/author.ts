import { domainToASCII } from 'node:url';

/** A line of a header as it came: its name in lower case, and the whole line with its folds. */
export interface HeaderLine {
  readonly key: string;
  readonly line: Uint8Array;
}

/**
 * Fields that a mail has at most once (RFC 5322, 3.6; RFC 2045). Where one occurs twice, programs
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
/** A field with its folds, or the line that a mailbox file has before the first one. */
const fieldLine = /^(?:[!-9;-~]+[ \t]*:|From [^:])/;
const lineBreak = /\r(?!\n)|\n(?![ \t])/;
const atext = "[a-z0-9!#$%&'*+/=?^_`{|}~-]";
const localPart = new RegExp(`^${atext}+(?:\\.${atext}+)*$`);
const localPartMax = 64;
const domainPattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
/** A display name has its special characters in quotes: no second address fits into it. */
const named = /^(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:\\()[\]])*<([^<>"\s]+)>$/;
const bare = /^[^<>"\s]+$/;

/**
 * The one author of a mail, in its canonical form, where its header leaves no doubt who that is;
 * else null. Two parsers must not come to different addresses, so everything unusual is refused:
 * several addresses, groups, comments, quoted local parts, non-ASCII local parts, control
 * characters, encoded words in the address, and fields that occur twice; and lines that one parser
 * takes for a field, and another one for a fold or for the end of the header.
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

/** In lower case, its domain as in the DNS; null: it is none that has one form only. */
export function canonicalAddress(address: string): string | null {
  const at = address.indexOf('@');
  if (at < 1 || at !== address.lastIndexOf('@')) return null;
  // Not by toLowerCase first: letters such as the Kelvin sign would become ASCII ones.
  const local = address.slice(0, at);
  if (/[^\x21-\x7e]/.test(local) || local.length > localPartMax) return null;
  const domain = domainToASCII(address.slice(at + 1)).replace(/\.$/, '');
  if (!localPart.test(local.toLowerCase()) || !domainPattern.test(domain)) return null;
  return `${local.toLowerCase()}@${domain}`;
}

export const getDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
