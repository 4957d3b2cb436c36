import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import type { MailAuthentication } from '@mneme/contract';
import type { AuthenticateResult } from 'mailauth';
import { canonicalAddress, getDomain, type HeaderLine, parseAuthor } from './author.ts';
import { limitDkimSignatures } from './limit-dkim-signatures.ts';
import { parseMailHeader } from './mail-header.ts';

/** DNS responses as Node returns them; throws errors with Node's codes (ENOTFOUND). */
export type DnsResolver = (name: string, type: string) => Promise<string[][] | string[]>;

export interface AuthenticationVerdict {
  readonly results: MailAuthentication;
  /** The policy of the author's domain requests rejection. */
  readonly isRejectedByPolicy: boolean;
  /**
   * The only address of the From field in canonical form; null if there is none or it is ambiguous.
   */
  readonly author: string | null;
  /**
   * SPF or DKIM authenticates the domain of that address, or of its organization (RFC 7489, 3.1).
   */
  readonly isAligned: boolean;
}

interface Envelope {
  /** Empty: a bounce. */
  readonly sender: string;
  readonly ip: string | null;
  readonly helo: string | null;
  /** The address at which it arrived. */
  readonly recipient: string;
}

const attempt = { timeout: 2_000, tries: 2 };

/** With an unreachable name server, each query fails within seconds. */
export function createResolver(): DnsResolver {
  const resolver = new Resolver(attempt);
  return (name, type) => resolver.resolve(name, type) as Promise<string[][] | string[]>;
}

/**
 * Checks SPF, DKIM, DMARC and ARC of a raw mail. A failed DNS lookup results in temperror, never in
 * an exception.
 */
export async function authenticateMail(
  raw: AsyncIterable<Uint8Array>,
  envelope: Envelope,
  { resolve, mta }: { resolve: DnsResolver; mta: string },
): Promise<AuthenticationVerdict> {
  // Loaded with the first mail: it needs 0.3 s and 40 MB.
  const { authenticate } = await import('mailauth');
  const { ip, helo, sender, recipient } = envelope;
  const stream = Readable.from(limitDkimSignatures(raw), { objectMode: false });
  try {
    const checks = await authenticate(stream, {
      resolver: memoizeResolver(resolve),
      mta,
      sender,
      ...(ip === null ? {} : { ip, helo: helo ?? ip }),
      disableBimi: true,
    });
    const { spf, dkim, dmarc, arc } = checks;
    const results = {
      spf: ip === null ? 'none' : resultOf(spf),
      dkim: dkimResult(dkim.results ?? []),
      dmarc: resultOf(dmarc),
      arc: resultOf(arc),
    };
    const policy = dmarc ? dmarc.policy?.trim().toLowerCase() : null;
    const rejects = results.dmarc === 'fail' && policy === 'reject';
    const lines = (dkim.headers?.parsed ?? []) as unknown as readonly HeaderLine[];
    const author = parseAuthor(lines);
    const header = { author, lines, recipient };
    const isAligned = results.dmarc !== 'fail' && (await checkAlignment(header, checks, results));
    return { results, isRejectedByPolicy: rejects, author, isAligned };
  } catch {
    // A header that cannot be parsed neither authenticates nor rejects the mail.
    const results = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' };
    return { results, isRejectedByPolicy: false, author: null, isAligned: false };
  } finally {
    stream.destroy();
  }
}

interface Header {
  readonly author: string | null;
  readonly lines: readonly HeaderLine[];
  readonly recipient: string;
}

/** Fields of the library's result that its types omit. */
interface Signature {
  readonly signingDomain?: string;
  readonly algo?: string;
  readonly status: { readonly result?: string; readonly underSized?: number | boolean };
  /** Names of the signed fields, separated by colons. */
  readonly signingHeaders?: { readonly keys?: string };
}

/**
 * Whether an authenticated domain is aligned with the author's, by the rules of DMARC; without a
 * DMARC record, by relaxed alignment. Stricter than the library for signatures, since anyone can
 * resend a signed mail anywhere: a signature must cover the whole body (no l=), the From field, the
 * Subject, which contains the command, the Message-ID, which identifies repeated mails, and a
 * recipient field with this recipient.
 */
async function checkAlignment(
  { author, lines, recipient }: Header,
  { spf, dkim, dmarc }: AuthenticateResult,
  results: MailAuthentication,
): Promise<boolean> {
  if (author === null) return false;
  const { rr: record = '' } = (dmarc || {}) as { rr?: string };
  const own = getDomain(author);
  const authenticatedDomains: string[] = [];
  const addDomain = (domain: string, isStrict: boolean): void => {
    const plain = domain.toLowerCase().replace(/\.$/, '');
    if (plain !== '' && (!isStrict || plain === own)) authenticatedDomains.push(plain);
  };
  if (results.spf === 'pass' && spf) addDomain(spf.domain, isExact(record, 'aspf'));
  const needed = ['from', 'message-id'];
  if (lines.some(({ key }) => key === 'subject')) needed.push('subject');
  for (const signature of (dkim.results ?? []) as Signature[]) {
    const { signingDomain, algo, status, signingHeaders } = signature;
    const covered = new Set((signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/));
    if (status.result !== 'pass' || status.underSized || /sha1$/i.test(algo ?? '')) continue;
    if (!needed.every((key) => covered.has(key))) continue;
    const recipientLines = lines.filter(
      ({ key }) => ['to', 'cc'].includes(key) && covered.has(key),
    );
    if (await namesAddress(recipientLines, recipient))
      addDomain(signingDomain ?? '', isExact(record, 'adkim'));
  }
  if (authenticatedDomains.length === 0) return false;
  if (authenticatedDomains.includes(own)) return true;
  const { dmarc: compare } = await import('mailauth/lib/dmarc/index.js');
  const withoutModes: DnsResolver = async () => [['v=DMARC1; p=none']];
  const verdict = await compare({
    headerFrom: author,
    spfDomains: authenticatedDomains,
    dkimDomains: [],
    resolver: withoutModes,
  });
  return resultOf(verdict) === 'pass';
}

/**
 * Whether a DMARC record requires strict alignment, in any spelling; the library accepts only one.
 */
const isExact = (record: string, mode: 'aspf' | 'adkim'): boolean =>
  new RegExp(`(?:^|;)\\s*${mode}\\s*=\\s*s\\s*(?:;|$)`, 'i').test(record);

/** Whether the fields contain an address, with or without a plus suffix. */
async function namesAddress(fields: readonly HeaderLine[], recipient: string): Promise<boolean> {
  const { to } = await parseMailHeader(
    Buffer.concat(fields.flatMap(({ line }) => [line, lineEnd])),
  );
  const expected = plain(recipient);
  return expected !== null && to.some((address) => plain(address) === expected);
}

const lineEnd = Buffer.from('\r\n');
const plain = (address: string): string | null =>
  canonicalAddress(address)?.replace(/\+[^@]*/, '') ?? null;

/** Caches DNS queries within one mail: a record may be referenced many times. */
function memoizeResolver(resolve: DnsResolver): DnsResolver {
  const cache = new Map<string, ReturnType<DnsResolver>>();
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const existing = cache.get(key) ?? resolve(name, type);
    cache.set(key, existing);
    return existing;
  };
}

const resultOf = (check: { status?: { result?: string } } | false | undefined): string =>
  (check || undefined)?.status?.result ?? 'none';

/** One valid signature suffices; otherwise the result of the first one. */
function dkimResult(results: readonly { status?: { result?: string } }[]): string {
  const found = results.map((one) => resultOf(one));
  return found.find((one) => one === 'pass') ?? found[0] ?? 'none';
}
