/** Receives webhooks of Mneme: believes what is signed, handles each delivery once. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@mneme/sdk';

const { WEBHOOK_SECRET: secret, HOST = '127.0.0.1', PORT = '8080' } = process.env;
if (!secret) throw new Error('WEBHOOK_SECRET must be the secret of the webhook');

const bodyBytesMax = 4 * 1_024 * 1_024;
const rememberedMax = 10_000;

/** Deliveries that were handled, or are being handled; the oldest is forgotten first. */
const handled = new Map<string, Promise<void>>();

/** Your part. What it throws is answered with 500, and the delivery comes again. */
async function handle(event: WebhookEvent): Promise<void> {
  console.log(`${event.type} ${event.id}`);
}

function handleOnce(deliveryId: string, event: WebhookEvent): Promise<void> {
  const before = handled.get(deliveryId);
  if (before !== undefined) {
    console.log(`again ${deliveryId}`);
    return before;
  }
  const handling = handle(event);
  handled.set(deliveryId, handling);
  // What failed may be tried again.
  handling.catch(() => handled.delete(deliveryId));
  const [oldest] = handled.keys();
  if (handled.size > rememberedMax && oldest !== undefined) handled.delete(oldest);
  return handling;
}

/** The bytes as they came: what is signed is these. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  // Mneme always says how long a body is.
  if (!(Number(request.headers['content-length']) <= bodyBytesMax)) return null;
  return Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
}

/** The status to answer with: 2xx says that the delivery need not come again. */
async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') return 405;
  const deliveryId = request.headers['x-webhook-delivery-id'];
  if (typeof deliveryId !== 'string' || deliveryId === '') return 400;
  const body = await bodyOf(request);
  if (body === null) return 413;
  try {
    const event = await verifyWebhook({ secret: secret ?? '', headers: request.headers, body });
    await handleOnce(deliveryId, event);
    return 204;
  } catch (error) {
    console.log(error instanceof WebhookError ? `refused ${error.reason}` : error);
    return error instanceof WebhookError ? 400 : 500;
  }
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => {
      // What is left unread would be taken for the next request.
      if (status === 405 || status === 413) response.setHeader('Connection', 'close');
      response.writeHead(status).end();
    },
    () => response.destroy(),
  );
});
server.listen(Number(PORT), HOST, () => {
  const { address, port } = server.address() as AddressInfo;
  console.log(`Listening on http://${address}:${port}/`);
});
