import type { EventOf, EventType } from './events.ts';
import { systemNow } from './kernel.ts';

interface WithWebhookId {
  readonly webhook_id: string;
}

/** The event that POST /webhooks/:webhookId/test sends. */
export interface WebhookTestEvent extends WithWebhookId {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly event: 'webhook.test';
  readonly created_at: string;
  readonly data: {
    readonly webhook_id: string;
    readonly message: string;
    readonly test: true;
    readonly event_type?: string;
  };
}

/** A body in the payload form `object`; `type` discriminates. */
export type WebhookEvent =
  | { [T in EventType]: EventOf<T> & WithWebhookId }[EventType]
  | WebhookTestEvent;

type AreaOf<T extends EventType> = T extends `${infer A}.${string}` ? A : never;
type Wrapped<T extends EventType> = Omit<EventOf<T>, 'data'> &
  WithWebhookId & { readonly data: { readonly [A in AreaOf<T>]: EventOf<T>['data'] } };

/** A body in the payload form `wrapped`: the data is below the name of its area. */
export type WrappedWebhookEvent = { [T in EventType]: Wrapped<T> }[EventType] | WebhookTestEvent;

/** `Headers`, or the plain object of Node servers. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  readonly secret?: string;
  /** Alternatives to `secret`, for rotating the secret without downtime. */
  readonly secrets?: readonly string[];
  readonly headers: WebhookHeaders;
  /** The raw body: serializing parsed JSON again can change it. */
  readonly body: string | Uint8Array;
  /** Maximum difference between the time of signing and `now` in seconds; default: 300. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

export type WebhookErrorReason = 'missing_header' | 'malformed' | 'stale' | 'mismatch';

/** The delivery is not authentic or not valid. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const toleranceSecondsDefault = 300;
/** The service sends at most two: the second with the previous secret. */
const signaturesMax = 8;
const encoder = new TextEncoder();

/**
 * Verifies the signature and the age of a delivery, in both signature forms, and returns its event.
 * The signature does not cover the delivery id in the headers.
 * @throws WebhookError for a delivery that is not authentic; TypeError without a secret
 */
export async function verifyWebhook<E = WebhookEvent>(options: VerifyWebhookOptions): Promise<E> {
  const secrets = [
    ...(options.secret === undefined ? [] : [options.secret]),
    ...(options.secrets ?? []),
  ];
  if (secrets.length === 0 || secrets.includes(''))
    throw new TypeError('verifyWebhook requires secret or secrets');
  const { time, signatures } = readSignature(options.headers);
  const nowSeconds = (options.now ?? systemNow()).getTime() / 1_000;
  const { toleranceSeconds = toleranceSecondsDefault } = options;
  // Negated, so that NaN as the tolerance or time rejects the delivery.
  if (!(Math.abs(nowSeconds - Number(time)) <= toleranceSeconds)) {
    throw new WebhookError(
      'stale',
      `The timestamp differs from now by more than ${toleranceSeconds} s`,
    );
  }
  const bytes = typeof options.body === 'string' ? encoder.encode(options.body) : options.body;
  const signed = concatBytes(encoder.encode(`${time}.`), bytes);
  if (!(await isSignedBy(secrets, signatures, signed))) {
    throw new WebhookError('mismatch', 'The signature does not match the body');
  }
  return parseJson(bytes) as E;
}

/** Constant-time for each pair, like `subtle.verify`. */
async function isSignedBy(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let found = false;
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const raw = encoder.encode(secret);
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
    for (const signature of signatures) {
      found = (await crypto.subtle.verify('HMAC', key, signature, signed)) || found;
    }
  }
  return found;
}

interface Signature {
  /** Unix seconds, as text. */
  readonly time: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

function readSignature(headers: WebhookHeaders): Signature {
  const text = readHeader(headers, 'x-webhook-signature');
  if (!text.includes('=')) {
    return {
      time: parseSignatureTime(readHeader(headers, 'x-webhook-timestamp')),
      signatures: [parseHexSignature(text)],
    };
  }
  const parts = text.split(',').map((part) => part.split('='));
  const valuesOf = (name: string): string[] =>
    parts.filter(([key]) => key === name).map(([, ...value]) => value.join('='));
  const [time, another] = valuesOf('t');
  const signatures = valuesOf('v1');
  if (time === undefined || another !== undefined) throw malformedError('one t=');
  if (signatures.length === 0 || signatures.length > signaturesMax) throw malformedError('v1=');
  return { time: parseSignatureTime(time), signatures: signatures.map(parseHexSignature) };
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const { get } = headers;
  if (typeof get === 'function') return requireHeader(get.call(headers, name), name);
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw malformedError(`one ${name}`);
  return requireHeader(values[0], name);
}

function requireHeader(value: string | null | undefined, name: string): string {
  if (value) return value;
  throw new WebhookError('missing_header', `The header ${name} is missing`);
}

const malformedError = (what: string): WebhookError =>
  new WebhookError('malformed', `The signature must have ${what}`);

function parseSignatureTime(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw malformedError('its time in Unix seconds');
}

function parseHexSignature(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw malformedError('64 hexadecimal digits in lower case');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function concatBytes(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const error = new WebhookError('malformed', 'The signed body is not valid JSON');
    error.cause = cause;
    throw error;
  }
}
