import type { BulkAction, Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pruneBulkChanges,
  runBulkChange,
  runUndo,
} from '../../../packages/server/src/domains/memories/bulk-changes/run.ts';
import type { RunningJob } from '../../../packages/server/src/jobs/job-worker.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory, expectError } from './memory-requests.ts';

const day = 86_400_000;

describe.each(engines)('a change by filter on %s', (engine) => {
  let service: Service;
  // Its timers stand: jobs run only when a test lets them.
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const drain = () => service.running.context.worker.drain();
  const read = (client: Client, id: string) =>
    client.memories.getChange({ params: { changeId: id } });
  const undo = (client: Client, id: string) =>
    client.memories.undoChange({ params: { changeId: id } });

  /** Three memories, of which one is protected, and a change that waits. */
  async function scene(action: BulkAction = { type: 'tag', add: ['new'] }) {
    const { client, id: accountId } = await service.createAccount();
    for (const content of ['One.', 'Two.']) await createMemory(client, content, { tags: ['a'] });
    await createMemory(client, 'Three.', { tags: ['a'], protection_level: 'hard' });
    const started = await client.memories.startChange({ body: { filter: {}, action } });
    return { client, accountId, id: 'id' in started ? started.id : '' };
  }

  /** A job that a crash ends when it saves its progress. */
  const crashing = (
    accountId: string,
    id: string,
    { payload, isLastAttempt = false }: { payload?: object; isLastAttempt?: boolean } = {},
  ): RunningJob => ({
    id,
    accountId,
    payload: {
      filter: {},
      until: clock.now().toISOString(),
      confirmed: false,
      ...payload,
    },
    spaces: null,
    isLastAttempt,
    stopSignal: new AbortController().signal,
    shouldYield: () => false,
    saveProgress: () => Promise.reject(new Error('crashed')),
  });
  const run = (job: RunningJob) => runBulkChange(service.running.context.app, job);
  const runBack = (job: RunningJob) => runUndo(service.running.context.app, job);
  const tagsOf = async (client: Client) =>
    (await client.memories.list()).data.map(({ tags }) => tags.join()).toSorted();

  it('that crashes in a step counts each memory once, and so does its undo', async () => {
    const { client, accountId, id } = await scene();
    await expect(run(crashing(accountId, id))).rejects.toThrow('crashed');
    await drain();
    expect(await read(client, id)).toMatchObject({
      status: 'completed',
      changed_count: 2,
      skipped_count: 1,
    });
    await undo(client, id);
    const job = crashing(accountId, id, { payload: { change_id: id } });
    await expect(runBack(job)).rejects.toThrow('crashed');
    await drain();
    const counts = { status: 'undone', restored_count: 2, left_count: 0 };
    expect(await read(client, id)).toMatchObject(counts);
    expect(await tagsOf(client)).toEqual(['a', 'a', 'a']);
  });

  it('says that it failed for good, and an undo that failed can be asked for again', async () => {
    const { client, accountId, id } = await scene();
    await expect(run(crashing(accountId, id, { isLastAttempt: true }))).rejects.toThrow();
    expect(await read(client, id)).toMatchObject({ status: 'failed', completed_at: null });
    expect(await expectError(undo(client, id))).toMatchObject({ code: 'conflict' });
    // A retry of the job goes on.
    await drain();
    expect(await read(client, id)).toMatchObject({ status: 'completed', changed_count: 2 });
    await undo(client, id);
    const payload = { change_id: id };
    const last = crashing(accountId, id, { payload, isLastAttempt: true });
    await expect(runBack(last)).rejects.toThrow('crashed');
    expect(await read(client, id)).toMatchObject({ status: 'completed' });
    await undo(client, id);
    await drain();
    expect(await read(client, id)).toMatchObject({ status: 'undone', left_count: 0 });
    expect(await tagsOf(client)).toEqual(['a', 'a', 'a']);
  });

  it('can be undone for 24 hours and read for 30 days', async () => {
    const { client, id } = await scene();
    await drain();
    clock.advance(day + 1_000);
    expect(await expectError(undo(client, id))).toMatchObject({ code: 'conflict' });
    const prune = () =>
      pruneBulkChanges(service.running.context.app, {
        ...crashing('', ''),
        saveProgress: async () => undefined,
      });
    clock.advance(2 * day);
    await prune();
    expect(await read(client, id)).toMatchObject({ status: 'completed', changed_count: 2 });
    clock.advance(28 * day);
    await prune();
    expect(await expectError(read(client, id))).toMatchObject({ code: 'not_found' });
  });
});
