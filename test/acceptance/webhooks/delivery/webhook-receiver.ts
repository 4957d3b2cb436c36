import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReplyMode = 'takes' | 'refuses' | 'hangs' | 'resets';

export interface ReceivedDelivery {
  readonly path: string;
  readonly deliveryId: string;
  readonly body: string;
  readonly replyMode: ReplyMode;
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  /** In the order of their arrival. */
  readonly received: readonly ReceivedDelivery[];
}

/** An endpoint over a real socket; `mannerOf` is asked at each request. */
export async function startWebhookReceiver(
  mannerOf: (path: string) => ReplyMode,
): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const server = http.createServer(async (request, response) => {
    const path = request.url ?? '';
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      // The caller was killed while it sent: nothing arrived.
      return;
    }
    const manner = mannerOf(path);
    const deliveryId = String(request.headers['webhook-id']);
    received.push({
      path,
      deliveryId,
      body: Buffer.concat(parts).toString('utf8'),
      replyMode: manner,
    });
    if (manner === 'resets') request.socket.resetAndDestroy();
    else if (manner !== 'hangs') response.writeHead(manner === 'takes' ? 200 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
