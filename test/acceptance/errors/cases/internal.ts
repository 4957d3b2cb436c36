import { EngineFailed } from '../../../../packages/server/src/database/index.ts';
import { EmbeddingFailed } from '../../../../packages/server/src/providers/embedding/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { openRawConnection, type RawHttpConnection } from '../../../support/raw-http.ts';
import { startService } from '../../../support/service.ts';
import { type ErrorCase, type ProvokedError, prepareRequest, requestText } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

/** A message as faults inside have them; nothing of it is the caller's business. */
const secret = 'insert into "spaces" values ($1) at /srv/mneme/store.ts:12:3 on dbhost-7:5432';
const errorWithCode = (code: string): Error => Object.assign(new Error(secret), { code });

/** POST /spaces while no transaction can begin. */
async function provokeStorageFailure(
  stage: FaultInjectionService,
  error: Error,
): Promise<ProvokedError> {
  const { key } = await stage.service.createAccount();
  const fault = stage.failTransactions(error);
  return {
    ...prepareRequest(stage, 'POST /spaces', { key, body: { name: 'never' } }),
    restore: () => fault[Symbol.dispose](),
  };
}

const failures: readonly ErrorCase[] = [
  {
    code: 'internal_error',
    where: 'something inside fails that nobody thought of',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, new TypeError(secret)),
  },
  {
    code: 'internal_error',
    where: 'a statement is at fault',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, errorWithCode('42P01')),
  },
  {
    code: 'storage_error',
    where: 'the embedded database has stopped',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, new EngineFailed(secret)),
  },
  {
    code: 'storage_error',
    where: 'the disk is full',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, errorWithCode('53100')),
  },
  {
    code: 'storage_error',
    where: 'the database cannot be reached',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, errorWithCode('ECONNREFUSED')),
  },
  {
    code: 'storage_damaged',
    where: 'a page of a table is damaged',
    route: 'spaces.create',
    internalMessage: secret,
    provoke: (stage) => provokeStorageFailure(stage, errorWithCode('XX001')),
  },
  {
    code: 'embedding_failed',
    where: 'the model does not answer for a memory',
    route: 'memories.create',
    internalMessage: secret,
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      const fault = stage.failEmbedding(new EmbeddingFailed(secret));
      return {
        ...prepareRequest(stage, 'POST /memories', { key, body: { content: 'x' } }),
        restore: () => fault[Symbol.dispose](),
      };
    },
  },
  {
    code: 'embedding_failed',
    where: 'the model does not answer for a search',
    route: 'search.get',
    internalMessage: secret,
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await client.memories.create({ body: { content: 'x' } });
      const fault = stage.failEmbedding(new EmbeddingFailed(secret, { unavailable: true }));
      return {
        ...prepareRequest(stage, 'GET /search?q=x', { key }),
        restore: () => fault[Symbol.dispose](),
      };
    },
  },
];

const timeouts: readonly ErrorCase[] = [
  {
    code: 'invalid_request',
    where: 'the request does not arrive in time',
    status: 408,
    route: null,
    headers: { connection: 'close' },
    async provoke({ engine }) {
      const env = { MNEME_REQUEST_TIMEOUT_SECONDS: '1' };
      const service = await startService(engine, { env });
      const headers = { 'content-type': 'application/json', 'content-length': '20' };
      const asked = { key: service.adminKey, headers, body: '{' };
      return {
        ...prepareRequest({ service }, 'POST /memories', asked),
        logLines: () => service.logLines,
        restore: () => service.stop(),
      };
    },
  },
  {
    code: 'service_unavailable',
    where: 'the service is about to stop',
    route: 'memories.list',
    headers: { connection: 'close' },
    async provoke({ engine }) {
      const service = await startService(engine, { isExclusive: true });
      const wires: RawHttpConnection[] = [];
      // A shutdown waits only for connections over which a request has begun.
      const begun = 'GET ';
      for (let i = 0; i < 8; i += 1) {
        const wire = await openRawConnection(service.url);
        wire.send(begun);
        wires.push(wire);
      }
      // Answered on a connection that came last: the others have been read by then.
      await service.client().operations.health();
      const stopped = service.stop();
      await eventually(
        () => isRefused(service.url),
        (refused) => refused,
      );
      return {
        send(headers) {
          const wire = wires.pop();
          const text = requestText('GET /memories', { key: service.adminKey, headers });
          wire?.send(text.slice(begun.length));
          return wire?.readResponse() ?? Promise.reject(new Error('no connection is left'));
        },
        logLines: () => service.logLines,
        async restore() {
          for (const wire of wires) wire[Symbol.dispose]();
          await stopped;
        },
      };
    },
  },
];

async function isRefused(url: string): Promise<boolean> {
  try {
    using _wire = await openRawConnection(url);
    return false;
  } catch {
    return true;
  }
}

export const internalErrors: readonly ErrorCase[] = [...failures, ...timeouts];
