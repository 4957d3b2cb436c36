import { describe, expect, it } from 'vitest';
import { decryptText, deriveKey, encryptText } from './encryption.ts';

const secret = 'correct horse battery staple, and more';
const nonce = Uint8Array.from({ length: 12 }, (_, i) => i);
const seal = (text: string): string => encryptText(text, secret, 'label', nonce);

describe('an encrypted text', () => {
  it.each(['', 'x', 'a key: mnk_…', 'Zoë 🦊 记忆', 'long '.repeat(10_000)])(
    'opens with the same secret and label: %#',
    (text) => {
      expect(decryptText(seal(text), secret, 'label')).toBe(text);
    },
  );

  it('reveals only the length of the text', () => {
    const text = 'something secret';
    const bytes = Buffer.from(seal(text), 'base64url');
    expect(bytes.toString('latin1')).not.toContain('secret');
    expect(bytes).toHaveLength(nonce.length + 16 + text.length);
  });

  it('differs with each nonce, of which it uses twelve bytes', () => {
    const others = [nonce.toReversed(), Uint8Array.from({ length: 40 }, () => 7)];
    const sealed = others.map((one) => encryptText('text', secret, 'label', one));
    expect(new Set([...sealed, seal('text')]).size).toBe(3);
    for (const text of sealed) expect(decryptText(text, secret, 'label')).toBe('text');
  });

  it('cannot be decrypted with another secret or label', () => {
    const sealed = seal('text');
    for (const other of ['', `${secret} `, secret.toUpperCase(), 'label']) {
      expect(() => decryptText(sealed, other, 'label')).toThrow();
    }
    for (const other of ['', 'Label', 'label ', secret]) {
      expect(() => decryptText(sealed, secret, other)).toThrow();
    }
  });

  it('cannot be decrypted after a change of any bit', () => {
    const bytes = Buffer.from(seal('text'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decryptText(changed.toString('base64url'), secret, 'label'), `${bit}`).toThrow();
    }
  });

  it('cannot be decrypted after a change of its length', () => {
    const bytes = Buffer.from(seal('text'), 'base64url');
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(() => decryptText(cut, secret, 'label'), `${length}`).toThrow();
    }
    const grown = Buffer.concat([bytes, Buffer.of(0)]).toString('base64url');
    expect(() => decryptText(grown, secret, 'label')).toThrow();
  });

  it('cannot be decrypted with a shorter tag', () => {
    const bytes = Buffer.from(seal(''), 'base64url');
    expect(decryptText(bytes.toString('base64url'), secret, 'label')).toBe('');
    for (const tagBytes of [4, 8, 12, 13, 14, 15]) {
      const short = bytes.subarray(0, nonce.length + tagBytes).toString('base64url');
      expect(() => decryptText(short, secret, 'label'), `${tagBytes}`).toThrow();
    }
  });
});

describe('deriveKey', () => {
  it('returns 32 bytes that depend only on the secret and the purpose', () => {
    expect(deriveKey(secret, 'session tokens')).toHaveLength(32);
    expect(deriveKey(secret, 'session tokens')).toEqual(deriveKey(secret, 'session tokens'));
  });

  it('returns another key for each secret and each purpose', () => {
    const made = [
      deriveKey(secret, 'session tokens'),
      deriveKey(secret, 'check'),
      deriveKey(`${secret}.`, 'session tokens'),
      deriveKey(`${secret}.`, 'check'),
    ].map((key) => Buffer.from(key).toString('hex'));
    expect(new Set(made).size).toBe(4);
  });
});
