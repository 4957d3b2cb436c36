/** Receives every export of OTLP at once, and counts their requests and bytes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

let requests = 0;
let bytes = 0;

const server = http.createServer((request, response) => {
  const isExport = request.method === 'POST';
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    if (isExport) requests += 1;
    const type = isExport ? 'application/x-protobuf' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(isExport ? '' : JSON.stringify({ requests, bytes }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listens on http://127.0.0.1:${port}/v1\n`);
});
