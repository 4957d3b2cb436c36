import { setTimeout as wait } from 'node:timers/promises';
import { nowUs, type Window } from '../profiled.ts';
import type { Texts } from '../texts.ts';
import { Clients, type ClientsRun } from './clients.ts';
import { askFor, type Contender } from './contender.ts';
import { type Extent, parallelClients } from './extent.ts';
import { type Filter, makeQuestion, type Stock } from './stock.ts';

const phaseNames = ['one', 'sixteen', 'hundredth', 'half'] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The slices of each phase; a phase that a server has no part in has none. */
export type Phases = Readonly<Record<PhaseName, readonly ClientsRun[]>>;

const filterOf: Readonly<Record<PhaseName, Filter>> = {
  one: 'all',
  sixteen: 'all',
  hundredth: 'hundredth',
  half: 'half',
};
/** What a server still does after its last answer must not weigh on the next one's slice. */
const settleMs = 100;

export interface PhaseOptions {
  readonly contenders: readonly Contender[];
  readonly stock: Stock;
  readonly texts: Texts;
  readonly extent: Extent;
  /** What the scene is called in profiles. */
  readonly scene: string;
  readonly onWindow: (window: Window) => void;
}

/** The same searches for all servers, slice by slice; another one begins each slice. */
export async function runPhases(options: PhaseOptions): Promise<Map<Contender, Phases>> {
  const { contenders, extent } = options;
  const runs = new Map(contenders.map((contender) => [contender, noRuns()]));
  for (const name of phaseNames) {
    for (let slice = 0; slice < extent.slices; slice += 1) {
      const questions = questionsFor(options, name);
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(turn + slice) % contenders.length];
        if (!contender || !takesPart(contender, name)) continue;
        const run = await runSlice(options, contender, name, questions);
        runs.get(contender)?.[name].push(run);
      }
    }
  }
  return runs;
}

const noRuns = (): Record<PhaseName, ClientsRun[]> => ({
  one: [],
  sixteen: [],
  hundredth: [],
  half: [],
});

/** Accounts of some memories each have nothing to filter; the yardstick cannot. */
function takesPart({ neighbour, apiKeys }: Contender, name: PhaseName): boolean {
  if (name === 'one') return true;
  return neighbour !== null && (name === 'sixteen' || apiKeys.length === 1);
}

type Questions = ReturnType<typeof makeQuestion>[];

function questionsFor({ stock, texts, extent }: PhaseOptions, name: PhaseName): Questions {
  const length = name === 'sixteen' ? extent.parallelSearches : extent.searches;
  return Array.from({ length }, () => makeQuestion(stock, texts, filterOf[name]));
}

async function runSlice(
  { scene, extent, onWindow }: PhaseOptions,
  contender: Contender,
  name: PhaseName,
  questions: Questions,
): Promise<ClientsRun> {
  await wait(settleMs);
  using clients = new Clients(contender.server, name === 'sixteen' ? parallelClients : 1);
  const fromUs = nowUs();
  const asks = questions.map((question) => askFor(contender, question));
  const run = await clients.search(forAtLeast(extent.sliceMs, asks));
  onWindow({ server: contender.name, phase: `${scene}: ${name}`, fromUs, toUs: nowUs() });
  return run;
}

/** All of them, and again from the first one until the time is up. */
function* forAtLeast<T>(ms: number, all: readonly T[]): Generator<T> {
  const until = performance.now() + ms;
  do yield* all;
  while (performance.now() < until);
}
