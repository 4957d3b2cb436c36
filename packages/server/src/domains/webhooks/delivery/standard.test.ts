import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { describe, expect, it } from 'vitest';
import { buildSignatureHeaders, type SignatureInput } from './signature.ts';

const body = '{"id":"evt","type":"memory.created","data":{"content":"Grüße 🎉"}}';

/** Signed with the current time, because these libraries read the clock. */
const signed = (changes: Partial<SignatureInput> = {}): Record<string, string> =>
  buildSignatureHeaders({
    secret: 'the secret of this webhook ü',
    previousSecret: null,
    form: 'timestamped',
    deliveryId: 'delivery',
    webhookId: 'webhook',
    eventType: 'memory.created',
    attemptAt: new Date(),
    eventAt: new Date('2026-01-02T03:00:00.000Z'),
    body,
    ...changes,
  });

/** Encodes our secrets as receivers configure them. */
const encodeSecret = (secret: string): string => `whsec_${Buffer.from(secret).toString('base64')}`;
const key = encodeSecret('the secret of this webhook ü');

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe.each([
  ['standardwebhooks', Standard],
  ['svix', Svix],
])('the package %s', (_, Webhook) => {
  it.each(['timestamped', 'hex'] as const)('verifies a delivery of the form %s', (form) => {
    expect(() => new Webhook(key).verify(body, signed({ form }))).not.toThrow();
  });

  it('verifies with the new secret and with the previous one', () => {
    const headers = signed({ secret: 'a new secret of it', previousSecret: 'a former one of it' });
    for (const secret of ['a new secret of it', 'a former one of it']) {
      expect(() => new Webhook(encodeSecret(secret)).verify(body, headers)).not.toThrow();
    }
  });

  it.each<[string, string, Record<string, string>]>([
    ['another body', `${body} `, signed()],
    ['another delivery', body, { ...signed(), 'webhook-id': 'another' }],
    ['another secret', body, signed({ secret: 'another one altogether' })],
    ['ten minutes ago', body, signed({ attemptAt: minutesAgo(10) })],
  ])('rejects %s', (_name, text, headers) => {
    expect(() => new Webhook(key).verify(text, headers)).toThrow();
  });
});
