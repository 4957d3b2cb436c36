import { setTimeout as wait } from 'node:timers/promises';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import type { TextGenerator } from '../text-generator.ts';
import { type Corpus, createQuestion, type SearchFilter } from './corpus.ts';
import { ParallelClients, type ParallelRunResult } from './parallel-clients.ts';
import { type ServerUnderTest, toSearchRequest } from './server-under-test.ts';
import { parallelClients, type WorkloadSize } from './workload.ts';

const phaseNames = ['one', 'sixteen', 'hundredth', 'half'] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The slices of each phase; a phase that a server has no part in has none. */
export type PhaseResults = Readonly<Record<PhaseName, readonly ParallelRunResult[]>>;

const filterByPhase: Readonly<Record<PhaseName, SearchFilter>> = {
  one: 'all',
  sixteen: 'all',
  hundredth: 'hundredth',
  half: 'half',
};
/** What a server still does after its last answer must not weigh on the next one's slice. */
const settleMs = 100;

export interface PhaseOptions {
  readonly servers: readonly ServerUnderTest[];
  readonly stock: Corpus;
  readonly texts: TextGenerator;
  readonly extent: WorkloadSize;
  /** What the scene is called in profiles. */
  readonly scenario: string;
  readonly onWindow: (window: ProfileWindow) => void;
}

/** The same searches for all servers, slice by slice; another one begins each slice. */
export async function runPhases(
  options: PhaseOptions,
): Promise<Map<ServerUnderTest, PhaseResults>> {
  const { servers, extent } = options;
  const runs = new Map(servers.map((contender) => [contender, noRuns()]));
  for (const name of phaseNames) {
    for (let slice = 0; slice < extent.timeSlices; slice += 1) {
      const questions = questionsFor(options, name);
      for (let turn = 0; turn < servers.length; turn += 1) {
        const contender = servers[(turn + slice) % servers.length];
        if (!contender || !participates(contender, name)) continue;
        const run = await runSlice(options, contender, name, questions);
        runs.get(contender)?.[name].push(run);
      }
    }
  }
  return runs;
}

const noRuns = (): Record<PhaseName, ParallelRunResult[]> => ({
  one: [],
  sixteen: [],
  hundredth: [],
  half: [],
});

/** Accounts of some memories each have nothing to filter; the yardstick cannot. */
function participates({ neighbour, apiKeys }: ServerUnderTest, name: PhaseName): boolean {
  if (name === 'one') return true;
  return neighbour !== null && (name === 'sixteen' || apiKeys.length === 1);
}

type Questions = ReturnType<typeof createQuestion>[];

function questionsFor({ stock, texts, extent }: PhaseOptions, name: PhaseName): Questions {
  const length = name === 'sixteen' ? extent.parallelSearches : extent.searches;
  return Array.from({ length }, () => createQuestion(stock, texts, filterByPhase[name]));
}

async function runSlice(
  { scenario, extent, onWindow }: PhaseOptions,
  contender: ServerUnderTest,
  name: PhaseName,
  questions: Questions,
): Promise<ParallelRunResult> {
  await wait(settleMs);
  using clients = new ParallelClients(contender.server, name === 'sixteen' ? parallelClients : 1);
  const fromUs = nowUs();
  const asks = questions.map((question) => toSearchRequest(contender, question));
  const run = await clients.search(forAtLeast(extent.sliceMs, asks));
  onWindow({ server: contender.name, phase: `${scenario}: ${name}`, fromUs, toUs: nowUs() });
  return run;
}

/** All of them, and again from the first one until the time is up. */
function* forAtLeast<T>(ms: number, all: readonly T[]): Generator<T> {
  const until = performance.now() + ms;
  do yield* all;
  while (performance.now() < until);
}
