import { createHmac } from 'node:crypto';
import type { signatureForms } from '@mneme/contract';

export type SignatureForm = (typeof signatureForms)[number];

export interface SignatureInput {
  readonly secret: string;
  /** Signs as well, until receivers know the new one; null: there is none. */
  readonly previousSecret: string | null;
  readonly form: SignatureForm;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventType: string;
  /** Of this attempt: what receivers measure the age by. */
  readonly attemptAt: Date;
  readonly eventAt: Date;
  /** As it is sent. */
  readonly body: string;
}

const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1_000));

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text, 'utf8');

/**
 * What tells a receiver who calls, of what, and that nobody else wrote it. Beside the two families
 * of names of our own stand those of Standard Webhooks (standardwebhooks.com), whose key is the
 * secret's UTF-8 bytes; there the delivery is the message.
 */
export function buildSignatureHeaders(signed: SignatureInput): Record<string, string> {
  const { form, deliveryId, webhookId, eventType, body } = signed;
  const time = seconds(signed.attemptAt);
  const secrets = [
    signed.secret,
    ...(signed.previousSecret === null ? [] : [signed.previousSecret]),
  ] as const;
  const own = secrets.map((secret) => hmac(secret, `${time}.${body}`).digest('hex'));
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
        ? (own[0] ?? '')
        : [`t=${time}`, ...own.map((digest) => `v1=${digest}`)].join(','),
    'x-mneme-event': eventType,
    'x-mneme-delivery': deliveryId,
    'x-mneme-timestamp': seconds(signed.eventAt),
    'webhook-id': deliveryId,
    'webhook-timestamp': time,
    'webhook-signature': standard.map((digest) => `v1,${digest}`).join(' '),
  };
}
