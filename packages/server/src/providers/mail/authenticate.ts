import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import type { MailAuthentication } from '@mneme/contract';
import type { AuthenticateResult } from 'mailauth';
import { canonicalAddress, getDomain, type HeaderLine, parseAuthor } from './author.ts';
import { parseMailHeader } from './mail-header.ts';
import { limitSignatures } from './signatures.ts';

/** Answers of the DNS as Node gives them; throws errors with its codes (ENOTFOUND). */
export type DnsResolver = (name: string, type: string) => Promise<string[][] | string[]>;

export interface AuthenticationVerdict {
  readonly results: MailAuthentication;
  /** The author's domain asks that mail like this be refused. */
  readonly isRejectedByPolicy: boolean;
  /** The one address of the From field, canonical; null: there is none, or it is ambiguous. */
  readonly author: string | null;
  /** SPF or DKIM proves the domain of that address, or of its organization (RFC 7489, 3.1). */
  readonly isAligned: boolean;
}

interface Envelope {
  /** Empty: a bounce. */
  readonly sender: string;
  readonly ip: string | null;
  readonly helo: string | null;
  /** Where it arrived. */
  readonly recipient: string;
}

const attempt = { timeout: 2_000, tries: 2 };

/** Of a name server that is out of reach each question fails within seconds. */
export function createResolver(): DnsResolver {
  const resolver = new Resolver(attempt);
  return (name, type) => resolver.resolve(name, type) as Promise<string[][] | string[]>;
}

/** SPF, DKIM, DMARC and ARC of a raw mail. What cannot be looked up is temperror, never a fault. */
export async function authenticateMail(
  raw: AsyncIterable<Uint8Array>,
  envelope: Envelope,
  { resolve, mta }: { resolve: DnsResolver; mta: string },
): Promise<AuthenticationVerdict> {
  // With the first mail: it takes .3 s and 40 MB.
  const { authenticate } = await import('mailauth');
  const { ip, helo, sender, recipient } = envelope;
  const stream = Readable.from(limitSignatures(raw), { objectMode: false });
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
    const asked = dmarc ? dmarc.policy?.trim().toLowerCase() : null;
    const rejects = results.dmarc === 'fail' && asked === 'reject';
    const lines = (dkim.headers?.parsed ?? []) as unknown as readonly HeaderLine[];
    const author = parseAuthor(lines);
    const header = { author, lines, recipient };
    const isAligned = results.dmarc !== 'fail' && (await checkAlignment(header, checks, results));
    return { results, isRejectedByPolicy: rejects, author, isAligned };
  } catch {
    // A header that the checks cannot read proves nothing, and refuses nothing.
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

/** What the library finds beyond its types. */
interface Signature {
  readonly signingDomain?: string;
  readonly algo?: string;
  readonly status: { readonly result?: string; readonly underSized?: number | boolean };
  /** The names of the fields that it covers, between colons. */
  readonly signingHeaders?: { readonly keys?: string };
}

/**
 * Whether a domain that the mail proves is the author's, by the rule of DMARC; where the domain
 * publishes no DMARC record, by the rule that holds for one without modes. Stricter than the
 * library in signatures, since a signed mail may be sent again, anywhere, by anybody who has it:
 * one must cover a body as a whole (no l=), the From field, the Subject, in which the command is,
 * the Message-ID, by which a mail that comes again is known, and a recipient: this one.
 */
async function checkAlignment(
  { author, lines, recipient }: Header,
  { spf, dkim, dmarc }: AuthenticateResult,
  results: MailAuthentication,
): Promise<boolean> {
  if (author === null) return false;
  const { rr: record = '' } = (dmarc || {}) as { rr?: string };
  const own = getDomain(author);
  const proven: string[] = [];
  const prove = (domain: string, isStrict: boolean): void => {
    const plain = domain.toLowerCase().replace(/\.$/, '');
    if (plain !== '' && (!isStrict || plain === own)) proven.push(plain);
  };
  if (results.spf === 'pass' && spf) prove(spf.domain, isExact(record, 'aspf'));
  const needed = ['from', 'message-id'];
  if (lines.some(({ key }) => key === 'subject')) needed.push('subject');
  for (const signature of (dkim.results ?? []) as Signature[]) {
    const { signingDomain, algo, status, signingHeaders } = signature;
    const covered = new Set((signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/));
    if (status.result !== 'pass' || status.underSized || /sha1$/i.test(algo ?? '')) continue;
    if (!needed.every((key) => covered.has(key))) continue;
    const told = lines.filter(({ key }) => ['to', 'cc'].includes(key) && covered.has(key));
    if (await namesAddress(told, recipient)) prove(signingDomain ?? '', isExact(record, 'adkim'));
  }
  if (proven.length === 0) return false;
  if (proven.includes(own)) return true;
  const { dmarc: compare } = await import('mailauth/lib/dmarc/index.js');
  const withoutModes: DnsResolver = async () => [['v=DMARC1; p=none']];
  const verdict = await compare({
    headerFrom: author,
    spfDomains: proven,
    dkimDomains: [],
    resolver: withoutModes,
  });
  return resultOf(verdict) === 'pass';
}

/** Whether a DMARC record asks for exact alignment, in any spelling: the library knows one. */
const isExact = (record: string, mode: 'aspf' | 'adkim'): boolean =>
  new RegExp(`(?:^|;)\\s*${mode}\\s*=\\s*s\\s*(?:;|$)`, 'i').test(record);

/** Whether the fields name an address, with or without what follows a plus. */
async function namesAddress(fields: readonly HeaderLine[], recipient: string): Promise<boolean> {
  const { to } = await parseMailHeader(
    Buffer.concat(fields.flatMap(({ line }) => [line, lineEnd])),
  );
  const meant = plain(recipient);
  return meant !== null && to.some((address) => plain(address) === meant);
}

const lineEnd = Buffer.from('\r\n');
const plain = (address: string): string | null =>
  canonicalAddress(address)?.replace(/\+[^@]*/, '') ?? null;

/** The same question within one mail is asked once: a record may be named many times. */
function memoizeResolver(resolve: DnsResolver): DnsResolver {
  const asked = new Map<string, ReturnType<DnsResolver>>();
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const known = asked.get(key) ?? resolve(name, type);
    asked.set(key, known);
    return known;
  };
}

const resultOf = (check: { status?: { result?: string } } | false | undefined): string =>
  (check || undefined)?.status?.result ?? 'none';

/** One good signature is enough; else what the first one came to. */
function dkimResult(results: readonly { status?: { result?: string } }[]): string {
  const found = results.map((one) => resultOf(one));
  return found.find((one) => one === 'pass') ?? found[0] ?? 'none';
}
