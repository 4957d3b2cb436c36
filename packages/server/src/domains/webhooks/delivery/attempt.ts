import { EgressFailed, EgressRefused } from '../../../providers/fetch/index.ts';
import type { App } from '../../ctx.ts';
import type { WebhookRecord } from '../model.ts';
import { openHeaders, openSecrets } from '../secrets.ts';
import { attemptMs, responseBytesMax } from './model.ts';
import type { Attempt } from './outcome.ts';
import { type SignatureForm, signatureHeaders } from './signature.ts';

/** What is sent; the same id and body at each attempt. */
export interface Message {
  readonly id: string;
  readonly event_type: string;
  readonly event_at: Date;
  readonly body: string;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  /** Names of ours; the values of all others are the owner's secrets. */
  readonly own: ReadonlySet<string>;
}

interface Made extends Attempt {
  /** Null: it could not even be signed. */
  readonly sent: Sent | null;
}

type Sending = Pick<App, 'clock' | 'fetchOutside' | 'log' | 'secretKey' | 'version'>;

interface Opened {
  readonly secret: string;
  readonly former: string | null;
  /** Names in lower case, as ours are. */
  readonly added: Readonly<Record<string, string>>;
}

/** By the row as it was read: many deliveries in a row are made by one. */
const opened = new WeakMap<WebhookRecord, Opened>();

function openedOf(app: Sending, webhook: WebhookRecord, now: Date): Opened {
  const known = opened.get(webhook);
  if (known) return known;
  const [secret, former = null] = openSecrets(app, webhook, now);
  const added = Object.fromEntries(
    Object.entries(openHeaders(app, webhook)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const fresh = { secret, former, added };
  opened.set(webhook, fresh);
  return fresh;
}

/** Ours win over those that the webhook's owner added. */
function headersOf(app: Sending, webhook: WebhookRecord, message: Message, now: Date): Sent {
  const { secret, former, added } = openedOf(app, webhook, now);
  const isFormerGood = webhook.former_secret_until !== null && webhook.former_secret_until > now;
  const ours = {
    'content-type': 'application/json',
    'user-agent': `Mneme/${app.version}`,
    ...signatureHeaders({
      secret,
      formerSecret: isFormerGood ? former : null,
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
export async function attempt(
  app: Sending,
  webhook: WebhookRecord,
  message: Message,
  signal: AbortSignal,
): Promise<Made | null> {
  if (signal.aborted) return null;
  const begunMs = app.clock.monotonicMs();
  let sent: Sent | null = null;
  try {
    sent = headersOf(app, webhook, message, app.clock.now());
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
      body: storable(answer.body),
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

function reasonOf(app: Sending, webhook: WebhookRecord, error: unknown): string {
  if (error instanceof EgressRefused || error instanceof EgressFailed) {
    return storable(error.message);
  }
  app.log.error({ err: error, webhook: webhook.id }, 'a delivery could not be made');
  return 'The delivery could not be made.';
}

/** As the database takes it: well-formed, without zeros, and no longer than is kept. */
function storable(text: string): string {
  const whole = text.toWellFormed().replaceAll('\u0000', '\ufffd');
  const bytes = Buffer.from(whole, 'utf8');
  if (bytes.length <= responseBytesMax) return whole;
  // As a stream: a character that is cut in two at the end is left out.
  return new TextDecoder().decode(bytes.subarray(0, responseBytesMax), { stream: true });
}
