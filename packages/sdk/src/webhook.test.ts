import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type VerifyWebhookOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WrappedWebhookEvent,
} from './webhook.ts';

const secret = 'a-secret-of-this-test-9f2c';
const now = new Date('2026-03-04T05:06:07.890Z');
const nowSeconds = 1_772_600_767;
const event = { id: 'evt', type: 'memory.created', data: { content: 'Grüße 🎉' } };
const body = JSON.stringify(event);

const hexOf = (text: string, time: number | string = nowSeconds, key = secret): string =>
  createHmac('sha256', key).update(`${time}.${text}`).digest('hex');

const timestamped = (
  text = body,
  time = nowSeconds,
  ...keys: string[]
): Record<string, string> => ({
  'x-webhook-signature': [
    `t=${time}`,
    ...(keys.length > 0 ? keys : [secret]).map((key) => `v1=${hexOf(text, time, key)}`),
  ].join(','),
});

const plain = (text = body, time = nowSeconds): Record<string, string> => ({
  'x-webhook-timestamp': String(time),
  'x-webhook-signature': hexOf(text, time),
});

const forms = [
  ['t=…,v1=…', timestamped],
  ['the digest alone', plain],
] as const;

/** What is said of a delivery: the event, or why not. */
async function verdict(given: Partial<VerifyWebhookOptions>): Promise<unknown> {
  try {
    return await verifyWebhook({ secret, headers: timestamped(), body, now, ...given });
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

describe.each(forms)('a delivery that is signed as %s', (_, sign) => {
  it('is the event that was sent, from text and from bytes', async () => {
    expect(await verdict({ headers: sign() })).toEqual(event);
    expect(await verdict({ headers: sign(), body: new TextEncoder().encode(body) })).toEqual(event);
  });

  it('is believed with headers of any kind and case', async () => {
    const entries = Object.entries(sign());
    const shouted = entries.map(([name, value]) => [name.toUpperCase(), value]);
    const lists = entries.map(([name, value]) => [name, [value]]);
    expect(await verdict({ headers: new Headers(sign()) })).toEqual(event);
    expect(await verdict({ headers: Object.fromEntries(shouted) })).toEqual(event);
    expect(await verdict({ headers: Object.fromEntries(lists) })).toEqual(event);
  });

  it.each([
    [-301, 'stale'],
    [-300, event],
    [0, event],
    [300, event],
    [302, 'stale'],
  ])('within 300 s of its time, here %i s from now', async (seconds, expected) => {
    const at = { now: new Date(nowSeconds * 1_000) };
    expect(await verdict({ headers: sign(body, nowSeconds + seconds), ...at })).toEqual(expected);
  });

  it('has the time that the caller gives it', async () => {
    const headers = sign(body, nowSeconds - 20);
    expect(await verdict({ headers, toleranceSeconds: 10 })).toBe('stale');
    expect(await verdict({ headers, toleranceSeconds: 30 })).toEqual(event);
    expect(await verdict({ headers, toleranceSeconds: Number.NaN })).toBe('stale');
    expect(await verdict({ headers, now: new Date(Number.NaN) })).toBe('stale');
  });

  it('is refused with any other secret', async () => {
    const headers = sign();
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (other) => {
        expect(await verdict({ headers, secret: other })).toBe('mismatch');
      }),
    );
  });

  it('is believed for any body, and refused with any bit of it flipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), async (text, at) => {
        const bytes = new TextEncoder().encode(text);
        const headers = sign(text);
        expect(await verdict({ headers, body: bytes })).toEqual(JSON.parse(text));
        const flipped = bytes.slice();
        const bit = at % (bytes.length * 8);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await verdict({ headers, body: flipped })).toBe('mismatch');
      }),
    );
  });

  it('is refused with any bit of its signature or its time flipped', async () => {
    for (const [name, value] of Object.entries(sign())) {
      for (let bit = 0; bit < value.length * 8; bit += 1) {
        const code = value.charCodeAt(bit >> 3) ^ (1 << (bit & 7));
        const flipped =
          value.slice(0, bit >> 3) + String.fromCharCode(code) + value.slice((bit >> 3) + 1);
        const said = await verdict({ headers: { ...sign(), [name]: flipped } });
        expect(['malformed', 'mismatch', 'stale', 'missing_header']).toContain(said);
      }
    }
  });

  it('is refused when it ends earlier, goes on, or is empty', async () => {
    const headers = sign();
    for (const other of [body.slice(0, -1), `${body} `, '']) {
      expect(await verdict({ headers, body: other })).toBe('mismatch');
    }
  });
});

describe('while the secret changes', () => {
  it('either of two signatures is enough, whichever secret is known', async () => {
    const headers = timestamped(body, nowSeconds, 'the new one', 'the former one');
    expect(await verdict({ headers, secret: 'the new one' })).toEqual(event);
    expect(await verdict({ headers, secret: 'the former one' })).toEqual(event);
    expect(await verdict({ headers, secret: 'none of them' })).toBe('mismatch');
  });

  it('either of two secrets is enough', async () => {
    const headers = timestamped();
    const { secret: _, ...rest } = { secret, headers, body, now };
    expect(await verifyWebhook({ ...rest, secrets: ['another', secret] })).toEqual(event);
    expect(await verifyWebhook({ ...rest, secrets: [secret, 'another'] })).toEqual(event);
    await expect(verifyWebhook({ ...rest, secrets: ['another', 'a third'] })).rejects.toThrow(
      'The signature does not match the body',
    );
  });

  it('no secret at all, or an empty one, is a fault of the caller', async () => {
    const rest = { headers: timestamped(), body, now };
    await expect(verifyWebhook(rest)).rejects.toThrow(TypeError);
    await expect(verifyWebhook({ ...rest, secrets: [] })).rejects.toThrow(TypeError);
    await expect(verifyWebhook({ ...rest, secrets: [secret, ''] })).rejects.toThrow(TypeError);
  });
});

describe('headers', () => {
  const digest = hexOf(body);

  it.each([
    ['none', {}, 'missing_header'],
    ['an empty one', { 'x-webhook-signature': '' }, 'missing_header'],
    ['a digest without its time', { 'x-webhook-signature': digest }, 'missing_header'],
    ['no time', { 'x-webhook-signature': `v1=${digest}` }, 'malformed'],
    ['no digest', { 'x-webhook-signature': `t=${nowSeconds}` }, 'malformed'],
    ['two times', { 'x-webhook-signature': `t=1,t=${nowSeconds},v1=${digest}` }, 'malformed'],
    ['a time of words', { 'x-webhook-signature': `t=now,v1=${digest}` }, 'malformed'],
    ['a time with a sign', { 'x-webhook-signature': `t=+${nowSeconds},v1=${digest}` }, 'malformed'],
    ['a short digest', { 'x-webhook-signature': `t=${nowSeconds},v1=ab` }, 'malformed'],
    [
      'a digest in capitals',
      { 'x-webhook-signature': `t=${nowSeconds},v1=${digest.toUpperCase()}` },
      'malformed',
    ],
    [
      'a digest of another kind alone',
      { 'x-webhook-signature': `t=${nowSeconds},v0=${digest}` },
      'malformed',
    ],
    [
      'more digests than anyone sends',
      { 'x-webhook-signature': `t=${nowSeconds}${`,v1=${digest}`.repeat(9)}` },
      'malformed',
    ],
    ['two of one name', { 'x-webhook-signature': ['a', 'b'] }, 'malformed'],
  ])('with %s are refused', async (_, headers, reason) => {
    expect(await verdict({ headers })).toBe(reason);
  });

  it('may have values of kinds to come beside the one that is known', async () => {
    const text = `t=${nowSeconds},v0=x,v1=${digest},v2=y=`;
    expect(await verdict({ headers: { 'x-webhook-signature': text } })).toEqual(event);
  });

  it('of any other kind never let a delivery through, and never surprise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const said = await verdict({ headers: { 'x-webhook-signature': text } });
        expect(['missing_header', 'malformed', 'mismatch', 'stale']).toContain(said);
      }),
    );
  });
});

describe('a body', () => {
  it('that is signed but is no JSON is refused by its own name', async () => {
    expect(await verdict({ headers: timestamped('no json'), body: 'no json' })).toBe('malformed');
  });

  it('is typed by the kind of its event, in the payload form of the webhook', () => {
    type Created = Extract<WebhookEvent, { type: 'memory.created' }>;
    expectTypeOf<Created['data']['content']>().toEqualTypeOf<string>();
    type Wrapped = Extract<WrappedWebhookEvent, { type: 'memory.created' }>;
    expectTypeOf<Wrapped['data']['memory']['content']>().toEqualTypeOf<string>();
  });
});
