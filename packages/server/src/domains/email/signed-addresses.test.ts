import { describe, expect, it } from 'vitest';
import type { Config } from '../../kernel/config.ts';
import {
  createUnsubscribeAddress,
  isServiceAddress,
  parseSignedAddress,
  recipientTagOf,
  returnPathOf,
} from './signed-addresses.ts';

const config = { email: { domain: 'mail.test' } } as Config;
const app = { secretKey: 'a secret', config };
const other = { ...app, secretKey: 'another secret' };
const now = new Date('2026-01-05T09:30:00Z');
const id = '019b8d1c-3a60-7a11-8b22-1c2d3e4f5a6b';
const local = (address: string): string => address.slice(0, address.indexOf('@'));
const returnPath = local(returnPathOf(app, id, now));
const unsubscribe = local(createUnsubscribeAddress(app, id, 'Ana@Example.com'));

describe('a signed address', () => {
  it('says what it was made for, in any case of letters', () => {
    expect(parseSignedAddress(app, returnPath, now)).toEqual({ purpose: 'bounce', outboundId: id });
    expect(parseSignedAddress(app, unsubscribe, now)).toEqual({
      purpose: 'unsubscribe',
      accountId: id,
      recipientTag: recipientTagOf(app, id, 'ana@example.com'),
    });
    expect(recipientTagOf(app, id, 'bo@example.com')).not.toBe(
      recipientTagOf(app, id, 'ana@example.com'),
    );
  });

  it('has a local part of at most 64 characters', () => {
    for (const one of [returnPath, unsubscribe]) expect(one).toMatch(/^[a-z2-7-]{1,64}$/);
  });

  it('is nobody’s with one character changed, cut, added, or under another name', () => {
    for (const one of [returnPath, unsubscribe]) {
      const [, prefix = '', rest = ''] = /^(\w+-)(.*)$/.exec(one) ?? [];
      // The last character has unused bits.
      for (let at = 0; at < rest.length - 1; at += 1) {
        const letter = rest[at] === 'a' ? 'b' : 'a';
        const changed = `${prefix}${rest.slice(0, at)}${letter}${rest.slice(at + 1)}`;
        expect(parseSignedAddress(app, changed, now)).toBeNull();
      }
      const renamed = `${prefix === 'bounce-' ? 'unsub-' : 'bounce-'}${rest}`;
      for (const changed of [one.slice(0, -2), `${one}aa`, renamed, rest, prefix, `${one}!`]) {
        expect(parseSignedAddress(app, changed, now)).toBeNull();
      }
      expect(parseSignedAddress(other, one, now)).toBeNull();
    }
  });

  it('of a return path is over after two weeks, of an unsubscription never', () => {
    const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
    expect(parseSignedAddress(app, returnPath, days(14))).not.toBeNull();
    expect(parseSignedAddress(app, returnPath, days(15))).toBeNull();
    expect(parseSignedAddress(app, unsubscribe, days(10_000))).not.toBeNull();
  });

  it('is an address of the service, as no-reply is', () => {
    for (const localPart of ['no-reply', returnPath, unsubscribe]) {
      expect(isServiceAddress(app, { localPart, domain: 'mail.test' })).toBe(true);
    }
    expect(isServiceAddress(app, { localPart: 'ana', domain: 'mail.test' })).toBe(false);
    expect(isServiceAddress(app, { localPart: 'no-reply', domain: 'else.test' })).toBe(false);
  });
});
