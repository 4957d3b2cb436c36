import { type Span, withTrace } from '../../../kernel/tracing.ts';
import { EgressDenied, EgressFailed } from '../../../providers/fetch/index.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { decryptHeaders, decryptSecrets } from '../secrets.ts';
import { attemptTimeoutMs, responseBytesMax } from './model.ts';
import type { AttemptResult } from './outcome.ts';
import { buildSignatureHeaders, type SignatureForm } from './signature.ts';

/** The message to send; id and body are the same at each attempt. */
export interface DeliveryMessage {
  readonly id: string;
  readonly event_type: string;
  readonly event_created_at: Date;
  readonly body: string;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of our headers; the values of all others are secrets of the owner. */
  readonly own: ReadonlySet<string>;
}

interface SentAttempt extends AttemptResult {
  /** Null: the attempt failed before signing. */
  readonly sent: SentRequest | null;
}

type SendDeps = Pick<
  App,
  'clock' | 'disposables' | 'fetchOutside' | 'log' | 'secretKey' | 'version'
>;

interface DecryptedWebhook {
  readonly secret: string;
  readonly previousSecret: string | null;
  /** Header names in lower case, like ours. */
  readonly added: Readonly<Record<string, string>>;
}

/** Keyed by the row object, because one row object serves many deliveries. */
const decryptedCache = new WeakMap<WebhookRecord, DecryptedWebhook>();

function decryptCached(app: SendDeps, webhook: WebhookRecord, now: Date): DecryptedWebhook {
  const cached = decryptedCache.get(webhook);
  if (cached) return cached;
  const [secret, previousSecret = null] = decryptSecrets(app, webhook, now);
  const added = Object.fromEntries(
    Object.entries(decryptHeaders(app, webhook)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const decrypted = { secret, previousSecret, added };
  decryptedCache.set(webhook, decrypted);
  return decrypted;
}

/** Our headers override those of the webhook's owner. */
function buildHeaders(
  app: SendDeps,
  webhook: WebhookRecord,
  message: DeliveryMessage,
  now: Date,
  span: Span | undefined,
): SentRequest {
  const { secret, previousSecret, added } = decryptCached(app, webhook, now);
  const isPreviousSecretValid =
    webhook.previous_secret_expires_at !== null && webhook.previous_secret_expires_at > now;
  const ours = {
    'content-type': 'application/json',
    'user-agent': `Mneme/${app.version}`,
    ...(span && { traceparent: span.traceparent }),
    ...buildSignatureHeaders({
      secret,
      previousSecret: isPreviousSecretValid ? previousSecret : null,
      form: webhook.signature_form as SignatureForm,
      deliveryId: message.id,
      webhookId: webhook.id,
      eventType: message.event_type,
      attemptAt: now,
      eventAt: message.event_created_at,
      body: message.body,
    }),
  };
  return { headers: { ...added, ...ours }, own: new Set(Object.keys(ours)) };
}

/** Makes one attempt. Null: `signal` aborted it, and its result is unknown. */
export function sendDeliveryAttempt(
  app: SendDeps,
  webhook: WebhookRecord,
  message: DeliveryMessage,
  signal: AbortSignal,
): Promise<SentAttempt | null> {
  const attributes = {
    'http.request.method': 'POST',
    'messaging.operation.name': 'deliver',
    'mneme.event.type': message.event_type,
  };
  return withTrace(app, 'webhook delivery', { kind: 'client', attributes }, async (span) => {
    const attempt = await send(app, webhook, message, signal, span);
    const status = attempt?.status ?? null;
    if (status !== null) span?.setAttributes({ 'http.response.status_code': status });
    if (attempt && attempt.error !== null) span?.fail(String(status ?? 'no_response'));
    return attempt;
  });
}

async function send(
  app: SendDeps,
  webhook: WebhookRecord,
  message: DeliveryMessage,
  signal: AbortSignal,
  span: Span | undefined,
): Promise<SentAttempt | null> {
  if (signal.aborted) return null;
  const startedMs = app.clock.monotonicMs();
  let sent: SentRequest | null = null;
  try {
    sent = buildHeaders(app, webhook, message, app.clock.now(), span);
    const response = await app.fetchOutside(webhook.url, {
      method: 'POST',
      headers: sent.headers,
      body: message.body,
      timeoutMs: attemptTimeoutMs,
      bodyBytesMax: responseBytesMax,
      signal,
    });
    const isSuccess = response.status >= 200 && response.status < 300;
    return {
      sent,
      status: response.status,
      headers: response.headers,
      body: toStorableText(response.body),
      timeMs: response.timeMs,
      error: isSuccess ? null : `The endpoint responded with status ${response.status}.`,
    };
  } catch (error) {
    if (signal.aborted) return null;
    return {
      sent,
      status: null,
      headers: {},
      body: null,
      timeMs: Math.round(app.clock.monotonicMs() - startedMs),
      error: reasonOf(app, webhook, error),
    };
  }
}

function reasonOf(app: SendDeps, webhook: WebhookRecord, error: unknown): string {
  if (error instanceof EgressDenied || error instanceof EgressFailed) {
    return toStorableText(error.message);
  }
  app.log.error({ err: error, webhook: webhook.id }, 'webhook attempt failed');
  return 'The attempt failed with an internal error.';
}

/** Text that the database accepts: well-formed, without NUL, truncated to the maximum. */
function toStorableText(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\u0000', '\ufffd');
  const bytes = Buffer.from(wellFormed, 'utf8');
  if (bytes.length <= responseBytesMax) return wellFormed;
  // Streaming mode omits an incomplete character at the end.
  return new TextDecoder().decode(bytes.subarray(0, responseBytesMax), { stream: true });
}
