import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { oneEngine, startService } from '../../support/service.ts';

describe.each(oneEngine)('A shutdown on %s', (engine) => {
  it('does not wait for connections over which nothing was sent', async () => {
    // The time at which connections are closed by force never comes.
    const clock = createFakeClock(() => 0);
    const service = await startService(engine, { overrides: { clock }, isExclusive: true });
    const { port } = new URL(service.url);
    const unused = connect(Number(port), '127.0.0.1');
    await once(unused, 'connect');
    // A request over another connection: the server has accepted the first one by then.
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    const closed = once(unused, 'close');
    await service.stop();
    await closed;
  });
});
