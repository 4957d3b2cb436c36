import { nowUs } from '../profile-windows.ts';
import type { TextGenerator } from '../text-generator.ts';
import { monitorClient } from './client-monitor.ts';
import { runAtFixedRate, wallClock } from './fixed-rate.ts';
import { InFlightCalls } from './in-flight-calls.ts';
import type { CallRecord } from './keep-alive-client.ts';
import type { AccountCallRecord } from './minutes.ts';
import type { ClientFigures } from './report.ts';
import { requestAt } from './request-mix.ts';
import type { Sender } from './senders.ts';
import type { Stall } from './stalls.ts';

/** In ms since 1970. */
export interface LoadSchedule {
  readonly steadyFromMs: number;
  /** From here on what the steady account feels is looked at. */
  readonly idleFromMs: number;
  readonly loadFromMs: number;
  readonly untilMs: number;
}

interface RunOptions {
  readonly moments: LoadSchedule;
  readonly abort: AbortController;
  /** Of each account. */
  readonly perSecond: number;
}

interface SteadyResult {
  readonly idleMs: readonly number[];
  readonly underLoadMs: readonly number[];
}

/** One account sends steadily, before the load and meanwhile; any refusal ends the run. */
export async function runSteady(
  { client, corpus }: Sender,
  texts: TextGenerator,
  { moments, abort, perSecond }: RunOptions,
): Promise<SteadyResult> {
  const flight = new InFlightCalls(abort);
  const [idleMs, meanwhileMs]: [number[], number[]] = [[], []];
  const { steadyFromMs: fromMs, idleFromMs, loadFromMs, untilMs } = moments;
  await runAtFixedRate({ perSecond, fromMs, untilMs, signal: abort.signal }, (n) => {
    const sentMs = Date.now();
    const call = client.send(requestAt(n, corpus, texts)).then((heard) => {
      requireSuccess(heard);
      if (sentMs >= loadFromMs) meanwhileMs.push(heard.latencyMs);
      else if (sentMs >= idleFromMs) idleMs.push(heard.latencyMs);
    });
    flight.add(call);
  });
  await flight.waitForAll();
  return { idleMs, underLoadMs: meanwhileMs };
}

interface OverloadResult {
  readonly calls: readonly AccountCallRecord[];
  readonly skipped: number;
  readonly client: ClientFigures;
  readonly stalls: readonly Stall[];
  readonly fromUs: number;
  readonly toUs: number;
}

/** All send evenly, one account after the other; 429 is an answer, any other refusal is not. */
export async function runOverload(
  senders: readonly Sender[],
  texts: TextGenerator,
  { moments, abort, perSecond }: RunOptions,
): Promise<OverloadResult> {
  const flight = new InFlightCalls(abort);
  const answers: AccountCallRecord[] = [];
  let heldBack = 0;
  const { loadFromMs: fromMs, untilMs } = moments;
  await wallClock.wait(fromMs - Date.now());
  const [fromUs, watched] = [nowUs(), monitorClient()];
  const rate = { perSecond: perSecond * senders.length, fromMs, untilMs, signal: abort.signal };
  await runAtFixedRate(rate, (n) => {
    const account = n % senders.length;
    const sender = senders[account];
    if (!sender || sender.client.isFull) {
      heldBack += 1;
      return;
    }
    // Each account is at another place of the mix.
    const ask = requestAt(Math.floor(n / senders.length) + account, sender.corpus, texts);
    const call = sender.client.send(ask).then((heard) => {
      if (heard.status !== 429) requireSuccess(heard);
      answers.push({ ...heard, account });
    });
    flight.add(call);
  });
  await flight.waitForAll();
  return { calls: answers, skipped: heldBack, ...watched(), fromUs, toUs: nowUs() };
}

function requireSuccess({ status }: CallRecord): void {
  if (status < 200 || status > 299) throw new Error(`an answer with ${status}`);
}
