import { routes } from '@mneme/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeMedia, fakeRecording } from '../../support/fake-media.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from '../media/blobs.ts';
import { findContractViolations } from './contract-violations.ts';

const file = fakeRecording('audio').toString('latin1');
const boundary = 'b';
const type = `multipart/form-data; boundary=${boundary}`;

/** A part as it goes over the wire. */
const part = (headers: readonly string[], body: string): string =>
  `--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}\r\n`;
const named = (rest: string): string => `Content-Disposition: form-data; ${rest}`;
const field = (name: string, value: string): string => part([named(`name="${name}"`)], value);
const filePart = (rest = 'filename="x.wav"', body = file): string =>
  part([named(`name="file"; ${rest}`)], body);
const form = (...parts: string[]): string => `${parts.join('')}--${boundary}--\r\n`;
const good = form(field('title', 'Walk'), filePart());
const many = (count: number, make: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => make(i));

interface Case {
  readonly body: string;
  readonly type?: string;
  readonly status: number;
  /** Of `details.fields`. */
  readonly fields?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'no boundary': { body: good, type: 'multipart/form-data', status: 400 },
  'an empty boundary': { body: good, type: 'multipart/form-data; boundary=', status: 400 },
  'another boundary': { body: good, type: 'multipart/form-data; boundary=c', status: 400 },
  'a boundary of 10 KB': {
    body: good,
    type: `multipart/form-data; boundary=${'b'.repeat(10_000)}`,
    status: 400,
  },
  'nothing at all': { body: '', status: 400 },
  'white space': { body: ' \r\n ', status: 400 },
  JSON: { body: '{"content":"x"}', status: 400 },
  'its end alone': { body: `--${boundary}--\r\n`, status: 422, fields: ['file'] },
  'no end': { body: good.slice(0, -6), status: 400 },
  'half of its file': { body: good.slice(0, -20), status: 400 },
  'half of a header': { body: `--${boundary}\r\nContent-Dispo`, status: 400 },
  'no file': { body: form(field('title', 'Walk')), status: 422, fields: ['file'] },
  'two files': { body: form(filePart(), filePart()), status: 422, fields: ['file'] },
  'a file under another name': {
    body: form(part([named('name="upload"; filename="x"')], file)),
    status: 422,
    fields: ['file', 'upload'],
  },
  'an empty file': { body: form(filePart('filename="x"', '')), status: 400 },
  'three thousand fields': {
    body: form(...many(3_000, (i) => field(`f${i}`, '')), filePart()),
    status: 413,
  },
  'three thousand files': { body: form(...many(3_000, () => filePart())), status: 413 },
  'a field twice': {
    body: form(field('title', 'a'), field('title', 'b'), filePart()),
    status: 422,
    fields: ['title'],
  },
  'a field of 70 KB': {
    body: form(field('metadata', `{"a":"${'x'.repeat(70_000)}"}`), filePart()),
    status: 422,
    fields: ['metadata'],
  },
  'a field whose name is long': {
    body: form(field('x'.repeat(200), 'a'), filePart()),
    status: 422,
    fields: ['x'.repeat(100)],
  },
  'a field that is called __proto__': {
    body: form(field('__proto__', 'a'), field('constructor', 'a'), filePart()),
    status: 422,
    fields: ['__proto__', 'constructor'],
  },
  'a field of NUL': {
    body: form(field('title', 'a\0b'), filePart()),
    status: 422,
    fields: ['title'],
  },
  'a field that is no UTF-8': {
    body: form(field('title', 'a\xff'), filePart()),
    status: 422,
    fields: ['title'],
  },
  'tags of another type': {
    body: form(field('tags', '{"a":1}'), field('metadata', '[]'), filePart()),
    status: 422,
    fields: ['tags', 'metadata'],
  },
  'a deep metadata': {
    body: form(field('metadata', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`), filePart()),
    status: 422,
    fields: [`metadata${'.a'.repeat(32)}`],
  },
  'two hundred headers in a part': {
    body: form(part([named('name="title"'), ...many(200, (i) => `X-${i}: y`)], 'Walk'), filePart()),
    status: 201,
  },
  // Parts that cannot be told are let be, as those without a name.
  'a header of 200 KB in a part': {
    body: form(part([`X: ${'y'.repeat(200_000)}`, named('name="title"')], 'Walk'), filePart()),
    status: 201,
  },
  'a part whose name is missing': {
    body: form(part([named('x=y')], 'a'), filePart()),
    status: 400,
  },
  'a file whose name is missing': {
    body: form(part([named('filename="x"')], file), filePart()),
    status: 400,
  },
  'a part of no form': { body: form(part(['X: y'], 'a'), filePart()), status: 201 },
  'a file without a name of its own': {
    body: form(part([named('name="file"')], file)),
    status: 422,
    fields: ['file'],
  },
  'folders, NUL and controls in the name of its file': {
    body: form(filePart('filename="../../etc/\0pass\x1bwd.wav"')),
    status: 201,
  },
  'a name of 5,000 characters': {
    body: form(filePart(`filename="${'x'.repeat(5_000)}"`)),
    status: 201,
  },
  'words before and behind it': { body: `before\r\n${good}behind`, status: 201 },
};

describe.each(engines)('a form on %s that has', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { ...createFakeMedia(), transcribers: [] } });
  });
  afterAll(() => service.stop());

  async function post(key: string, body: Buffer, contentType: string) {
    const response = await fetch(`${service.url}/v1/memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': contentType },
      body: new Uint8Array(body),
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  }

  it.each(Object.entries(cases))(
    '%s is answered plainly, and stored whole or not',
    async (_, one) => {
      const { key, client } = await service.createAccount();
      const before = await listBlobs(service);
      const came = await post(key, Buffer.from(one.body, 'latin1'), one.type ?? type);
      expect(came.status, came.text).toBe(one.status);
      expect(findContractViolations(routes.memories.create, came)).toEqual([]);
      if (one.fields) {
        const { error } = JSON.parse(came.text) as { error: { details: { fields: object } } };
        expect(Object.keys(error.details.fields).toSorted()).toEqual(one.fields.toSorted());
      }
      const stored = came.status === 201 ? 1 : 0;
      expect((await client.memories.list()).data).toHaveLength(stored);
      expect(await listBlobs(service)).toHaveLength(before.length + stored);
    },
  );

  it('bytes changed, left out or doubled anywhere is no fault of the service', async () => {
    const { key, client } = await service.createAccount();
    const plain = Buffer.from(good, 'latin1');
    const damage = fc.tuple(
      fc.constantFrom('change', 'leave out', 'double', 'cut'),
      fc.nat(plain.length - 1),
      fc.nat(255),
      fc.integer({ min: 1, max: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (all) => {
        let bytes = plain;
        for (const [how, at, byte, length] of all) {
          const [left, right] = [bytes.subarray(0, at), bytes.subarray(at)];
          if (how === 'change') bytes = Buffer.concat([left, Buffer.of(byte), right.subarray(1)]);
          if (how === 'leave out') bytes = Buffer.concat([left, right.subarray(length)]);
          if (how === 'double') bytes = Buffer.concat([left, right.subarray(0, length), right]);
          if (how === 'cut') bytes = left;
        }
        const [before, blobs] = [await client.memories.list(), await listBlobs(service)];
        const came = await post(key, bytes, type);
        expect(findContractViolations(routes.memories.create, came)).toEqual([]);
        if (came.status === 201) return;
        expect(await client.memories.list()).toEqual(before);
        expect(await listBlobs(service)).toHaveLength(blobs.length);
      }),
      { numRuns: runCount(40, 2_000), endOnFailure: true },
    );
  });
});
