import { nowUs } from '../profiled.ts';
import type { Texts } from '../texts.ts';
import type { Sender } from './actors.ts';
import { watchClient } from './client-delay.ts';
import { Flight } from './flight.ts';
import type { Heard } from './line.ts';
import type { Answered } from './minutes.ts';
import { askOf } from './mix.ts';
import { pace, wallTime } from './pace.ts';
import type { ClientFigures } from './report.ts';
import type { Stall } from './stalls.ts';

/** In ms since 1970. */
export interface Moments {
  readonly steadyFromMs: number;
  /** From here on what the steady account feels is looked at. */
  readonly idleFromMs: number;
  readonly loadFromMs: number;
  readonly untilMs: number;
}

interface RunOptions {
  readonly moments: Moments;
  readonly abort: AbortController;
  /** Of each account. */
  readonly perSecond: number;
}

interface Steadily {
  readonly idleMs: readonly number[];
  readonly meanwhileMs: readonly number[];
}

/** One account sends steadily, before the load and meanwhile; any refusal ends the run. */
export async function runSteady(
  { line, stock }: Sender,
  texts: Texts,
  { moments, abort, perSecond }: RunOptions,
): Promise<Steadily> {
  const flight = new Flight(abort);
  const [idleMs, meanwhileMs]: [number[], number[]] = [[], []];
  const { steadyFromMs: fromMs, idleFromMs, loadFromMs, untilMs } = moments;
  await pace({ perSecond, fromMs, untilMs, signal: abort.signal }, (n) => {
    const sentMs = Date.now();
    const call = line.send(askOf(n, stock, texts)).then((heard) => {
      requireSuccess(heard);
      if (sentMs >= loadFromMs) meanwhileMs.push(heard.latencyMs);
      else if (sentMs >= idleFromMs) idleMs.push(heard.latencyMs);
    });
    flight.add(call);
  });
  await flight.landed();
  return { idleMs, meanwhileMs };
}

interface Crowded {
  readonly answers: readonly Answered[];
  readonly heldBack: number;
  readonly client: ClientFigures;
  readonly stalls: readonly Stall[];
  readonly fromUs: number;
  readonly toUs: number;
}

/** All send evenly, one account after the other; 429 is an answer, any other refusal is not. */
export async function runCrowd(
  senders: readonly Sender[],
  texts: Texts,
  { moments, abort, perSecond }: RunOptions,
): Promise<Crowded> {
  const flight = new Flight(abort);
  const answers: Answered[] = [];
  let heldBack = 0;
  const { loadFromMs: fromMs, untilMs } = moments;
  await wallTime.wait(fromMs - Date.now());
  const [fromUs, watched] = [nowUs(), watchClient()];
  const rate = { perSecond: perSecond * senders.length, fromMs, untilMs, signal: abort.signal };
  await pace(rate, (n) => {
    const account = n % senders.length;
    const sender = senders[account];
    if (!sender || sender.line.isFull) {
      heldBack += 1;
      return;
    }
    // Each account is at another place of the mix.
    const ask = askOf(Math.floor(n / senders.length) + account, sender.stock, texts);
    const call = sender.line.send(ask).then((heard) => {
      if (heard.status !== 429) requireSuccess(heard);
      answers.push({ ...heard, account });
    });
    flight.add(call);
  });
  await flight.landed();
  return { answers, heldBack, ...watched(), fromUs, toUs: nowUs() };
}

function requireSuccess({ status }: Heard): void {
  if (status < 200 || status > 299) throw new Error(`an answer with ${status}`);
}
