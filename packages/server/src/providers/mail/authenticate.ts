import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import type { MailAuthentication } from '@mneme/contract';
import type { AuthenticateResult } from 'mailauth';
import { authorOf, domainOf, type HeaderLine } from './author.ts';

/** Answers of the DNS as Node gives them; throws errors with its codes (ENOTFOUND). */
export type ResolveName = (name: string, type: string) => Promise<string[][] | string[]>;

export interface Verdict {
  readonly results: MailAuthentication;
  /** The author's domain asks that mail like this be refused. */
  readonly rejects: boolean;
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
}

const attempt = { timeout: 2_000, tries: 2 };

/** Of a name server that is out of reach each question fails within seconds. */
export function createResolver(): ResolveName {
  const resolver = new Resolver(attempt);
  return (name, type) => resolver.resolve(name, type) as Promise<string[][] | string[]>;
}

/** SPF, DKIM, DMARC and ARC of a raw mail. What cannot be looked up is temperror, never a fault. */
export async function authenticateMail(
  raw: AsyncIterable<Uint8Array>,
  envelope: Envelope,
  { resolve, mta }: { resolve: ResolveName; mta: string },
): Promise<Verdict> {
  // With the first mail: it takes .3 s and 40 MB.
  const { authenticate } = await import('mailauth');
  const { ip, helo, sender } = envelope;
  const stream = Readable.from(raw, { objectMode: false });
  try {
    const checks = await authenticate(stream, {
      resolver: remembered(resolve),
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
    const asked = dmarc ? dmarc.policy : null;
    const rejects = results.dmarc === 'fail' && asked === 'reject';
    const lines = (dkim.headers?.parsed ?? []) as unknown as readonly HeaderLine[];
    const author = authorOf(lines);
    const isAligned =
      author !== null && results.dmarc !== 'fail' && (await aligns(author, lines, checks, results));
    return { results, rejects, author, isAligned };
  } catch {
    // A header that the checks cannot read proves nothing, and refuses nothing.
    const results = { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' };
    return { results, rejects: false, author: null, isAligned: false };
  } finally {
    stream.destroy();
  }
}

/** What the library finds beyond its types. */
interface Signature {
  readonly signingDomain?: string;
  readonly status: { readonly result?: string; readonly underSized?: number | boolean };
  /** The names of the fields that it covers, between colons. */
  readonly signingHeaders?: { readonly keys?: string };
}
interface Modes {
  readonly alignment?: { readonly spf: { strict?: boolean }; readonly dkim: { strict?: boolean } };
}

/**
 * Whether a domain that the mail proves is the author's, by the rule of DMARC; where the domain
 * publishes no DMARC record, by the rule that holds for one without modes. Stricter than the
 * library in what a signature must cover: a body as a whole (no l=), the From field and the
 * Subject, since the command is in it and a signed mail may be sent again by anybody.
 */
async function aligns(
  author: string,
  lines: readonly HeaderLine[],
  { spf, dkim, dmarc }: AuthenticateResult,
  results: MailAuthentication,
): Promise<boolean> {
  const modes = ((dmarc || {}) as Modes).alignment;
  const own = domainOf(author);
  const proven: string[] = [];
  const prove = (domain: string, isStrict = false): void => {
    const plain = domain.toLowerCase().replace(/\.$/, '');
    if (plain !== '' && (!isStrict || plain === own)) proven.push(plain);
  };
  if (results.spf === 'pass' && spf) prove(spf.domain, modes?.spf.strict);
  const hasSubject = lines.some(({ key }) => key === 'subject');
  for (const { signingDomain, status, signingHeaders } of (dkim.results ?? []) as Signature[]) {
    const covered = new Set((signingHeaders?.keys ?? '').toLowerCase().split(/\s*:\s*/));
    const isWhole = covered.has('from') && (!hasSubject || covered.has('subject'));
    if (status.result !== 'pass' || status.underSized || !isWhole) continue;
    prove(signingDomain ?? '', modes?.dkim.strict);
  }
  if (proven.length === 0) return false;
  if (proven.includes(own)) return true;
  const { dmarc: compare } = await import('mailauth/lib/dmarc/index.js');
  const withoutModes: ResolveName = async () => [['v=DMARC1; p=none']];
  const verdict = await compare({
    headerFrom: author,
    spfDomains: proven,
    dkimDomains: [],
    resolver: withoutModes,
  });
  return resultOf(verdict) === 'pass';
}

/** The same question within one mail is asked once: a record may be named many times. */
function remembered(resolve: ResolveName): ResolveName {
  const asked = new Map<string, ReturnType<ResolveName>>();
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
