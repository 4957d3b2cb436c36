import { expect, it } from 'vitest';
import { authenticateMail } from './authenticate.ts';
import { withFewSignatures } from './signatures.ts';

async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
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
  for await (const piece of withFewSignatures(inPieces(signatures(12) + rest, n))) read.push(piece);
  expect(Buffer.concat(read).toString('latin1')).toBe(signatures(8) + rest);
});

it('of hundreds of signatures few are looked up, and few hash the body', async () => {
  const asked = new Set<string>();
  const resolve = async (name: string): Promise<string[][]> => {
    asked.add(name);
    throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  };
  const body = `${'y'.repeat(76)}\r\n`.repeat(25_000);
  const raw = `${signatures(600, 1_000_000)}From: ana@example.com\r\nSubject: s\r\n\r\n${body}`;
  const began = performance.now();
  const envelope = { sender: '', ip: null, helo: null, recipient: 'm@mail.test' };
  await authenticateMail(inPieces(raw, 65_536), envelope, { resolve, mta: 'mail.test' });
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(asked.size).toBeLessThan(20);
});
