import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startService } from '../../../../../test/support/service.ts';
import { eachEngine, withLostAccounts } from '../../database/testing.ts';
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

  it('is written for accounts after one whose database node is lost', async () => {
    await using ending = new AsyncDisposableStack();
    const opened = await open();
    ending.defer(() => opened.cleanup());
    const lost = new Set<string>();
    const engine = withLostAccounts(opened.engine, lost);
    const service = await startService(name as 'embedded', { overrides: { engine } });
    ending.defer(() => service.stop());
    const copy = salienceBuffer.of(service.running.context.app);
    const [first, second] = [await service.createAccount(), await service.createAccount()];
    for (const { id: accountId, client } of [first, second]) {
      const { id } = await client.memories.create({ body: { content: 'The zebra is striped' } });
      copy.record(accountId, [{ id, salience: 0.75 }]);
    }
    lost.add(first.id);
    await copy.flush();
    const { rows } = await sql`select account_id from documents
      where salience = 0.75`.execute(opened.engine.db);
    expect(rows).toEqual([{ account_id: second.id }]);
  });
});
