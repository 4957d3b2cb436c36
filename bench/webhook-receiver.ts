/** Takes every delivery at once, and counts those that it has not seen before. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const seen = new Set<string>();
let received = 0;

const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const id = request.headers['webhook-id'];
    if (typeof id === 'string') {
      received += 1;
      seen.add(id);
    }
    const answer = JSON.stringify({ received, distinct: seen.size });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listens on http://127.0.0.1:${port}/v1\n`);
});
