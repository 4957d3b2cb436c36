import { describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { WebhookRecord } from './model.ts';
import {
  decryptHeaders,
  decryptSecrets,
  encryptHeaders,
  encryptSecret,
  isCurrentSecret,
  rotateSecret,
} from './secrets.ts';

const ids = createIds(systemClock);
const app = { ids, secretKey: 'a secret key of the service, long enough' };
const other = { ...app, secretKey: 'another secret key, after a lost folder' };
const place = { account_id: ids.uuid(), id: ids.uuid() };
const at = new Date('2026-01-05T09:30:00Z');
const after = (ms: number): Date => new Date(at.getTime() + ms);
const dayMs = 24 * 3_600_000;

const record = (secret: string, sealing = app, headers = { 'x-key': 'value' }): WebhookRecord =>
  ({
    ...place,
    ...encryptSecret(sealing, place, secret),
    ...encryptHeaders(sealing, place, headers),
    former_secret: null,
    former_secret_until: null,
  }) as WebhookRecord;

describe('a secret that is kept', () => {
  it('signs with the one before it for 24 hours, itself first', () => {
    const first = record('first');
    const second = { ...first, ...rotateSecret(app, first, 'second', at) };
    expect(decryptSecrets(app, first, at)).toEqual(['first']);
    expect(decryptSecrets(app, second, after(dayMs - 1))).toEqual(['second', 'first']);
    expect(decryptSecrets(app, second, after(dayMs))).toEqual(['second']);
    const third = { ...second, ...rotateSecret(app, second, 'third', after(1)) };
    expect(decryptSecrets(app, third, after(2))).toEqual(['third', 'second']);
  });

  it('opens in no row but its own, and for no other use', () => {
    const kept = record('first');
    const strangers = [
      { ...kept, id: ids.uuid() },
      { ...kept, account_id: ids.uuid() },
      { ...kept, secret: kept.headers, headers: kept.secret },
    ];
    for (const stranger of strangers) {
      expect(() => decryptSecrets(app, stranger, at)).toThrow();
      expect(() => decryptHeaders(app, stranger)).toThrow();
    }
    expect(decryptHeaders(app, kept)).toEqual({ 'x-key': 'value' });
  });

  it('signs alone where another key sealed the one before it, and heals the webhook', () => {
    const lost = record('first', other, {} as never);
    expect(() => decryptSecrets(app, lost, at)).toThrow();
    const healed = { ...lost, ...rotateSecret(app, lost, 'second', at) };
    expect(decryptSecrets(app, healed, after(1))).toEqual(['second']);
    expect(decryptHeaders(app, healed)).toEqual({});
  });

  it('is known again, and one that another key sealed is taken for another', () => {
    const kept = record('first');
    expect(isCurrentSecret(app, kept, 'first')).toBe(true);
    expect(isCurrentSecret(app, kept, 'second')).toBe(false);
    expect(isCurrentSecret(other, kept, 'first')).toBe(false);
  });
});
