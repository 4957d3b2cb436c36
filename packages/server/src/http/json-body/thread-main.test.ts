import { expect, it } from 'vitest';
import { WorkerThread } from '../../kernel/worker-thread.ts';

it('rejects a body that was lost with a previous thread', async () => {
  const script = new URL('./thread-main.ts', import.meta.url);
  const thread = new WorkerThread(script, { name: 'test', onFailure: () => undefined });
  const chunk = new Uint8Array(1);
  expect(await thread.request({ kind: 'write', id: 7, chunk })).toMatchObject({
    refused: { code: 'service_unavailable' },
  });
  await thread.close();
});
