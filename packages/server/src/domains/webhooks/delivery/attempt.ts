import { EgressDenied, EgressFailed } from '../../../providers/fetch/index.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { decryptHeaders, decryptSecrets } from '../secrets.ts';
import { attemptMs, responseBytesMax } from './model.ts';
import type { AttemptResult } from './outcome.ts';
import { buildSignatureHeaders, type SignatureForm } from './signature.ts';

/** What is sent; the same id and body at each attempt. */
export interface DeliveryMessage {
  readonly id: string;
  readonly event_type: string;
  readonly event_at: Date;
  readonly body: string;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of ours; the values of all others are the owner's secrets. */
  readonly own: ReadonlySet<string>;
}

interface SentAttempt extends AttemptResult {
  /** Null: it could not even be signed. */
  readonly sent: SentRequest | null;
}

type SendDeps = Pick<App, 'clock' | 'fetchOutside' | 'log' | 'secretKey' | 'version'>;

interface DecryptedWebhook {
  readonly secret: string;
  readonly former: string | null;
  /** Names in lower case, as ours are. */
  readonly added: Readonly<Record<string, string>>;
}

/** By the row as it was read: many deliveries in a row are made by one. */
const decryptedCache = new WeakMap<WebhookRecord, DecryptedWebhook>();

function decryptCached(app: SendDeps, webhook: WebhookRecord, now: Date): DecryptedWebhook {
  const known = decryptedCache.get(webhook);
  if (known) return known;
  const [secret, former = null] = decryptSecrets(app, webhook, now);
  const added = Object.fromEntries(
    Object.entries(decryptHeaders(app, webhook)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const fresh = { secret, former, added };
  decryptedCache.set(webhook, fresh);
  return fresh;
}

/** Ours win over those that the webhook's owner added. */
function buildHeaders(
  app: SendDeps,
  webhook: WebhookRecord,
  message: DeliveryMessage,
  now: Date,
): SentRequest {
  const { secret, former, added } = decryptCached(app, webhook, now);
  const isFormerGood = webhook.former_secret_until !== null && webhook.former_secret_until > now;
  const ours = {
    'content-type': 'application/json',
    'user-agent': `Mneme/${app.version}`,
    ...buildSignatureHeaders({
      secret,
      previousSecret: isFormerGood ? former : null,
      form: webhook.signature_form as SignatureForm,
      deliveryId: message.id,
      webhookId: webhook.id,
      eventType: message.event_type,
      attemptAt: now,
      eventAt: message.event_at,
      body: message.body,
    }),
  };
  return { headers: { ...added, ...ours }, own: new Set(Object.keys(ours)) };
}

/** One attempt. Null: it was given up by `signal`, and nothing is known of it. */
export async function sendAttempt(
  app: SendDeps,
  webhook: WebhookRecord,
  message: DeliveryMessage,
  signal: AbortSignal,
): Promise<SentAttempt | null> {
  if (signal.aborted) return null;
  const begunMs = app.clock.monotonicMs();
  let sent: SentRequest | null = null;
  try {
    sent = buildHeaders(app, webhook, message, app.clock.now());
    const answer = await app.fetchOutside(webhook.url, {
      method: 'POST',
      headers: sent.headers,
      body: message.body,
      timeoutMs: attemptMs,
      bodyBytesMax: responseBytesMax,
      signal,
    });
    const isTaken = answer.status >= 200 && answer.status < 300;
    return {
      sent,
      status: answer.status,
      headers: answer.headers,
      body: toStorableText(answer.body),
      timeMs: answer.timeMs,
      error: isTaken ? null : `The endpoint answered ${answer.status}.`,
    };
  } catch (error) {
    if (signal.aborted) return null;
    return {
      sent,
      status: null,
      headers: {},
      body: null,
      timeMs: Math.round(app.clock.monotonicMs() - begunMs),
      error: reasonOf(app, webhook, error),
    };
  }
}

function reasonOf(app: SendDeps, webhook: WebhookRecord, error: unknown): string {
  if (error instanceof EgressDenied || error instanceof EgressFailed) {
    return toStorableText(error.message);
  }
  app.log.error({ err: error, webhook: webhook.id }, 'a delivery could not be made');
  return 'The delivery could not be made.';
}

/** As the database takes it: well-formed, without zeros, and no longer than is kept. */
function toStorableText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\u0000', '\ufffd');
  const bytes = Buffer.from(whole, 'utf8');
  if (bytes.length <= responseBytesMax) return whole;
  // As a stream: a character that is cut in two at the end is left out.
  return new TextDecoder().decode(bytes.subarray(0, responseBytesMax), { stream: true });
}
