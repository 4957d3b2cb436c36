import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ClientFigures } from './report.ts';
import { type Stall, StallMonitor } from './stalls.ts';

const resolutionMs = 1;

interface ClientMeasurements {
  readonly client: ClientFigures;
  readonly stalls: readonly Stall[];
}

/** Watches this process from now on; the function it returns ends that and tells. */
export function monitorClient(): () => ClientMeasurements {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  delays.enable();
  const watch = new StallMonitor();
  return () => {
    delays.disable();
    watch[Symbol.dispose]();
    const used = process.cpuUsage(cpu);
    // The histogram holds whole intervals of its timer: what is above one is the delay.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    const client = {
      delayP50Ms: late(delays.percentile(50)),
      delayP99Ms: late(delays.percentile(99)),
      delayMaxMs: late(delays.max),
      cpu: (used.user + used.system) / 1_000 / (performance.now() - begun),
    };
    return { client, stalls: watch.stalls };
  };
}
