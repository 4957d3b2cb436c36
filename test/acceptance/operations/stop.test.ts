import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startService } from '../../support/service.ts';

it('a stop that takes too long logs what it waits for', async () => {
  const clock = createFakeClock();
  const service = await startService('embedded', { isExclusive: true, overrides: { clock } });
  const { app, shutdownStages } = service.running.context;
  const gate = Promise.withResolvers<void>();
  app.disposables.defer(() => gate.promise);
  const stopping = service.stop();
  await eventually(
    async () => shutdownStages.current,
    (stage) => stage === 'models and threads',
  );
  const warnings = () => service.logLines.filter((line) => line.includes('has not stopped yet'));
  expect(warnings()).toEqual([]);
  clock.advance(16_000);
  expect(warnings()).toEqual([expect.stringContaining('"waitingFor":"models and threads"')]);
  gate.resolve();
  await stopping;
});
