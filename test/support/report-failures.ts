import { beforeEach } from 'vitest';
import { clearExchanges, startRecording } from './exchanges.ts';
import { failureReport } from './failure-report.ts';

// A setup file: a failed test prints its last requests and the server's log.
startRecording();
beforeEach(({ onTestFailed }) => {
  clearExchanges();
  // Not Date.now(), since tests may replace it.
  const beganAt = Math.floor(performance.timeOrigin + performance.now());
  onTestFailed(() => {
    const report = failureReport(beganAt);
    if (report !== '') console.error(report);
  });
});
