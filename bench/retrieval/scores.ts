/** Whether the shown score means what is said of it, on pairs of texts with a known relation. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from '../statistics.ts';
import { loadDocuments } from './data-sets.ts';
import { type BenchmarkReport, formatPercent, renderTable, type Threshold } from './report.ts';
import type { RetrievalTarget } from './retrieval-target.ts';
import {
  buildLongTexts,
  hasExclusion,
  loadScoreTexts,
  type ScoreTextQuadruple,
  type ScoreTextSets,
  twoThirdsOfWords,
} from './score-texts.ts';
import { renderScoresSvg } from './scores-plot.ts';

const limit = 100;
const plotFile = new URL('scores.svg', import.meta.url);
const sameMin = 0.9;
const differentMax = 0.5;

/** What a kind of pair is held to: so many of them at or above `same`, or below `unlike`. */
interface Kind {
  readonly name: string;
  readonly wanted: 'same' | 'other' | null;
  readonly min: number | null;
}

const kinds = {
  exact: { name: 'exact text', wanted: 'same', min: 1 },
  excluding: { name: 'exact text with a -term in it', wanted: 'same', min: null },
  restated: { name: 'restatement', wanted: 'same', min: 0.7 },
  passage: { name: 'passage of a long text', wanted: 'same', min: null },
  thinned: { name: 'passage, two words of three', wanted: 'same', min: null },
  question: { name: 'question and its answer', wanted: null, min: null },
  hardWords: { name: 'hard unrelated, same words', wanted: 'other', min: 0.9 },
  hardNear: { name: 'hard unrelated, same build', wanted: 'other', min: 0.9 },
  hardTopic: { name: 'hard unrelated, same topic', wanted: 'other', min: 0.9 },
  best: { name: 'unrelated question, best of all', wanted: 'other', min: null },
  random: { name: 'random unrelated', wanted: 'other', min: 0.99 },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

interface ScoredPair {
  readonly kind: KindName;
  /** The only memory of its space, or among all. */
  readonly alone: boolean;
  readonly query: string;
  readonly text: string;
  /** 0 when the text was not found. */
  readonly score: number;
}

/** Memories of a space that are asked for their scores. */
class ScoredSpace {
  readonly #service: RetrievalTarget;
  readonly #spaceId: string;
  readonly #ids: ReadonlyMap<string, string>;

  static async fill(
    service: RetrievalTarget,
    name: string,
    texts: readonly string[],
  ): Promise<ScoredSpace> {
    const spaceId = await service.createSpace(name);
    const ids = await service.store(
      spaceId,
      texts.map((content) => ({ content })),
    );
    return new ScoredSpace(service, spaceId, new Map(texts.map((text, i) => [text, ids[i] ?? ''])));
  }

  constructor(service: RetrievalTarget, spaceId: string, ids: ReadonlyMap<string, string>) {
    this.#service = service;
    this.#spaceId = spaceId;
    this.#ids = ids;
  }

  /** The scores of the given texts, and the best of all. */
  async scoreTexts(
    query: string,
    texts: readonly string[],
  ): Promise<{ scores: number[]; best: number }> {
    const { hits } = await this.#service.search(query, this.#spaceId, limit);
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    return {
      scores: texts.map((text) => scores.get(this.#ids.get(text) ?? '') ?? 0),
      best: hits[0]?.score ?? 0,
    };
  }
}

export async function measureScores(service: RetrievalTarget): Promise<BenchmarkReport> {
  const texts = loadScoreTexts();
  const scored = [
    ...(await scoreInSharedSpace(service, texts)),
    ...(await scoreInOwnSpace(service, texts)),
    ...(await scoreLongTexts(service)),
  ];
  const named = (Object.keys(kinds) as KindName[]).map((kind) => ({
    name: kinds[kind].name,
    inSharedSpace: scoresOf(scored, kind, false),
    inOwnSpace: scoresOf(scored, kind, true),
  }));
  const both = (...of: KindName[]) => ({
    inSharedSpace: of.flatMap((kind) => scoresOf(scored, kind, false)),
    inOwnSpace: of.flatMap((kind) => scoresOf(scored, kind, true)),
  });
  const other = both('hardWords', 'hardNear', 'hardTopic');
  await writeFile(plotFile, renderScoresSvg(named, { same: both('restated'), other }));
  return {
    lines: [...tableOf(scored), '', ...worstPairs(scored), '', `plot: ${fileURLToPath(plotFile)}`],
    thresholds: [false, true].flatMap((alone) => barsOf(scored, alone)),
    figures: { scored },
  };
}

const scoresOf = (scored: readonly ScoredPair[], kind: KindName, alone: boolean): number[] =>
  scored.filter((one) => one.kind === kind && one.alone === alone).map(({ score }) => score);

const allLabelled = (
  texts: ScoreTextSets,
): readonly (ScoreTextQuadruple & { hardKind: KindName })[] => [
  ...texts.sharedWords.map((one) => ({ ...one, hardKind: 'hardWords' as const })),
  ...texts.nearMiss.map((one) => ({ ...one, hardKind: 'hardNear' as const })),
  ...texts.sameTopic.map((one) => ({ ...one, hardKind: 'hardTopic' as const })),
];

const exactKind = (text: string): KindName => (hasExclusion(text) ? 'excluding' : 'exact');

/** Which others stand for random ones: far apart in the files, and not the same for each. */
const randomSteps = [29, 53, 71, 97, 113];

async function scoreInSharedSpace(
  service: RetrievalTarget,
  texts: ScoreTextSets,
): Promise<ScoredPair[]> {
  const labelled = allLabelled(texts);
  const memories = labelled.map(({ memory }) => memory);
  const shelf = await ScoredSpace.fill(service, 'scores', [...memories, ...texts.exact]);
  const scored: ScoredPair[] = [];
  const note = async (kind: KindName, query: string, ...wanted: string[]): Promise<void> => {
    const { scores } = await shelf.scoreTexts(query, wanted);
    for (const [i, text] of wanted.entries()) {
      scored.push({ kind, alone: false, query, text, score: scores[i] ?? 0 });
    }
  };
  for (const text of [...memories, ...texts.exact]) await note(exactKind(text), text, text);
  for (const [i, { memory, restated, hard, hardKind, question }] of labelled.entries()) {
    await note('restated', restated, memory);
    await note(hardKind, hard, memory);
    await note('question', question, memory);
    const others = randomSteps.map((step) => memories[(i + step) % memories.length] ?? '');
    await note('random', restated, ...others);
  }
  for (const { text } of loadDocuments().questions) {
    const { best } = await shelf.scoreTexts(text, []);
    scored.push({ kind: 'best', alone: false, query: text, text: '', score: best });
  }
  return scored;
}

async function scoreInOwnSpace(
  service: RetrievalTarget,
  texts: ScoreTextSets,
): Promise<ScoredPair[]> {
  const labelled = allLabelled(texts);
  const scored: ScoredPair[] = [];
  const ask = async (text: string, queries: readonly [KindName, string][]): Promise<void> => {
    const shelf = await ScoredSpace.fill(service, `alone: ${text.slice(0, 200)}`, [text]);
    for (const [kind, query] of queries) {
      const { scores } = await shelf.scoreTexts(query, [text]);
      scored.push({ kind, alone: true, query, text, score: scores[0] ?? 0 });
    }
  };
  for (const [i, { memory, restated, hard, hardKind, question }] of labelled.entries()) {
    const others = randomSteps.map((step) => labelled[(i + step) % labelled.length]?.restated);
    await ask(memory, [
      ['exact', memory],
      ['restated', restated],
      [hardKind, hard],
      ['question', question],
      ...others.map((query): [KindName, string] => ['random', query ?? '']),
    ]);
  }
  for (const text of texts.exact) await ask(text, [[exactKind(text), text]]);
  return scored;
}

async function scoreLongTexts(service: RetrievalTarget): Promise<ScoredPair[]> {
  const long = buildLongTexts(loadDocuments().documents);
  const contents = long.map(({ content }) => content);
  const shelf = await ScoredSpace.fill(service, 'long texts', contents);
  const scored: ScoredPair[] = [];
  for (const { content, passages } of long) {
    for (const passage of passages) {
      for (const [kind, query] of [
        ['passage', passage],
        ['thinned', twoThirdsOfWords(passage)],
      ] as const) {
        const { scores } = await shelf.scoreTexts(query, [content]);
        const text = `${content.slice(0, 40)} …`;
        scored.push({ kind, alone: false, query, text, score: scores[0] ?? 0 });
      }
    }
  }
  return scored;
}

const shareOf = (scores: readonly number[], wanted: 'same' | 'other'): number =>
  scores.filter((score) => (wanted === 'same' ? score >= sameMin : score < differentMax)).length /
  scores.length;

const wantedText = { same: `≥ ${sameMin}`, other: `< ${differentMax}` } as const;

function tableOf(scored: readonly ScoredPair[]): string[] {
  const cells = (kind: KindName, alone: boolean): string[] => {
    const scores = scoresOf(scored, kind, alone);
    if (scores.length === 0) return ['', '', ''];
    const { wanted } = kinds[kind];
    const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => quantile(scores, q).toFixed(2));
    return [
      String(scores.length),
      wanted ? `${formatPercent(shareOf(scores, wanted))} % ${wantedText[wanted]}` : '',
      `${low} · ${middle} · ${high}`,
    ];
  };
  const head = ['among all', 'share', '10 · 50 · 90 %', 'alone', 'share', '10 · 50 · 90 %'];
  const rows = (Object.keys(kinds) as KindName[]).map((kind) => [
    kinds[kind].name,
    ...cells(kind, false),
    ...cells(kind, true),
  ]);
  return renderTable(['', ...head], rows);
}

function barsOf(scored: readonly ScoredPair[], alone: boolean): Threshold[] {
  return (Object.keys(kinds) as KindName[]).flatMap((kind): Threshold[] => {
    const { name, wanted, min } = kinds[kind];
    const scores = scoresOf(scored, kind, alone);
    if (min === null || wanted === null || scores.length === 0) return [];
    const says = `scores, ${alone ? 'alone' : 'among all'}: ${name} ${wantedText[wanted]}, share`;
    return [{ description: says, value: shareOf(scores, wanted), min, unit: '%' }];
  });
}

const worstShown = 3;

/** The pairs that are furthest from what they are held to. */
function worstPairs(scored: readonly ScoredPair[]): string[] {
  return (Object.keys(kinds) as KindName[]).flatMap((kind) => {
    const { wanted, name } = kinds[kind];
    if (wanted === null) return [];
    const sign = wanted === 'same' ? 1 : -1;
    return scored
      .filter((one) => one.kind === kind)
      .filter(({ score }) => shareOf([score], wanted) === 0)
      .sort((a, b) => sign * (a.score - b.score))
      .slice(0, worstShown)
      .map(
        ({ score, alone, query, text }) =>
          `${name}${alone ? ', alone' : ''}, ${score.toFixed(2)}: ` +
          `${JSON.stringify(query)} for ${JSON.stringify(text)}`,
      );
  });
}
