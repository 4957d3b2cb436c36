import { describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { WebhookRecord } from './model.ts';
import {
  isPresentSecret,
  openHeaders,
  openSecrets,
  rotateSecret,
  sealHeaders,
  sealSecret,
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
    ...sealSecret(sealing, place, secret),
    ...sealHeaders(sealing, place, headers),
    former_secret: null,
    former_secret_until: null,
  }) as WebhookRecord;

describe('a secret that is kept', () => {
  it('signs with the one before it for 24 hours, itself first', () => {
    const first = record('first');
    const second = { ...first, ...rotateSecret(app, first, 'second', at) };
    expect(openSecrets(app, first, at)).toEqual(['first']);
    expect(openSecrets(app, second, after(dayMs - 1))).toEqual(['second', 'first']);
    expect(openSecrets(app, second, after(dayMs))).toEqual(['second']);
    const third = { ...second, ...rotateSecret(app, second, 'third', after(1)) };
    expect(openSecrets(app, third, after(2))).toEqual(['third', 'second']);
  });

  it('opens in no row but its own, and for no other use', () => {
    const kept = record('first');
    const strangers = [
      { ...kept, id: ids.uuid() },
      { ...kept, account_id: ids.uuid() },
      { ...kept, secret: kept.headers, headers: kept.secret },
    ];
    for (const stranger of strangers) {
      expect(() => openSecrets(app, stranger, at)).toThrow();
      expect(() => openHeaders(app, stranger)).toThrow();
    }
    expect(openHeaders(app, kept)).toEqual({ 'x-key': 'value' });
  });

  it('signs alone where another key sealed the one before it, and heals the webhook', () => {
    const lost = record('first', other, {} as never);
    expect(() => openSecrets(app, lost, at)).toThrow();
    const healed = { ...lost, ...rotateSecret(app, lost, 'second', at) };
    expect(openSecrets(app, healed, after(1))).toEqual(['second']);
    expect(openHeaders(app, healed)).toEqual({});
  });

  it('is known again, and one that another key sealed is taken for another', () => {
    const kept = record('first');
    expect(isPresentSecret(app, kept, 'first')).toBe(true);
    expect(isPresentSecret(app, kept, 'second')).toBe(false);
    expect(isPresentSecret(other, kept, 'first')).toBe(false);
  });
});
