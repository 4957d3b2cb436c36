import { expect, it } from 'vitest';
import { leastCpuMs } from '../../../../../test/support/cpu-time.ts';
import { canonicalAddress, parseAuthor } from './author.ts';

const header = (...lines: string[]) =>
  lines.map((line) => ({
    key: line.slice(0, line.indexOf(':')).toLowerCase(),
    line: Buffer.from(line),
  }));

it.each([
  ['an address', 'ana@example.com'],
  ['an address in brackets', '<ana@example.com>'],
  ['a name', 'Ana B. Cruz <ana@example.com>'],
  ['a name in quotes, with any characters', '"Cruz, Ana (\\"work\\") x@y" <ana@example.com>'],
  ['an encoded name', '=?utf-8?b?QW5h?= <ana@example.com>'],
  ['other letter cases', 'Ana <ANA@Example.COM>'],
  ['a folded line', 'Ana\r\n <ana@example.com>'],
  ['a dot at the end of the domain', 'ana@example.com.'],
])('the author is read from %s', (_, from) => {
  expect(parseAuthor(header(`From: ${from}`, 'Subject: x'))).toBe('ana@example.com');
});

it.each([
  ['two addresses', 'ana@example.com, eve@evil.example'],
  ['two addresses without a comma', 'ana@example.com eve@evil.example'],
  ['an address as the name of another', 'ana@example.com <eve@evil.example>'],
  ['two addresses in brackets', '<ana@example.com> <eve@evil.example>'],
  ['something after the brackets', '<eve@evil.example> ana@example.com'],
  ['a group', 'team: ana@example.com;'],
  ['a group as name', 'team: <ana@example.com>'],
  ['a route', '<@evil.example:ana@example.com>'],
  ['a comment', 'eve@evil.example (ana@example.com)'],
  ['a comment within', 'ana@example.com(x)@evil.example'],
  ['a quoted local part', '"ana@example.com x"@evil.example'],
  ['a quoted local part in brackets', '<"ana@example.com"@evil.example>'],
  ['two at signs', 'ana@example.com@evil.example'],
  ['an encoded address', '=?utf-8?q?ana=40example.com?='],
  ['an encoded address in brackets', '<=?utf-8?q?ana=40example.com?=>'],
  ['an open quote', '"Ana <ana@example.com>'],
  ['a NUL', 'ana@example.com\0@evil.example'],
  ['a bare line break', 'ana@example.com\rFrom: eve@evil.example'],
  ['a zero-width character', 'ana@exam\u200bple.com'],
  ['a reversal of the direction of text', '\u202emoc <ana@example.com>'],
  ['a letter that becomes another in lower case', '\u212aate@example.com'],
  ['no address', 'Ana'],
  ['nothing', ''],
  ['a domain that is an IP address', 'ana@[127.0.0.1]'],
])('there is no author if the From field is %s', (_, from) => {
  expect(parseAuthor(header(`From: ${from}`))).toBeNull();
});

it.each([
  ['From: ana@example.com', 'From: eve@evil.example'],
  ['From: ana@example.com', 'Subject: one', 'Subject: two'],
  ['From: ana@example.com', 'Content-Type: text/plain', 'Content-Type: text/html'],
  ['From: ana@example.com', 'To: mem@mail.test', 'To: eve@evil.example'],
  ['Subject: none'],
])('there is no author if fields occur twice, or none: %s', (...lines) => {
  expect(parseAuthor(header(...lines))).toBeNull();
});

it.each([
  ['an empty line at the beginning', ['', 'From: ana@example.com']],
  ['a bare CR before a name', ['From: ana@example.com', 'X: y\r\n\rSubject: stop']],
  ['a form feed before a name', ['From: ana@example.com', 'X: y\r\n\fSubject: stop']],
  ['a no-break space before a name', ['From: ana@example.com', 'X: y\r\n\xa0Subject: stop']],
  ['a fold at the beginning', [' X: y', 'From: ana@example.com']],
  ['no colon', ['From: ana@example.com', 'stop']],
  ['a NUL in a name', ['From: ana@example.com', 'Sub\0ject: stop']],
])('there is no author in a header with %s', (_, lines) => {
  const found = lines.map((line) => ({
    key: line.slice(0, Math.max(0, line.indexOf(':'))).toLowerCase(),
    line: Buffer.from(line, 'latin1'),
  }));
  expect(parseAuthor(found)).toBeNull();
});

it('the separator line of a mailbox file is not a field', () => {
  const lines = ['From ana@example.com Sun Nov 22 10:00:00 2026', 'From: ana@example.com'];
  expect(parseAuthor(header(...lines))).toBe('ana@example.com');
});

it('the DNS form of a domain is the canonical one', () => {
  expect(canonicalAddress('Ana@MÜNCHEN.example')).toBe('ana@xn--mnchen-3ya.example');
  expect(canonicalAddress('ana@xn--mnchen-3ya.example')).toBe('ana@xn--mnchen-3ya.example');
  expect(canonicalAddress('ana@exa\u212ale.com')).toBe('ana@exakle.com');
});

it('a field of a megabyte is rejected within 50 ms of processor time', () => {
  const fields = [`From: ${'"a" '.repeat(250_000)}<a@b.example`, `From: ${'"'.repeat(999)}`];
  for (const field of fields) {
    expect(parseAuthor(header(field))).toBeNull();
    expect(leastCpuMs(() => parseAuthor(header(field)))).toBeLessThan(50);
  }
});
