import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, receivers, startReceiver } from './testing.ts';

const secret = 'the-secret-of-this-receiver';
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

let deliveries = 0;
const nextId = (): string => {
  deliveries += 1;
  return `delivery-${deliveries}`;
};

interface Sent {
  readonly id?: string;
  readonly body?: string;
  readonly at?: number;
  readonly keys?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const hex = (key: string, at: number, body: string): string =>
  createHmac('sha256', key).update(`${at}.${body}`).digest('hex');

const eventOf = (id: string): string =>
  JSON.stringify({ id, type: 'memory.created', data: 'Grüße' });

/** Sends one delivery as the service would, but for what is said; gives the status. */
async function deliver(receiver: Receiver, sent: Sent = {}): Promise<number> {
  const { id = nextId(), at = nowSeconds(), keys = [secret] } = sent;
  const body = sent.body ?? eventOf(`event-of-${id}`);
  const response = await fetch(receiver.url, {
    method: 'POST',
    body,
    headers: {
      'x-webhook-delivery-id': id,
      'x-webhook-timestamp': String(at),
      'x-webhook-signature': [`t=${at}`, ...keys.map((key) => `v1=${hex(key, at, body)}`)].join(),
      ...sent.headers,
    },
  });
  return response.status;
}

const timesSaid = (receiver: Receiver, line: string): number =>
  receiver
    .output()
    .split('\n')
    .filter((one) => one === line).length;

/** Says how long a body will be, and never sends it. */
function statusBeforeBody(url: string, bytes: number): Promise<number | undefined> {
  const headers = { 'content-length': bytes, 'x-webhook-delivery-id': nextId() };
  return new Promise((resolve, reject) => {
    const announced = request(url, { method: 'POST', agent: false, headers });
    announced.on('error', reject);
    announced.on('response', ({ statusCode }) => {
      resolve(statusCode);
      announced
        .off('error', reject)
        .on('error', () => announced.destroy())
        .destroy();
    });
    announced.flushHeaders();
  });
}

describe.each(receivers)('the receiver in %s', (_, command) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver(command, secret);
  });
  afterAll(async () => {
    await receiver[Symbol.asyncDispose]();
  });

  it('takes what is signed, in both forms, and hands it on', async () => {
    const [one, other] = [nextId(), nextId()];
    expect(await deliver(receiver, { id: one })).toBe(204);
    await receiver.waitForOutput(new RegExp(`^memory.created event-of-${one}$`, 'm'));
    const [body, at] = [eventOf(`event-of-${other}`), nowSeconds()];
    const headers = { 'x-webhook-signature': hex(secret, at, body) };
    expect(await deliver(receiver, { id: other, body, at, headers })).toBe(204);
    await receiver.waitForOutput(new RegExp(`^memory.created event-of-${other}$`, 'm'));
  });

  it('takes either of two signatures', async () => {
    expect(await deliver(receiver, { keys: ['a new one', secret] })).toBe(204);
    expect(await deliver(receiver, { keys: [secret, 'a former one'] })).toBe(204);
  });

  it('handles a delivery once, however often and however close together it comes', async () => {
    const id = nextId();
    const statuses = await Promise.all(Array.from({ length: 5 }, () => deliver(receiver, { id })));
    expect([...statuses, await deliver(receiver, { id })]).toEqual(Array(6).fill(204));
    await receiver.waitForOutput(new RegExp(`(?:^again ${id}$[^]*){5}`, 'm'));
    expect(timesSaid(receiver, `memory.created event-of-${id}`)).toBe(1);
  });

  it.each<[string, Sent, string]>([
    ['signed with another secret', { keys: ['another'] }, 'mismatch'],
    ['of six minutes ago', { at: nowSeconds() - 360 }, 'stale'],
    ['of six minutes ahead', { at: nowSeconds() + 400 }, 'stale'],
    ['signed as another body', { headers: { 'x-webhook-signature': '0'.repeat(64) } }, 'mismatch'],
    ['not signed', { headers: { 'x-webhook-signature': '' } }, 'missing_header'],
    ['signed by nothing', { keys: [] }, 'malformed'],
    ['signed in part', { headers: { 'x-webhook-signature': 't=1,v1=ab' } }, 'malformed'],
  ])('refuses what is %s', async (_name, sent, reason) => {
    const id = nextId();
    const refused = () => timesSaid(receiver, `refused ${reason}`);
    const before = refused();
    expect(await deliver(receiver, { ...sent, id })).toBe(400);
    await receiver.waitForOutput(new RegExp(`(?:^refused ${reason}$[^]*){${before + 1}}`, 'm'));
    expect(receiver.output()).not.toContain(`event-of-${id}`);
  });

  it('refuses what is signed but no JSON, too large, or has no id, and goes on', async () => {
    expect(await deliver(receiver, { body: 'no json' })).toBe(400);
    expect(await deliver(receiver, { headers: { 'x-webhook-delivery-id': '' } })).toBe(400);
    expect(await statusBeforeBody(receiver.url, 5 * 1_024 * 1_024)).toBe(413);
    expect((await fetch(receiver.url)).status).toBe(405);
    expect(await deliver(receiver)).toBe(204);
  });
});
