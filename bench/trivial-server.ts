/** Answers everything at once with a memory, so that the client's own cost can be measured. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = JSON.stringify({
  id: '01900000-0000-7000-8000-000000000000',
  content: 'x'.repeat(160),
  tags: [],
  metadata: {},
  created_at: '2026-01-01T00:00:00.000Z',
});
const headers = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(answer),
};

const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(request.method === 'POST' ? 201 : 200, headers);
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listens on http://127.0.0.1:${port}/v1\n`);
});
