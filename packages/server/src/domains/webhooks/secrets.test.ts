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
const rowId = { account_id: ids.uuid(), id: ids.uuid() };
const at = new Date('2026-01-05T09:30:00Z');
const after = (ms: number): Date => new Date(at.getTime() + ms);
const dayMs = 24 * 3_600_000;

const record = (
  secret: string,
  encryptionApp = app,
  headers = { 'x-key': 'value' },
): WebhookRecord =>
  ({
    ...rowId,
    ...encryptSecret(encryptionApp, rowId, secret),
    ...encryptHeaders(encryptionApp, rowId, headers),
    previous_secret: null,
    previous_secret_expires_at: null,
  }) as WebhookRecord;

describe('a stored secret', () => {
  it('signs first, together with the previous one for 24 hours', () => {
    const first = record('first');
    const second = { ...first, ...rotateSecret(app, first, 'second', at) };
    expect(decryptSecrets(app, first, at)).toEqual(['first']);
    expect(decryptSecrets(app, second, after(dayMs - 1))).toEqual(['second', 'first']);
    expect(decryptSecrets(app, second, after(dayMs))).toEqual(['second']);
    const third = { ...second, ...rotateSecret(app, second, 'third', after(1)) };
    expect(decryptSecrets(app, third, after(2))).toEqual(['third', 'second']);
  });

  it('can only be decrypted in its own row and for its own use', () => {
    const stored = record('first');
    const foreignRows = [
      { ...stored, id: ids.uuid() },
      { ...stored, account_id: ids.uuid() },
      { ...stored, secret: stored.headers, headers: stored.secret },
    ];
    for (const foreignRow of foreignRows) {
      expect(() => decryptSecrets(app, foreignRow, at)).toThrow();
      expect(() => decryptHeaders(app, foreignRow)).toThrow();
    }
    expect(decryptHeaders(app, stored)).toEqual({ 'x-key': 'value' });
  });

  it('replaces a secret of another key, and signs alone', () => {
    const undecryptable = record('first', other, {} as never);
    expect(() => decryptSecrets(app, undecryptable, at)).toThrow();
    const repaired = { ...undecryptable, ...rotateSecret(app, undecryptable, 'second', at) };
    expect(decryptSecrets(app, repaired, after(1))).toEqual(['second']);
    expect(decryptHeaders(app, repaired)).toEqual({});
  });

  it('is recognized, unless it was encrypted with another key', () => {
    const stored = record('first');
    expect(isCurrentSecret(app, stored, 'first')).toBe(true);
    expect(isCurrentSecret(app, stored, 'second')).toBe(false);
    expect(isCurrentSecret(other, stored, 'first')).toBe(false);
  });
});
