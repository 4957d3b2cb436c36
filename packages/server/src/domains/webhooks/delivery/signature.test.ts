import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSignatureHeaders, type SignatureInput } from './signature.ts';

const signed: SignatureInput = {
  secret: 'a secret of sixteen and more',
  previousSecret: null,
  form: 'timestamped',
  deliveryId: 'd1',
  webhookId: 'w1',
  eventType: 'memory.created',
  attemptAt: new Date('2026-01-02T03:04:05.999Z'),
  eventAt: new Date('2026-01-02T03:00:00.000Z'),
  body: '{"id":"ü"}',
};

describe('buildSignatureHeaders', () => {
  it('signs timestamp, dot and body with HMAC-SHA256, as openssl computes it', () => {
    // printf '1767323045.{"id":"ü"}' | openssl dgst -sha256 -hmac 'a secret of sixteen and more'
    expect(buildSignatureHeaders(signed)).toMatchObject({
      'x-webhook-signature': `t=1767323045,v1=${known.hex}`,
      'webhook-signature': `v1,${known.standard}`,
    });
  });

  it('includes the attempt and the event in both header families', () => {
    expect(buildSignatureHeaders(signed)).toMatchObject({
      'x-webhook-id': 'w1',
      'x-webhook-event': 'memory.created',
      'x-webhook-timestamp': '1767323045',
      'x-webhook-delivery-id': 'd1',
      'x-mneme-event': 'memory.created',
      'x-mneme-delivery': 'd1',
      'x-mneme-timestamp': '1767322800',
      'webhook-id': 'd1',
      'webhook-timestamp': '1767323045',
    });
  });

  it('contains only the digest of the new secret in the hex format', () => {
    const headers = buildSignatureHeaders({
      ...signed,
      form: 'hex',
      previousSecret: 'the former one',
    });
    expect(headers['x-webhook-signature']).toBe(known.hex);
  });

  it('signs with two secrets while the previous one is valid', () => {
    const headers = buildSignatureHeaders({ ...signed, previousSecret: 'the former secret' });
    expect(headers['x-webhook-signature']).toMatch(
      /^t=1767323045,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
    );
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(headers['x-webhook-signature']).toContain(known.hex);
  });

  it('is a lowercase digest for any secret and body, and differs for any other body', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 16 }), fc.string(), fc.string(), (secret, body, other) => {
        const signatureOf = (text: string) =>
          buildSignatureHeaders({ ...signed, form: 'hex', secret, body: text })[
            'x-webhook-signature'
          ];
        const expected = createHmac('sha256', secret).update(`1767323045.${body}`).digest('hex');
        expect(signatureOf(body)).toBe(expected);
        if (body.toWellFormed() !== other.toWellFormed())
          expect(signatureOf(other)).not.toBe(expected);
      }),
    );
  });
});

const known = {
  hex: '76eebd6cd44f33c7660b590f477b5ecf2a2a851e24d65a44163dc6bbe9353c81',
  standard: 'DTyj+zfFV7SKR2+OKMGcS1TtAf2hmQ9ivgkyAJ5OE+I=',
} as const;
