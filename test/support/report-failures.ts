import { beforeEach } from 'vitest';
import { clearExchanges, startRecordingExchanges } from './http-exchanges.ts';
import { renderLastExchanges } from './render-last-exchanges.ts';

// A setup file: a failed test prints its last requests and the server's log.
startRecordingExchanges();
beforeEach(({ onTestFailed }) => {
  clearExchanges();
  // Not Date.now(), since tests may replace it.
  const beganAt = Math.floor(performance.timeOrigin + performance.now());
  onTestFailed(() => {
    const report = renderLastExchanges(beganAt);
    if (report !== '') console.error(report);
  });
});
