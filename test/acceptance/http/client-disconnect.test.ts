import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';

describe('a caller who hangs up in the middle of a body', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded');
  });
  afterAll(() => service.stop());

  it('is no fault of the storage, and none that the log calls an error', async () => {
    const { port } = new URL(service.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    const head = [
      'POST /v1/memories HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${service.adminKey}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
      'Expect: 100-continue',
      'X-Request-Id: hung-up',
    ];
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    // Hung up on only when the head was read: a reset takes unread bytes with it.
    const goOn = new Promise((resolve) => socket.once('data', resolve));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await goOn;
    socket.write('{"content": "half', () => socket.resetAndDestroy());
    const lines = await eventually(
      async () => service.logLines.filter((line) => line.includes('hung-up')),
      (found) => found.some((line) => /"msg":"request (?:rejected|failed)"/.test(line)),
    );
    expect(lines.join('\n')).not.toMatch(/storage_error|"level":"error"/);
  });
});
