import { expect } from 'vitest';
import { type ErrorCase, prepareRequest } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

const daySeconds = 86_400;

/** The five fields of a reached limit. */
const limitDetails = (limit: number, window: unknown) => ({
  limit,
  remaining: 0,
  reset: expect.any(Number),
  retry_after: expect.any(Number),
  window,
});

/** A minute that has just begun: what follows counts in one window. */
function advanceToNextMinute({ clock }: FaultInjectionService): void {
  clock.advance(60_000 - (clock.now().getTime() % 60_000));
}

const counts: readonly ErrorCase[] = [
  {
    code: 'quota_exceeded',
    where: 'the plan allows no more spaces',
    route: 'spaces.create',
    details: { quota: 'spaces', limit: 3, used: 3 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('free');
      for (const name of ['a', 'b', 'c']) await client.spaces.create({ body: { name } });
      return prepareRequest(stage, 'POST /spaces', { key, body: { name: 'd' } });
    },
  },
  {
    code: 'quota_exceeded',
    where: 'the plan allows no more API keys',
    route: 'keys.create',
    details: { quota: 'api_keys', limit: 3, used: 3 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('free');
      for (const name of ['b', 'c']) await client.keys.create({ body: { name } });
      return prepareRequest(stage, 'POST /api-keys', { key, body: { name: 'd' } });
    },
  },
];

const embeddingsOfFree = 5_000;

const quotas: readonly ErrorCase[] = [
  {
    code: 'quota_exceeded',
    where: 'the embeddings of the month are used up',
    status: 429,
    route: 'memories.update',
    details: {
      ...limitDetails(embeddingsOfFree, expect.any(Number)),
      quota: 'embeddings_per_month',
    },
    async provoke(stage) {
      const { id: accountId, client, key } = await stage.service.createAccount();
      const embedding = Array.from({ length: 192 }, () => 1);
      let id = '';
      for (let from = 0; from < embeddingsOfFree; from += 100) {
        const memories = Array.from({ length: 100 }, (_, i) => ({
          content: `${from + i}`,
          embedding,
        }));
        const made = await client.memories.bulkCreate({ body: { memories } });
        id = made.memories[0]?.id ?? '';
      }
      const operator = stage.service.operator();
      await operator.admin.updateAccount({ params: { id: accountId }, body: { plan: 'free' } });
      return prepareRequest(stage, `PATCH /memories/${id}`, { key, body: { content: 'one more' } });
    },
  },
  {
    code: 'daily_limit_exceeded',
    where: 'the account wants no more memories today',
    route: 'memories.create',
    details: limitDetails(0, daySeconds),
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await client.account.update({ body: { settings: { daily_memory_limit: 0 } } });
      return prepareRequest(stage, 'POST /memories', { key, body: { content: 'x' } });
    },
  },
  {
    code: 'daily_limit_exceeded',
    where: 'an item of an atomic bulk is one too many today',
    route: 'memories.bulkCreate',
    details: { ...limitDetails(1, daySeconds), index: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await client.account.update({ body: { settings: { daily_memory_limit: 1 } } });
      const body = { memories: [{ content: 'a' }, { content: 'b' }] };
      return prepareRequest(stage, 'POST /memories/bulk?atomic=true', { key, body });
    },
  },
];

const rates: readonly ErrorCase[] = [
  {
    code: 'rate_limit_exceeded',
    where: 'the requests of the minute are used up',
    route: 'account.get',
    details: limitDetails(60, 60),
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('free');
      advanceToNextMinute(stage);
      for (let i = 0; i < 60; i += 1) await client.account.get();
      return prepareRequest(stage, 'GET /account', { key });
    },
  },
  {
    code: 'rate_limit_exceeded',
    where: 'the requests of the minute to one endpoint are used up',
    route: 'memories.bulkCreate',
    details: limitDetails(10, 60),
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('pro');
      const body = { memories: [] };
      advanceToNextMinute(stage);
      for (let i = 0; i < 10; i += 1) {
        await client.request({ method: 'POST', path: '/memories/bulk', body });
      }
      return prepareRequest(stage, 'POST /memories/bulk', { key, body });
    },
  },
  {
    code: 'concurrent_limit_exceeded',
    where: 'as many requests run as the plan allows at once',
    route: 'account.get',
    details: limitDetails(5, 0),
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount('free');
      const hold = stage.blockEmbedding();
      const running = ['a', 'b', 'c', 'd', 'e'].map((content) =>
        client.memories.create({ body: { content } }),
      );
      await hold.waitForCalls(5);
      return {
        ...prepareRequest(stage, 'GET /account', { key }),
        async restore() {
          hold[Symbol.dispose]();
          await Promise.all(running);
        },
      };
    },
  },
];

export const limits: readonly ErrorCase[] = [...counts, ...quotas, ...rates];
