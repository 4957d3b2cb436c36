import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey } from '../../../kernel/encryption.ts';
import {
  createNonce,
  digestOf,
  isSignedResponse,
  signResponse,
  signSearch,
  UsedNonces,
  verifySearch,
} from './search-signature.ts';

const key = deriveKey('a secret key of the installation', 'test');
const otherKey = deriveKey('another secret key that is valid', 'test');
const nowMs = Date.parse('2030-01-01T00:00:00Z');
const search = {
  target: randomUUID(),
  accountId: randomUUID(),
  issuedMs: nowMs,
  nonce: createNonce((count) => new Uint8Array(count).fill(7)),
  digest: digestOf(Buffer.from('the body')),
};
const header = signSearch(key, search);
const at = { own: search.target, nowMs };

describe('the signature of a search', () => {
  it('is valid for 30 s before and after its time, for the process that it names', () => {
    for (const ms of [-30_000, 0, 30_000]) {
      expect(verifySearch(key, header, { ...at, nowMs: nowMs + ms })).toEqual(search);
    }
  });

  it('is not valid later or earlier, for another process, or by another key', () => {
    for (const ms of [-30_001, 30_001]) {
      expect(verifySearch(key, header, { ...at, nowMs: nowMs + ms })).toBeNull();
    }
    expect(verifySearch(key, header, { ...at, own: randomUUID() })).toBeNull();
    expect(verifySearch(otherKey, header, at)).toBeNull();
  });

  it('is not valid once any of its fields is changed', () => {
    const parts = header.split('.');
    const changes = [
      randomUUID(),
      randomUUID(),
      String(nowMs + 1),
      createNonce((count) => new Uint8Array(count)),
      digestOf(Buffer.from('another body')),
      `A${parts[5]?.slice(1)}` === parts[5] ? `B${parts[5]?.slice(1)}` : `A${parts[5]?.slice(1)}`,
    ];
    for (const [i, changed] of changes.entries()) {
      const forged = parts.with(i, changed).join('.');
      const own = i === 0 ? changed : search.target;
      expect(verifySearch(key, forged, { ...at, own })).toBeNull();
    }
  });

  it.each(['', '.....', header.slice(1), `${header}.`, `0${header}`, header.replace('.', '..')])(
    'is not valid in another form: %s',
    (text) => {
      expect(verifySearch(key, text, at)).toBeNull();
    },
  );
});

describe('the signature of a response', () => {
  const payload = Buffer.from('the answer');
  const mac = signResponse(key, search.nonce, payload);

  it('is valid for its request and its payload alone', () => {
    expect(isSignedResponse(key, search.nonce, { mac, payload })).toBe(true);
    expect(isSignedResponse(key, 'another nonce', { mac, payload })).toBe(false);
    expect(isSignedResponse(otherKey, search.nonce, { mac, payload })).toBe(false);
    const forged = { mac, payload: Buffer.from('the Answer') };
    expect(isSignedResponse(key, search.nonce, forged)).toBe(false);
    const short = { mac: mac.subarray(1), payload };
    expect(isSignedResponse(key, search.nonce, short)).toBe(false);
  });
});

describe('a nonce', () => {
  it('can be used once for as long as any signature with it is valid', () => {
    const nonces = new UsedNonces();
    expect(nonces.use('a', nowMs)).toBe(true);
    for (const ms of [0, 59_999, 60_000]) expect(nonces.use('a', nowMs + ms)).toBe(false);
    expect(nonces.use('b', nowMs + 61_000)).toBe(true);
    expect(nonces.use('b', nowMs + 121_000)).toBe(false);
  });

  it('is not remembered for ever', () => {
    const nonces = new UsedNonces();
    nonces.use('a', nowMs);
    expect(nonces.use('a', nowMs + 300_000)).toBe(true);
  });
});
