import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import {
  getOrCreateAddress,
  mailServiceOptions,
  SmtpConversation,
  smtpPortOf,
} from '../../support/mail.ts';
import { type Service, startService } from '../../support/service.ts';

describe('a mail client that holds on to its connections', () => {
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFakeClock();
    const { env, overrides } = mailServiceOptions;
    service = await startService('embedded', { env, overrides: { ...overrides, clock } });
  });
  afterAll(() => service.stop());

  it('gets at most 50 of them for its network, and 421 beyond', async () => {
    await using opened = new AsyncDisposableStack();
    const open = () => new SmtpConversation(smtpPortOf(service));
    const first = Array.from({ length: 50 }, () => opened.use(open()));
    for (const conversation of first) expect(await conversation.readReply()).toMatch(/^220 /);
    expect(await opened.use(open()).readReply()).toMatch(/^421 4\.7\.0 /);
    first[0]?.destroy();
    await eventually(
      () => opened.use(open()).readReply(),
      (greeting) => greeting.startsWith('220 '),
    );
  });

  it('is cut off where a mail comes at less than 1 KiB/s, and not where enough comes', async () => {
    const to = await getOrCreateAddress((await service.createAccount()).client);
    await using conversation = new SmtpConversation(smtpPortOf(service));
    await conversation.startData('ana@example.com', to);
    const before = service.logLines.length;
    for (let window = 0; window < 3; window += 1) {
      conversation.write(`X-Long: ${'x'.repeat(900)}\r\n`.repeat(36));
      await conversation.waitForDrain();
      await service.client().memories.list();
      clock.advance(30_000);
    }
    const over = conversation.readReply();
    over.catch(() => undefined);
    clock.advance(30_000);
    await expect(over).rejects.toThrow('closed the connection');
    expect(
      service.logLines.slice(before).filter((line) => line.includes('"level":"error"')),
    ).toEqual([]);
  });
});
