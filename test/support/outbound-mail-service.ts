import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { spfDns } from './mail.ts';
import { type MailReceiver, startMailReceiver } from './mail-receiver.ts';
import { type engines, type Service, startService } from './service.ts';

/** A service that sends mail to a fake server, with a fake clock. */
export interface OutboundMailService extends AsyncDisposable {
  readonly service: Service;
  readonly receiver: MailReceiver;
  readonly clock: FakeClock;
}

export async function startOutboundMailService(
  engine: (typeof engines)[number],
  env: Readonly<Record<string, string>>,
): Promise<OutboundMailService> {
  const receiver = await startMailReceiver();
  const clock = createFakeClock();
  const service = await startService(engine, {
    env: { MNEME_SMTP_URL: receiver.url, ...env },
    overrides: { clock, resolveName: spfDns },
  });
  return {
    service,
    receiver,
    clock,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
