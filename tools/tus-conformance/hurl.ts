/** Reads hurl files (https://hurl.dev), as far as the conformance suite for tus uses the format. */

interface Assertion {
  /** `status`, or `header` and its name. */
  readonly subject: string;
  readonly isNot: boolean;
  readonly predicate: string;
  readonly expected: string;
}

/** A request, and what its response has to be. */
export interface HurlEntry {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** `*` stands for any. */
  readonly status: string;
  /** Header by variable. */
  readonly captures: readonly (readonly [variable: string, header: string])[];
  readonly assertions: readonly Assertion[];
}

export interface HurlResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

type Draft = {
  -readonly [K in keyof HurlEntry]: HurlEntry[K] extends readonly (infer T)[] ? T[] : HurlEntry[K];
};

const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+)$/;
const fence = '```';

/** Throws for a line of a construct that it does not know. */
export function parseHurl(text: string): HurlEntry[] {
  const entries: Draft[] = [];
  let section = 'headers';
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const line = (lines[i] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, method, url] = requestLine.exec(line) ?? [];
    const entry = entries.at(-1);
    if (method !== undefined && url !== undefined) {
      entries.push({ ...emptyEntry(), method, url });
      section = 'headers';
    } else if (entry === undefined) throw unknownLineError(line);
    else if (line === fence) {
      const end = lines.indexOf(fence, i + 1);
      entry.body = lines
        .slice(i + 1, end)
        .map((each) => `${each}\n`)
        .join('');
      i = end;
    } else if (line.startsWith('HTTP ')) {
      entry.status = line.slice('HTTP '.length);
      section = 'response';
    } else if (line.startsWith('[')) section = line;
    else addLine(entry, section, line);
  }
  return entries;
}

const emptyEntry = (): Draft => ({
  method: '',
  url: '',
  headers: [],
  body: null,
  status: '*',
  captures: [],
  assertions: [],
});

function addLine(entry: Draft, section: string, line: string): void {
  const [, name = '', value = ''] = /^([\w-]+): *(.*)$/.exec(line) ?? [];
  const [, header] = /^header "([^"]+)"$/.exec(value) ?? [];
  if (section === 'headers' && name !== '') entry.headers.push([name, value]);
  else if (section === '[Captures]' && header) entry.captures.push([name, header]);
  else if (section === '[Asserts]') entry.assertions.push(parseAssertion(line));
  else throw unknownLineError(line);
}

const predicates = 'exists|==|<|<=|>=|matches|contains|startsWith';
const assertionLine = new RegExp(
  `^(status|header "[^"]+")(?: toString)?( not)? (${predicates})(?: (.+))?$`,
);

function parseAssertion(line: string): Assertion {
  const [, subject, not, predicate, expected = ''] = assertionLine.exec(line) ?? [];
  if (subject === undefined || predicate === undefined) throw unknownLineError(line);
  return { subject, isNot: not !== undefined, predicate, expected };
}

const unknownLineError = (line: string): Error => new Error(`not known of hurl: ${line}`);

export const substituteVariables = (text: string, variables: ReadonlyMap<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`there is no ${name}`);
    return value;
  });

/** What is wrong with the answer, one text each. */
export function findMismatches(
  { status, assertions }: HurlEntry,
  answer: HurlResponse,
  variables: ReadonlyMap<string, string>,
): string[] {
  const isStatus = status === '*' || Number(status) === answer.status;
  return [
    ...(isStatus ? [] : [`status ${answer.status} and not ${status}`]),
    ...assertions.filter((each) => !assertionHolds(each, answer, variables)).map(describeAssertion),
  ];
}

const describeAssertion = ({ subject, isNot, predicate, expected }: Assertion): string =>
  `not so: ${subject}${isNot ? ' not' : ''} ${predicate} ${expected}`.trim();

function assertionHolds(
  { subject, isNot, predicate, expected }: Assertion,
  { status, headers }: HurlResponse,
  variables: ReadonlyMap<string, string>,
): boolean {
  const name = /"([^"]+)"/.exec(subject)?.[1]?.toLowerCase();
  const actual = name === undefined ? String(status) : headers[name];
  if (predicate === 'exists') return (actual !== undefined) !== isNot;
  if (actual === undefined) return false;
  const wanted = substituteVariables(parseLiteral(expected), variables);
  return compare(predicate, actual, wanted) !== isNot;
}

/** `"text"` with escapes, `/pattern/`, or a number. */
function parseLiteral(expected: string): string {
  if (expected.startsWith('"')) return JSON.parse(expected) as string;
  return expected.replace(/^\/(.*)\/$/, '$1');
}

function compare(predicate: string, actual: string, wanted: string): boolean {
  if (predicate === '==') return actual === wanted;
  if (predicate === 'matches') return new RegExp(wanted).test(actual);
  if (predicate === 'contains') return actual.includes(wanted);
  if (predicate === 'startsWith') return actual.startsWith(wanted);
  if (predicate === '<') return Number(actual) < Number(wanted);
  if (predicate === '<=') return Number(actual) <= Number(wanted);
  return Number(actual) >= Number(wanted);
}
