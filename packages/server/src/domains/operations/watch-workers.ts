import { waitingReasons } from '@mneme/contract';
import { logFailure } from '../../database/index.ts';
import { hasLiveWorker } from '../../jobs/worker-heartbeat.ts';
import { Poller } from '../../kernel/poller.ts';
import type { App } from '../ctx.ts';

/** Also the time that workers have to start after the servers. */
const intervalMs = 60_000;

/** Logs when a process without jobs finds that no other one runs them, and when one does again. */
export function watchWorkers(app: App): AsyncDisposable {
  let isMissing = false;
  const poller = new Poller(app.clock, {
    intervalMs,
    async poll() {
      try {
        const wasMissing = isMissing;
        isMissing = !(await hasLiveWorker(app.engine.db));
        if (isMissing === wasMissing) return;
        if (isMissing) app.log.warn({ remedy: waitingReasons.no_worker }, 'worker missing');
        else app.log.info({}, 'worker found');
      } catch (error) {
        logFailure(app.log, error, 'check for workers failed');
      }
    },
  });
  poller.start();
  return { [Symbol.asyncDispose]: () => poller.stop() };
}
