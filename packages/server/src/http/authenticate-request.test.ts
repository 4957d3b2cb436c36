import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { unlimitedActor } from '../domains/ctx.ts';
import { RequestLimiter } from '../kernel/request-limiter.ts';
import { runAdmittedRequest } from './authenticate-request.ts';

it('does not run the handler for a client that disconnected after the body', async () => {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [raw, response] = (await once(server, 'request')) as [
    http.IncomingMessage,
    http.ServerResponse,
  ];
  client.destroy();
  await once(response, 'close');
  const visit = {
    actor: { ...unlimitedActor, accountId: 'a', scopes: new Set(), spaces: null },
    admission: { headers: {}, release: async () => undefined },
    slot: new RequestLimiter(1, createFakeClock()).acquire({ kind: 'account', id: 'a' }),
    isEndless: false,
    phase: 'waiting',
  };
  let ran = false;
  const run = async () => {
    ran = true;
  };
  const call = runAdmittedRequest(
    { visit, raw } as unknown as FastifyRequest,
    { raw: response } as FastifyReply,
    {
      run,
      isStreamed: () => false,
    },
  );
  await expect(call).rejects.toMatchObject({ code: 'invalid_request' });
  expect(ran).toBe(false);
  server.close();
});
