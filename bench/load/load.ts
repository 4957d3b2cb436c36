import { planLimits } from '@mneme/contract';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { countSuccesses, fullMinutes, nextFullMinute } from './minutes.ts';
import { type LoadFigures, loadReport } from './report.ts';
import { type LoadSchedule, runOverload, runSteady } from './runs.ts';
import { createSenders, type Sender, type SenderOptions } from './senders.ts';
import { stalledMs } from './stalls.ts';

interface WorkloadSize {
  readonly accounts: number;
  readonly minutes: number;
  readonly idleMs: number;
}

const fullWorkload: WorkloadSize = { accounts: 100, minutes: 2, idleMs: 30_000 };
const quickWorkload: WorkloadSize = { accounts: 10, minutes: 1, idleMs: 5_000 };

const { requests_per_minute: perMinute, concurrent_requests: inFlightMax } = planLimits.free;
const overloadFactor = 3;
const steadyPerSecond = 20;
const steadyInFlightMax = 64;
const freeMemories = 10;
const steadyMemories = 1_000;
/** The first answers of a server that just started are not what it is like. */
const warmUpMs = 5_000;
/** The load begins before the first whole minute and ends after the last. */
const marginMs = 2_000;

/** A hundred accounts far beyond their limits, and one that must not feel them. */
export async function runLoad(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const { quick, databaseUrl } = options;
  const extent = quick ? quickWorkload : fullWorkload;
  const minutes = extent.minutes + 2;
  say(
    `\nLoad: ${extent.accounts} free accounts at ${overloadFactor} × their rate; ~${minutes} min`,
  );
  const vocabulary = await readVocabulary();
  const windows: ProfileWindow[] = [];
  for (const name of ['embedded', ...(databaseUrl ? ['PostgreSQL' as const] : [])] as const) {
    await using installation = await createInstallation(name, options);
    const server = await installation.start();
    try {
      const { figures, window } = await measure(
        name,
        server,
        createTextGenerator(vocabulary, 1),
        extent,
      );
      windows.push(window);
      say(`\n${loadReport(figures)}`);
    } finally {
      await server.stop();
    }
  }
  return windows;
}

async function measure(
  name: ServerName,
  server: RunningServer,
  texts: TextGenerator,
  extent: WorkloadSize,
): Promise<{ figures: LoadFigures; window: ProfileWindow }> {
  using open = new DisposableStack();
  const make = async (options: SenderOptions): Promise<Sender[]> =>
    (await createSenders(server, texts, options)).map((sender) => open.use(sender));
  const crowd = await make({
    plan: 'free',
    count: extent.accounts,
    inFlightMax,
    memories: freeMemories,
  });
  const [steady] = await make({
    plan: 'enterprise',
    count: 1,
    inFlightMax: steadyInFlightMax,
    memories: steadyMemories,
  });
  if (!steady) throw new Error('no steady account');
  const moments = createSchedule(extent);
  const abort = new AbortController();
  const [steadily, crowded] = await Promise.all([
    runSteady(steady, texts, { moments, abort, perSecond: steadyPerSecond }),
    runOverload(crowd, texts, { moments, abort, perSecond: (perMinute * overloadFactor) / 60 }),
  ]);
  const { calls, fromUs, toUs, client, stalls, skipped } = crowded;
  const minuteEnds = fullMinutes(moments.loadFromMs, moments.untilMs);
  const refused = calls.filter(({ status }) => status === 429);
  return {
    window: { server: name, phase: 'load', fromUs, toUs },
    figures: {
      server: name,
      accounts: extent.accounts,
      minutes: minuteEnds.length,
      sent: calls.length,
      skipped,
      rejectedForConcurrency: refused.filter(({ limit }) => limit === inFlightMax).length,
      expectedSuccesses: perMinute,
      successes: countSuccesses(minuteEnds, extent.accounts, calls),
      rejectedMs: refused.map(({ latencyMs }) => latencyMs),
      rejectedWithoutStallsMs: refused.map(
        ({ sentMs, latencyMs }) => latencyMs - stalledMs(stalls, sentMs, sentMs + latencyMs),
      ),
      steadyIdleMs: steadily.idleMs,
      steadyUnderLoadMs: steadily.underLoadMs,
      client,
    },
  };
}

function createSchedule({ idleMs, minutes }: WorkloadSize): LoadSchedule {
  const before = warmUpMs + idleMs + marginMs;
  const firstMinuteMs = nextFullMinute(Date.now(), before);
  const loadFromMs = firstMinuteMs - marginMs;
  return {
    steadyFromMs: firstMinuteMs - before,
    idleFromMs: loadFromMs - idleMs,
    loadFromMs,
    untilMs: firstMinuteMs + minutes * 60_000 + marginMs,
  };
}
