import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { GatedEmbedder } from '../memories/controlled-dependencies.ts';

const ana = 'ana@example.com';
const nobody = { user_id: null, agent_id: null, run_id: null };

describe.each(engines)('a mail that is processed again on %s', (engine) => {
  const clock = createFakeClock();
  let embedder: GatedEmbedder;
  let service: Service;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterAll(() => service.stop());

  const allow = (client: Client, user_id?: string) =>
    client.email.addSender({ body: { emailPattern: ana, ruleType: 'allow', user_id } });

  /** Hands in a mail whose first attempt fails, and returns what became of it after the change. */
  async function handInAround(client: Client, query: string, change: () => Promise<unknown>) {
    const to = await getOrCreateAddress(client);
    const raw = `From: ${ana}\r\nTo: ${to}\r\nSubject: store: Tea.\r\n\r\n`;
    const mailOf = async () => (await client.email.listHistory()).data[0];
    const { worker } = service.running.context;
    const first = await embedder.whileDown(async () => {
      await postInboundMail(client, raw, `?verified=true${query}`);
      await worker.drain();
      return mailOf();
    });
    await change();
    clock.advance(60_000);
    await worker.drain();
    return { first, last: await mailOf() };
  }

  it('belongs to whom the rule names by then', async () => {
    const { client } = await service.createAccount();
    await allow(client, 'ana');
    const { first, last } = await handInAround(client, '&run_id=r1', async () => {
      await client.email.removeSender({ params: { pattern: ana } });
      await allow(client, 'ben');
    });
    expect(first).toMatchObject({ status: 'processing', user_id: 'ana', run_id: 'r1' });
    const ofBen = { ...nobody, user_id: 'ben', run_id: 'r1' };
    expect(last).toMatchObject({ status: 'completed', ...ofBen });
    expect((await client.memories.list()).data).toMatchObject([ofBen]);
  });

  it('belongs to nobody but whom the relay names, when the rule is gone', async () => {
    const { client } = await service.createAccount();
    await allow(client, 'ana');
    await client.email.addSender({ body: { emailPattern: 'x@example.com', ruleType: 'allow' } });
    const { first, last } = await handInAround(client, '&run_id=r1', () =>
      client.email.removeSender({ params: { pattern: ana } }),
    );
    expect(first).toMatchObject({ status: 'processing', user_id: 'ana', run_id: 'r1' });
    expect(last).toMatchObject({ status: 'rejected', ...nobody, run_id: 'r1' });
    expect((await client.memories.list()).data).toEqual([]);
  });
});
