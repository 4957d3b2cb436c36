import { expect, test } from 'vitest';
import { decodePlainText } from './decode-plain-text.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test('UTF-8 is a text, with lines, tabs and page breaks, with or without a mark', () => {
  const text = 'Tea\tat four.\r\nGr\u00fc\u00dfe \u{1f375}\f';
  expect(decodePlainText(utf8(text))).toBe(text);
  expect(decodePlainText(utf8(`\ufeff${text}`))).toBe(text);
  expect(decodePlainText(utf8(''))).toBe('');
});

test('bytes that are not UTF-8 are no text, but for a last character that is cut', () => {
  const bytes = utf8('tea \u00fc').subarray(0, -1);
  expect(decodePlainText(bytes)).toBeNull();
  expect(decodePlainText(bytes, { isCut: true })).toBe('tea ');
  expect(decodePlainText(Uint8Array.of(0xfc, 0x20), { isCut: true })).toBeNull();
});

test('control characters are in no text, and escapes only where they are asked for', () => {
  for (const control of ['\0', '\u0007', '\u000b', '\u001f']) {
    expect(decodePlainText(utf8(`tea${control}`), { withEscapes: true })).toBeNull();
  }
  expect(decodePlainText(utf8('\u001b[1mtea'))).toBeNull();
  expect(decodePlainText(utf8('\u001b[1mtea'), { withEscapes: true })).toBe('\u001b[1mtea');
});
