import { describe, expect, test } from 'vitest';
import { decodeText, InvalidEncoding } from './decode-text.ts';
import { collect, inPieces } from './testing.ts';

const decode = async (bytes: Uint8Array, encoding: string | null = null, size = 3) =>
  (await collect(decodeText('a.txt', inPieces(bytes, size), encoding))).join('');

const text = 'id,text\n1,Zürich 🍵';
const utf16be = (content: string): Buffer => Buffer.from(content, 'utf16le').swap16();

describe('the text of a file', () => {
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16BE with a byte order mark', utf16be(`\ufeff${text}`)],
    ['UTF-16LE', Buffer.from(text, 'utf16le')],
    ['UTF-16BE', utf16be(text)],
  ])('in %s is decoded, however it is cut', async (_, bytes) => {
    for (const size of [1, 2, 3, 1_000]) expect(await decode(bytes, null, size)).toBe(text);
  });

  test('in another encoding needs its name', async () => {
    const bytes = Buffer.from('Zürich', 'latin1');
    expect(await decode(bytes, 'windows-1252')).toBe('Zürich');
    await expect(decode(bytes)).rejects.toThrow(InvalidEncoding);
    await expect(decode(bytes)).rejects.toThrow('a.txt is not valid UTF-8 text');
    await expect(decode(Buffer.from(text).subarray(0, -1))).rejects.toThrow(InvalidEncoding);
  });

  test('of a few bytes or none is decoded', async () => {
    expect(await decode(Buffer.from('ab'))).toBe('ab');
    expect(await decode(Buffer.alloc(0))).toBe('');
  });
});
