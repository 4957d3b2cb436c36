import { Hash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { authenticateMail } from './authenticate.ts';
import { limitDkimSignatures } from './limit-dkim-signatures.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += bytes) {
    yield Buffer.from(text.slice(at, at + bytes), 'latin1');
  }
}

const signature = (n: number, bodyBytes: number): string =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x${n}.example; s=s;\r\n` +
  ` h=from; l=${bodyBytes + n}; bh=AAAA; b=AAAA\r\n`;
const signatures = (count: number, bodyBytes = 10): string =>
  Array.from({ length: count }, (_, n) => signature(n, bodyBytes)).join('');

it.each([1, 7, 65_536])('a mail keeps its first eight signatures, read by %d bytes', async (n) => {
  const rest = 'From: ana@example.com\r\nX: y\r\n\r\nDKIM-Signature: of the body\r\n\xff';
  const read: Uint8Array[] = [];
  for await (const chunk of limitDkimSignatures(inChunks(signatures(12) + rest, n)))
    read.push(chunk);
  expect(Buffer.concat(read).toString('latin1')).toBe(signatures(8) + rest);
});

it('only a few of hundreds of signatures are resolved and hash the body', async () => {
  const queried = new Set<string>();
  const resolve = async (name: string): Promise<string[][]> => {
    queried.add(name);
    throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  };
  const body = `${'y'.repeat(76)}\r\n`.repeat(25_000);
  const raw = `${signatures(600, 1_000_000)}From: ana@example.com\r\nSubject: s\r\n\r\n${body}`;
  let hashed = 0;
  const update = Hash.prototype.update;
  vi.spyOn(Hash.prototype, 'update').mockImplementation(function (this: Hash, ...call) {
    hashed += call[0].length;
    return Reflect.apply(update, this, call);
  });
  const envelope = { sender: '', ip: null, helo: null, recipient: 'm@mail.test' };
  await authenticateMail(inChunks(raw, 65_536), envelope, { resolve, mta: 'mail.test' });
  expect(hashed).toBeGreaterThan(0);
  expect(hashed).toBeLessThan(20 * raw.length);
  expect(queried.size).toBeLessThan(20);
});
