import { createHmac } from 'node:crypto';
import type { signatureForms } from '@mneme/contract';

export type SignatureForm = (typeof signatureForms)[number];

export interface SignatureInput {
  readonly secret: string;
  /** Also signs, until receivers know the new secret; null: none. */
  readonly previousSecret: string | null;
  readonly form: SignatureForm;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventType: string;
  /** Time of this attempt, from which receivers compute the age. */
  readonly attemptAt: Date;
  readonly eventAt: Date;
  /** As sent. */
  readonly body: string;
}

const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1_000));

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text, 'utf8');

/**
 * Headers that identify sender, event and delivery, and authenticate the body: our two header
 * families, and those of Standard Webhooks (standardwebhooks.com), whose key is the UTF-8 bytes of
 * the secret and whose message id is the delivery id.
 */
export function buildSignatureHeaders(signed: SignatureInput): Record<string, string> {
  const { form, deliveryId, webhookId, eventType, body } = signed;
  const time = seconds(signed.attemptAt);
  const secrets = [
    signed.secret,
    ...(signed.previousSecret === null ? [] : [signed.previousSecret]),
  ] as const;
  const digests = secrets.map((secret) => hmac(secret, `${time}.${body}`).digest('hex'));
  const standard = secrets.map((secret) =>
    hmac(secret, `${deliveryId}.${time}.${body}`).digest('base64'),
  );
  return {
    'x-webhook-id': webhookId,
    'x-webhook-event': eventType,
    'x-webhook-timestamp': time,
    'x-webhook-delivery-id': deliveryId,
    'x-webhook-signature':
      form === 'hex'
        ? (digests[0] ?? '')
        : [`t=${time}`, ...digests.map((digest) => `v1=${digest}`)].join(','),
    'x-mneme-event': eventType,
    'x-mneme-delivery': deliveryId,
    'x-mneme-timestamp': seconds(signed.eventAt),
    'webhook-id': deliveryId,
    'webhook-timestamp': time,
    'webhook-signature': standard.map((digest) => `v1,${digest}`).join(' '),
  };
}
