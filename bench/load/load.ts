import { planLimits } from '@mneme/contract';
import type { Options, Say } from '../options.ts';
import type { Window } from '../profiled.ts';
import { install, type RunningServer, type ServerName } from '../servers.ts';
import { createTexts, readVocabulary, type Texts } from '../texts.ts';
import { makeSenders, type Sender, type SenderOptions } from './actors.ts';
import { minuteAfter, successesIn, wholeMinutes } from './minutes.ts';
import { type LoadFigures, loadReport } from './report.ts';
import { type Moments, runCrowd, runSteady } from './runs.ts';
import { stalledMs } from './stalls.ts';

interface Extent {
  readonly accounts: number;
  readonly minutes: number;
  readonly idleMs: number;
}

const wholeExtent: Extent = { accounts: 100, minutes: 2, idleMs: 30_000 };
const quickExtent: Extent = { accounts: 10, minutes: 1, idleMs: 5_000 };

const { requests_per_minute: perMinute, concurrent_requests: inFlightMax } = planLimits.free;
const timesTheirRate = 3;
const steadyPerSecond = 20;
const steadyInFlightMax = 64;
const freeMemories = 10;
const steadyMemories = 1_000;
/** The first answers of a server that just started are not what it is like. */
const warmUpMs = 5_000;
/** The load begins before the first whole minute and ends after the last. */
const marginMs = 2_000;

/** A hundred accounts far beyond their limits, and one that must not feel them. */
export async function runLoad(options: Options, say: Say): Promise<Window[]> {
  const { quick, databaseUrl } = options;
  const extent = quick ? quickExtent : wholeExtent;
  const minutes = extent.minutes + 2;
  say(
    `\nLoad: ${extent.accounts} free accounts at ${timesTheirRate} × their rate; ~${minutes} min`,
  );
  const vocabulary = await readVocabulary();
  const windows: Window[] = [];
  for (const name of ['embedded', ...(databaseUrl ? ['PostgreSQL' as const] : [])] as const) {
    await using installation = await install(name, options);
    const server = await installation.start();
    try {
      const { figures, window } = await measure(name, server, createTexts(vocabulary, 1), extent);
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
  texts: Texts,
  extent: Extent,
): Promise<{ figures: LoadFigures; window: Window }> {
  using open = new DisposableStack();
  const make = async (options: SenderOptions): Promise<Sender[]> =>
    (await makeSenders(server, texts, options)).map((sender) => open.use(sender));
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
  const moments = momentsOf(extent);
  const abort = new AbortController();
  const [steadily, crowded] = await Promise.all([
    runSteady(steady, texts, { moments, abort, perSecond: steadyPerSecond }),
    runCrowd(crowd, texts, { moments, abort, perSecond: (perMinute * timesTheirRate) / 60 }),
  ]);
  const { answers, fromUs, toUs, client, stalls, heldBack } = crowded;
  const minuteEnds = wholeMinutes(moments.loadFromMs, moments.untilMs);
  const refused = answers.filter(({ status }) => status === 429);
  return {
    window: { server: name, phase: 'load', fromUs, toUs },
    figures: {
      server: name,
      accounts: extent.accounts,
      minutes: minuteEnds.length,
      sent: answers.length,
      heldBack,
      refusedForConcurrency: refused.filter(({ limit }) => limit === inFlightMax).length,
      successesDue: perMinute,
      successes: successesIn(minuteEnds, extent.accounts, answers),
      refusedMs: refused.map(({ latencyMs }) => latencyMs),
      refusedLessStallsMs: refused.map(
        ({ sentMs, latencyMs }) => latencyMs - stalledMs(stalls, sentMs, sentMs + latencyMs),
      ),
      steadyIdleMs: steadily.idleMs,
      steadyMeanwhileMs: steadily.meanwhileMs,
      client,
    },
  };
}

function momentsOf({ idleMs, minutes }: Extent): Moments {
  const before = warmUpMs + idleMs + marginMs;
  const firstMinuteMs = minuteAfter(Date.now(), before);
  const loadFromMs = firstMinuteMs - marginMs;
  return {
    steadyFromMs: firstMinuteMs - before,
    idleFromMs: loadFromMs - idleMs,
    loadFromMs,
    untilMs: firstMinuteMs + minutes * 60_000 + marginMs,
  };
}
