/**
 * The ranking alone, in this process, without HTTP or a database: seconds instead of minutes, after
 * a first run that embeds the texts.
 * `node bench/retrieval/in-process.ts [--only PARTS] [--data DIR] [--json FILE]`, with the model of
 * MNEME_EMBEDDING_PROVIDER: `static` or `encoder`. With `--shifted`, a constant is added to its
 * vectors, and they are ranked as those of an unknown model.
 */
import { writeFile } from 'node:fs/promises';
import { measureModelScale } from '../../packages/server/src/domains/search-index/testing.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { measureConversations } from './conversations.ts';
import { measureEveryday } from './everyday.ts';
import { InProcessRetrieval } from './in-process-retrieval.ts';
import { measureNotes } from './notes.ts';
import { type BenchmarkName, readOptions } from './options.ts';
import { measureParaphrases } from './paraphrases.ts';
import { measurePassages } from './passages.ts';
import { type BenchmarkReport, renderThreshold } from './report.ts';
import { measureScores } from './scores.ts';
import { measureDocuments, measureLibrary } from './standalone-documents.ts';
import { withVectorCache } from './vector-cache.ts';

const benchmarks: Readonly<
  Record<
    BenchmarkName,
    (lab: InProcessRetrieval, dataDir: string) => Promise<BenchmarkReport | null>
  >
> = {
  conversations: (lab, dataDir) => measureConversations(lab, 'conversations', dataDir),
  chats: (lab, dataDir) => measureConversations(lab, 'chats', dataDir),
  documents: (lab) => measureDocuments(lab),
  library: (lab) => measureLibrary(lab),
  passages: (lab) => measurePassages(lab),
  everyday: (lab, dataDir) => measureEveryday(lab, dataDir),
  notes: (lab) => measureNotes(lab),
  paraphrases: (lab, dataDir) => measureParaphrases(lab, dataDir),
  scores: (lab) => measureScores(lab),
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);

type Embedder = Awaited<ReturnType<typeof createEmbedder>>;

/** The same model with cosines of .75 to 1. */
function shifted(embedder: Embedder): Embedder {
  const constant = 2 / Math.sqrt(embedder.dimensions);
  const shift = (vector: Float32Array): Float32Array => {
    const moved = vector.map((value) => value + constant);
    const length = Math.hypot(...moved);
    return moved.map((value) => value / length);
  };
  return {
    model: 'shifted@1',
    dimensions: embedder.dimensions,
    embed: async (...args) => (await embedder.embed(...args)).map(shift),
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const isShifted = args.includes('--shifted');
  const {
    benchmarks: wanted,
    dataDir,
    jsonFile,
  } = readOptions(args.filter((arg) => arg !== '--shifted'));
  const provider = process.env.MNEME_EMBEDDING_PROVIDER === 'encoder' ? 'encoder' : 'static';
  await using own = withVectorCache(await createEmbedder({ provider }), provider);
  const embedder = isShifted ? shifted(own) : own;
  const scale = isShifted ? await measureModelScale(embedder) : null;
  const figures: Partial<Record<BenchmarkName, unknown>> = {};
  const bars: string[] = [];
  for (const name of wanted) {
    const report = await benchmarks[name](
      new InProcessRetrieval(embedder, undefined, scale),
      dataDir,
    );
    if (!report) continue;
    print([`\n## ${name}\n`, ...report.lines].join('\n'));
    bars.push(...report.thresholds.map(renderThreshold));
    figures[name] = report.figures;
  }
  print(['', ...bars].join('\n'));
  if (jsonFile) await writeFile(jsonFile, `${JSON.stringify(figures, null, 1)}\n`);
}

if (import.meta.main) await run();
