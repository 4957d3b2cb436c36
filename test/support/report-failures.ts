import { beforeEach } from 'vitest';
import { clearExchanges, startRecording } from './exchanges.ts';
import { failureReport } from './failure-report.ts';

// Set up before each file: a test that fails shows its last requests and what the server logged.
startRecording();
beforeEach(({ onTestFailed }) => {
  clearExchanges();
  // Not Date.now(), which a test may have replaced.
  const beganAt = Math.floor(performance.timeOrigin + performance.now());
  onTestFailed(() => {
    const report = failureReport(beganAt);
    if (report !== '') console.error(report);
  });
});
