import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Print } from '../options.ts';
import { createInstallation, type RunningServer } from '../servers.ts';

/** Connections without a key, each with a body that the server does not accept. */
const connections = 150;
const bodyBytes = 8 * 2 ** 20;
const sendForMs = 8_000;
const sampleMs = 20;
/** The most that all of them together may add to the resident memory. */
const memoryRiseMbMax = 100;

const requests = {
  'media type refused': `content-type: application/octet-stream\r\ncontent-length: ${bodyBytes}`,
  'JSON refused': `content-type: application/json\r\ncontent-length: ${bodyBytes}`,
  'form accepted, chunked':
    'content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked',
} as const;

/** How far RSS rises while strangers send large bodies to a public route. */
export async function measureRejectedBodies(say: Print): Promise<void> {
  say(`\nBodies without a key: ${connections} connections × 8 MB to POST /v1/email/unsubscribe`);
  say('| request | RSS before, MB | peak, MB | rise, MB |\n| --- | --- | --- | --- |');
  for (const [name, headers] of Object.entries(requests)) {
    await using place = await createInstallation('embedded', {
      databaseUrl: null,
      profileDir: null,
    });
    const server = await place.start();
    try {
      const { currentMb } = await server.rss();
      const peakMb = await measurePeak(server, headers);
      const grownMb = peakMb - currentMb;
      const verdict = grownMb > memoryRiseMbMax ? ` (above ${memoryRiseMbMax})` : '';
      const figures = [currentMb, peakMb, grownMb].map((figure) => figure.toFixed(0));
      say(`| ${name} | ${figures.join(' | ')}${verdict} |`);
    } finally {
      await server.stop();
    }
  }
}

async function measurePeak(server: RunningServer, headers: string): Promise<number> {
  const { hostname, port } = new URL(server.url);
  const isChunked = headers.includes('chunked');
  const piece = Buffer.alloc(64 * 1_024, 'a');
  const sent = isChunked
    ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    : piece;
  const path = '/v1/email/unsubscribe?account=a&email=a@b.c&signature=x';
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n`;
  const sockets = Array.from({ length: connections }, () => net.connect(Number(port), hostname));
  const sending = sockets.map(async (socket) => {
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(`${head}${headers}\r\n\r\n`);
    // All but the last byte: what the server buffers, it keeps.
    for (let left = bodyBytes - 1; left > 0 && socket.writable; left -= piece.length) {
      const more = socket.write(
        sent.subarray(0, isChunked ? sent.length : Math.min(left, piece.length)),
      );
      if (!more) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
    }
  });
  let peakMb = 0;
  const until = performance.now() + sendForMs;
  void Promise.allSettled(sending);
  // The peak that the system keeps is that of the start.
  while (performance.now() < until) {
    peakMb = Math.max(peakMb, (await server.rss()).currentMb);
    await wait(sampleMs);
  }
  for (const socket of sockets) socket.destroy();
  return peakMb;
}
