import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import type { ApiRequest } from '../api-client.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import type { InstallationOptions, Rss, ServerName } from '../servers.ts';
import { createTextGenerator, type TextGenerator } from '../text-generator.ts';
import { type Corpus, createQuestion } from './corpus.ts';
import { ExactRanking } from './exact-ranking.ts';
import { ParallelClients } from './parallel-clients.ts';
import { type PhaseResults, runPhases } from './phases.ts';
import { measureReads, type ReadFigures } from './reads.ts';
import { measureRecall } from './recall.ts';
import {
  restartServer,
  type ServerUnderTest,
  setUpServer,
  toSearchRequest,
} from './server-under-test.ts';
import type { MemoryLayout, WorkloadSize, WorkloadStage } from './workload.ts';

/** Where a neighbour's reads are measured. */
const neighbourReadsSize = 50_000;

export interface ScenarioOptions extends InstallationOptions {
  readonly stage: WorkloadStage;
  readonly layout: MemoryLayout;
  readonly extent: WorkloadSize;
  readonly names: readonly ServerName[];
  readonly vocabulary: readonly string[];
  readonly onWindow: (window: ProfileWindow) => void;
}

/** What one server reached in one scene. */
export interface ScenarioFigures {
  readonly server: ServerName;
  readonly fillPerSecond: number;
  /** The first search of each account, in ms; none where accounts are not loaded. */
  readonly coldMs: readonly number[];
  readonly phases: PhaseResults;
  readonly rss: Rss;
  /** One for each question; none where it is not judged. */
  readonly recalls: readonly number[];
  readonly reads: ReadFigures | null;
}

/** All servers filled alike, then searched in turn. */
export async function runScenario(options: ScenarioOptions): Promise<ScenarioFigures[]> {
  const { stage, layout, extent, names, vocabulary } = options;
  await using open = new AsyncDisposableStack();
  const texts = createTextGenerator(vocabulary, stage.thresholdsOf);
  const stock = createCorpus(texts, stage.memories);
  const contenders: ServerUnderTest[] = [];
  const coldMs = new Map<ServerUnderTest, number[]>();
  for (const name of names) {
    contenders.push(await setUpServer(name, { ...options, stock, texts }, open));
  }
  for (const contender of contenders) {
    await restartServer(contender);
    await contender.server.waitUntilIdle();
    coldMs.set(contender, await searchCold(contender, stock, texts));
    using client = new ParallelClients(contender.server, 1);
    const warmUps = Array.from({ length: extent.warmUps }, () =>
      createQuestion(stock, texts, 'all'),
    );
    await client.search(warmUps.map((question) => toSearchRequest(contender, question)));
  }
  const scene = `${layout}, ${stage.memories}`;
  const phases = await runPhases({
    ...options,
    servers: contenders,
    stock,
    texts,
    scenario: scene,
  });
  const figures: ScenarioFigures[] = [];
  for (const contender of contenders) {
    const rss = await contender.server.rss();
    const judges = layout !== 'many accounts' && contender.neighbour !== null;
    const provider = contender.name === 'embedded (static)' ? 'static' : 'encoder';
    await using embedder = await createEmbedder({ provider });
    const exact = judges
      ? await ExactRanking.build(stock, layout, embedder, contender.fillResult.createdAt)
      : null;
    const questions = extent.recallQuestions;
    const withReads = stage.thresholdsOf === neighbourReadsSize && layout === 'one account';
    figures.push({
      server: contender.name,
      fillPerSecond: stage.memories / contender.fillResult.seconds,
      coldMs: coldMs.get(contender) ?? [],
      phases: phases.get(contender) as PhaseResults,
      rss,
      recalls: exact ? await measureRecall({ contender, exact, stock, texts, questions }) : [],
      reads: withReads ? await measureReads(contender, stock, texts, extent.readingMs) : null,
    });
  }
  return figures;
}

/** No two are alike, so that each can be told by its text. */
function createCorpus(texts: TextGenerator, memories: number): Corpus {
  const stock = new Set<string>();
  while (stock.size < memories) stock.add(texts.memory());
  return [...stock];
}

/** One search in each account, none of which is in the server's memory. */
async function searchCold(
  contender: ServerUnderTest,
  stock: Corpus,
  texts: TextGenerator,
): Promise<number[]> {
  const { neighbour, apiKeys } = contender;
  if (!neighbour) return [];
  using client = new ParallelClients(contender.server, 1);
  const seen = new Set<string | undefined>();
  const asks: ApiRequest[] = [];
  while (seen.size < apiKeys.length) {
    const ask = toSearchRequest(contender, createQuestion(stock, texts, 'all'));
    if (seen.has(ask.apiKey)) continue;
    seen.add(ask.apiKey);
    asks.push(ask);
  }
  return (await client.search(asks)).latenciesMs.flat();
}
