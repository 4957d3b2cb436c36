import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../test/support/service.ts';
import { receivers, startReceiver } from './testing.ts';

const secret = 'the-secret-that-both-sides-know';

describe.each(engines)('a webhook of the service (%s)', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };
    service = await startService(engine, { env });
  });
  afterAll(() => service.stop());

  describe.each(receivers)('to the receiver in %s', (_, command) => {
    it.each([
      { signature_form: 'timestamped', payload_form: 'object' },
      { signature_form: 'hex', payload_form: 'wrapped' },
    ] as const)('is believed and handled: %j', async (forms) => {
      await using receiver = await startReceiver(command, secret);
      const { client } = await service.createAccount();
      const events = ['memory.created'];
      const webhook = await client.webhooks.create({
        body: { url: receiver.url, events, secret, ...forms },
      });
      await client.memories.create({ body: { content: 'Ana prefers tea over coffee.' } });
      await receiver.waitForOutput(/^memory\.created [0-9a-f-]{36}$/m);
      const tried = await client.webhooks.test({ params: { webhookId: webhook.id }, body: {} });
      expect(tried).toMatchObject({ success: true, response_status: 204 });
      await receiver.waitForOutput(/^webhook\.test /m);
      expect(receiver.output()).not.toContain('refused');
    });

    it('is believed by the secret that was before, while it changes', async () => {
      await using receiver = await startReceiver(command, secret);
      const { client } = await service.createAccount();
      const { id } = await client.webhooks.create({
        body: { url: receiver.url, events: ['memory.*'], secret },
      });
      const patched = await client.webhooks.update({
        params: { webhookId: id },
        body: { rotate_secret: true },
      });
      expect(patched.secret).not.toBe(secret);
      await client.memories.create({ body: { content: 'Ben rides a red bicycle.' } });
      await receiver.waitForOutput(/^memory\.created /m);
    });
  });
});
