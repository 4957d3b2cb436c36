import type { Ask } from '../client.ts';
import type { Window } from '../profiled.ts';
import type { InstallOptions, Rss, ServerName } from '../servers.ts';
import { createTexts, type Texts } from '../texts.ts';
import { Clients } from './clients.ts';
import { askFor, type Contender, enter, restart } from './contender.ts';
import { type Embedder, Exact } from './exact.ts';
import type { Extent, Layout, Stage } from './extent.ts';
import { type Phases, runPhases } from './phases.ts';
import { measureReads, type ReadFigures } from './reads.ts';
import { measureRecall } from './recall.ts';
import { makeQuestion, type Stock } from './stock.ts';

/** Where a neighbour's reads are measured. */
const readsBeside = 50_000;

export interface SceneOptions extends InstallOptions {
  readonly stage: Stage;
  readonly layout: Layout;
  readonly extent: Extent;
  readonly names: readonly ServerName[];
  readonly vocabulary: readonly string[];
  readonly embedder: Embedder;
  readonly onWindow: (window: Window) => void;
}

/** What one server reached in one scene. */
export interface SceneFigures {
  readonly server: ServerName;
  readonly fillPerSecond: number;
  /** The first search of each account, in ms; none where accounts are not loaded. */
  readonly coldMs: readonly number[];
  readonly phases: Phases;
  readonly rss: Rss;
  /** One for each question; none where it is not judged. */
  readonly recalls: readonly number[];
  readonly reads: ReadFigures | null;
}

/** All servers filled alike, then searched in turn. */
export async function runScene(options: SceneOptions): Promise<SceneFigures[]> {
  const { stage, layout, extent, names, vocabulary } = options;
  await using open = new AsyncDisposableStack();
  const texts = createTexts(vocabulary, stage.like);
  const stock = makeStock(texts, stage.memories);
  const contenders: Contender[] = [];
  const coldMs = new Map<Contender, number[]>();
  for (const name of names) {
    contenders.push(await enter(name, { ...options, stock, texts }, open));
  }
  for (const contender of contenders) {
    await restart(contender);
    coldMs.set(contender, await searchCold(contender, stock, texts));
    using client = new Clients(contender.server, 1);
    const warmUps = Array.from({ length: extent.warmUps }, () => makeQuestion(stock, texts, 'all'));
    await client.search(warmUps.map((question) => askFor(contender, question)));
  }
  const scene = `${layout}, ${stage.memories}`;
  const phases = await runPhases({ ...options, contenders, stock, texts, scene });
  const exact = layout === 'many accounts' ? null : await Exact.of(stock, layout, options.embedder);
  const figures: SceneFigures[] = [];
  for (const contender of contenders) {
    const rss = await contender.server.rss();
    const judges = exact !== null && contender.neighbour !== null;
    const questions = extent.judged;
    const withReads = stage.like === readsBeside && layout === 'one account';
    figures.push({
      server: contender.name,
      fillPerSecond: stage.memories / contender.filled.seconds,
      coldMs: coldMs.get(contender) ?? [],
      phases: phases.get(contender) as Phases,
      rss,
      recalls: judges ? await measureRecall({ contender, exact, stock, texts, questions }) : [],
      reads: withReads ? await measureReads(contender, stock, texts, extent.readingMs) : null,
    });
  }
  return figures;
}

/** No two are alike, so that each can be told by its text. */
function makeStock(texts: Texts, memories: number): Stock {
  const stock = new Set<string>();
  while (stock.size < memories) stock.add(texts.memory());
  return [...stock];
}

/** One search in each account, none of which is in the server's memory. */
async function searchCold(contender: Contender, stock: Stock, texts: Texts): Promise<number[]> {
  const { neighbour, apiKeys } = contender;
  if (!neighbour) return [];
  using client = new Clients(contender.server, 1);
  const seen = new Set<string | undefined>();
  const asks: Ask[] = [];
  while (seen.size < apiKeys.length) {
    const ask = askFor(contender, makeQuestion(stock, texts, 'all'));
    if (seen.has(ask.apiKey)) continue;
    seen.add(ask.apiKey);
    asks.push(ask);
  }
  return (await client.search(asks)).latenciesMs.flat();
}
