import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startService } from '../../../../../test/support/service.ts';
import { eachEngine } from '../../database/testing.ts';
import { salienceBuffer } from './salience-buffer.ts';
import { createHoldableEngine } from './testing.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

describe.each(eachEngine({ migrations }))('the copy of salience on $name', ({ name, open }) => {
  it('is written completely before a later flush ends', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const { engine, hold, release } = createHoldableEngine(opened.engine, 'set salience =');
    const service = await startService(name as 'embedded', { overrides: { engine } });
    ending.defer(() => service.stop());
    const { id: accountId, client } = await service.createAccount();
    const { id } = await client.memories.create({ body: { content: 'The zebra is striped' } });
    const copy = salienceBuffer.of(service.running.context.app);
    copy.record(accountId, [{ id, salience: 0.75 }]);
    const held = hold();
    const first = copy.flush();
    await held;
    let isOver = false;
    const second = copy.flush().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    release();
    await Promise.all([first, second]);
  });
});
