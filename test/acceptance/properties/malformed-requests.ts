import { allRoutes, type Route } from '@mneme/contract';
import { runCount } from '../../support/run-count.ts';
import type { FuzzRequest, FuzzTarget } from './fuzz-target.ts';
import { bodyFieldsOf, operationOf } from './fuzzed-operations.ts';

export interface MalformedRequest {
  readonly name: string;
  readonly request: FuzzRequest;
}

const deep = 10_000;
const nested = (open: string, inside: string, close: string): string =>
  open.repeat(deep) + inside + close.repeat(deep);

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  'a truncated object': '{"content": "x',
  'no JSON': 'content=x',
  'an empty body': '',
  'white space': ' \n ',
  'a list': '[{"content": "x"}]',
  'a text': '"content"',
  'a number': '1e400',
  null: 'null',
  'bytes that are no UTF-8': Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d),
  'a byte order mark': '\ufeff{}',
  'UTF-16': Uint8Array.from(Buffer.from('{"a":1}', 'utf16le')),
  'deep lists': nested('[', '', ']'),
  'deep objects': nested('{"a":', '1', '}'),
  'deep unknown field': `{"unknown": ${nested('[', '', ']')}}`,
  'a __proto__ key': '{"__proto__": {"content": "x", "name": "x", "q": "x"}}',
  'a constructor key': '{"constructor": {"prototype": {"polluted": true}}}',
  'a key with NUL': '{"a\\u0000b": 1}',
  'a key of half a character': '{"\\ud800": 1}',
  'an empty key': '{"": 1}',
  'a key twice': '{"name": "one", "name": 2, "content": "one", "content": 2, "q": 1}',
};

/** Put raw where a field's value stands. */
const values: Readonly<Record<string, string>> = {
  '1e400': '1e400',
  '-1e400': '-1e400',
  '2^53 + 1': '9007199254740993',
  'a number of 400 digits': '9'.repeat(400),
  '-0': '-0',
  'a deep list': nested('[', '', ']'),
  'a deep object': nested('{"a":', '1', '}'),
  'a list of deep objects': `[${nested('{"a":', '1', '}')}]`,
  'a __proto__ key': '{"__proto__": {"polluted": true}}',
  'a key with NUL': '{"a\\u0000b": "x"}',
  'a value with NUL': '{"a": "x\\u0000"}',
  NUL: '"\\u0000"',
  'half a character': '"\\udfff"',
  'a half character within': '["\\ud83d x"]',
  '1e400 within': '{"a": 1e400}',
  'a list of 1e308': `[${Array(192).fill('1e308').join()}]`,
  'a list of zeros': `[${Array(192).fill('0').join()}]`,
  'a list of 5e-324': `[${Array(192).fill('5e-324').join()}]`,
};

/** Fields with schemas of their own; the long run also sends them to bodies without them. */
const unusualFields: readonly string[] = [
  ...['metadata', 'tags', 'embedding', 'occurred_at', 'name', 'ids', 'set', 'memories'],
];

const paths = [
  '%00',
  '%zz',
  '%',
  '%ff',
  '..%2f..',
  '%2F',
  'null',
  'a'.repeat(900),
  "'--",
  '%F0%9F',
  'mem_',
];
const queries: readonly string[] = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit=1e400',
  'limit=9007199254740993',
  'limit=',
  'offset=-1&cursor=x',
  'cursor=%00',
  'cursor=eyJwIjoxfQ',
  'cursor=W10',
  '%zz=1',
  'q=%zz',
  'q=%ff&limit=1',
  'q=%00',
  'q=a&q=b',
  'q=%22',
  'q=x&metadata.a%00b=1',
  'q=x&metadata.__proto__=1',
  'q=x&metadata.=1',
  'q=x&__proto__=1',
  'q=x&created_after=0001-01-01T00:00:00%2B23:59',
  'q=x&created_before=9999-12-31T23:59:59-23:59',
  `q=${'x'.repeat(1_001)}`,
  'confirm=TRUE',
  'confirm=true&confirm=false',
  'soft=1',
  '__proto__=1',
  'constructor=1',
  'space_id=%00',
  'space=%00',
  'space=',
  'space=a&space=b',
  'space[]=a',
  'space=a&space_id=null',
  'tags=%00',
  'type=__proto__',
  '=',
  '&&&',
];

const headers: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': '\u00e9' },
  { 'if-match': '"999"' },
  { 'if-match': ',,,' },
  { 'x-request-id': 'x'.repeat(200) },
  { 'x-confirm': 'maybe' },
];

/**
 * One of so many, others for the next route or field: mechanisms of all routes read them, so that
 * each fault reaches many routes, and each route many faults. The long run sends all to all.
 */
const shareOf = <T>(route: Route, all: readonly T[], one: number, offset = 0): readonly T[] =>
  runCount(
    all.filter((_, i) => (i + offset + allRoutes.indexOf(route)) % one === 0),
    all,
  );

/** One fault each; the rest of the request is the route's own example on something that exists. */
export function* malformedRequests(route: Route, target: FuzzTarget): Generator<MalformedRequest> {
  const { body, query } = route.example;
  const plain: FuzzRequest = {
    path: target.pathOf(route, 0),
    query: query ? `?${new URLSearchParams(query as Record<string, string>)}` : '',
    headers: {},
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const mayHaveBody = route.method !== 'GET';
  const sentBodies = Object.entries(mayHaveBody ? bodies : {});
  for (const [name, sent] of shareOf(route, sentBodies, 4)) {
    yield { name, request: { ...plain, body: sent } };
  }
  // The outcome's fingerprint reads the body, too.
  for (const [name, sent] of route.idempotent ? shareOf(route, sentBodies, 6) : []) {
    const key = { 'idempotency-key': `${route.id} ${name}` };
    yield { name: `${name}, with a key`, request: { ...plain, headers: key, body: sent } };
  }
  yield* malformedFields(route, plain);
  if (route.path.includes(':')) {
    for (const id of shareOf(route, paths, 3)) {
      yield { name: `id ${id}`, request: { ...plain, path: route.path.replaceAll(/:\w+/g, id) } };
    }
  }
  const hasQuery = operationOf(route).parameters?.some((one) => one.in === 'query') ?? false;
  for (const text of shareOf(route, queries, hasQuery ? 3 : 9))
    yield { name: `?${text}`, request: { ...plain, query: `?${text}` } };
  for (const set of shareOf(route, headers, 4)) {
    const sent = mayHaveBody ? { ...plain, body: plain.body ?? '{}' } : plain;
    yield { name: JSON.stringify(set), request: { ...sent, headers: set } };
  }
}

function* malformedFields(route: Route, plain: FuzzRequest): Generator<MalformedRequest> {
  if (!route.body) return;
  const example = (route.example.body ?? {}) as Record<string, unknown>;
  const own = bodyFieldsOf(route);
  const unusual = runCount(
    unusualFields.filter((name) => own.has(name)),
    unusualFields,
  );
  const names = new Set([...Object.keys(example), ...unusual]);
  for (const [i, field] of [...names].entries()) {
    for (const [name, value] of shareOf(route, Object.entries(values), 4, i)) {
      const others = Object.entries(example).filter(([key]) => key !== field);
      const pairs = others.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`);
      const body = `{${[...pairs, `${JSON.stringify(field)}:${value}`].join(',')}}`;
      const headers: Record<string, string> = route.idempotent
        ? { 'idempotency-key': `${route.id} ${field} ${name}`.slice(0, 255) }
        : {};
      yield { name: `${field}: ${name}`, request: { ...plain, headers, body } };
    }
  }
}
