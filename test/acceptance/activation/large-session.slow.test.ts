import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { idsOf } from '../memories/memory-requests.ts';
import {
  createLargeSession,
  requestStream,
  type StreamedResponse,
  streamedReads,
} from './large-session.ts';
import {
  minuteMs,
  onlySessionOfKey,
  searchWithSession,
  withoutTimers,
} from './session-requests.ts';

describe.each(engines)('An export that is still being read on %s', (engine) => {
  let service: Service;
  let account: Awaited<ReturnType<Service['createAccount']>>;
  let id: string;
  const clock = withoutTimers(createFakeClock());
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
    account = await service.createAccount();
    id = await createLargeSession(account.client, 20);
  });
  afterAll(() => service.stop());
  const begin = async (path = `${id}/export?format=json`) => {
    const answer = await requestStream(service.url, account.key, path);
    expect(answer.status).toBe(200);
    return answer;
  };

  it('counts as a running request until it has come, or its reader has gone', async () => {
    const operator = service.operator();
    const params = { id: account.id };
    await operator.admin.updateAccount({ params, body: { plan: 'free' } });
    const { limits } = await account.client.account.get();
    const max = limits.concurrent_requests ?? 0;
    const open: StreamedResponse[] = [];
    for (let i = 0; i < max; i += 1) open.push(await begin());
    const refused = await requestStream(service.url, account.key, id);
    expect([refused.status, JSON.parse(await refused.text())]).toMatchObject([
      429,
      { error: { code: 'concurrent_limit_exceeded' } },
    ]);
    const areLetIn = (count: number) => async (): Promise<boolean> => {
      clock.advance(minuteMs);
      const asked = Array.from({ length: count }, () =>
        requestStream(service.url, account.key, id),
      );
      return (await Promise.all(asked)).every(({ status }) => status === 200);
    };
    await open[0]?.byteLength();
    await eventually(areLetIn(1), Boolean);
    for (const { abort } of open) abort();
    await eventually(areLetIn(max), Boolean);
    await operator.admin.updateAccount({ params, body: { plan: 'enterprise' } });
  });

  it('leaves out what is deleted before its turn', async () => {
    const { memory_ids } = await onlySessionOfKey(account.client, 'k');
    const last = memory_ids.at(-1) ?? '';
    const answer = await begin();
    await account.client.memories.remove({ params: { id: last }, query: { soft: true } });
    const { memories } = JSON.parse(await answer.text()) as { memories: { id: string }[] };
    expect(memories.map((one) => one.id)).toEqual(memory_ids.slice(0, -1));
    await account.client.memories.restore({ params: { id: last } });
  });

  it('is asked for by HEAD without being made', async () => {
    for (const read of streamedReads) {
      const path = `${id}/${read}`;
      const [head, get] = [
        await requestStream(service.url, account.key, path, 'HEAD'),
        await begin(path),
      ];
      get.abort();
      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      for (const name of ['content-type', 'content-disposition']) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
      expect(head.headers['content-length']).toBeUndefined();
    }
  });

  it('holds up no other search or write', async () => {
    const open = [await begin(), await begin(`${id}/report`)];
    const { id: made } = await account.client.memories.create({ body: { content: 'needle new' } });
    expect(await searchWithSession(account.client, 'other', '"needle new"')).toEqual([made]);
    for (const { abort } of open) abort();
    const { memories } = await account.client.search.recall({ body: { query: '"needle new"' } });
    expect(idsOf(memories)).toEqual([made]);
  });
});
