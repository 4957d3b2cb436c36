/**
 * The ranking alone, in this process, without HTTP or a database: seconds instead of minutes, after
 * a first run that embeds the texts.
 * `node bench/retrieval/in-process.ts [--only PARTS] [--data DIR] [--json FILE]`, with the model of
 * MNEME_EMBEDDING_PROVIDER: `static` or `encoder`.
 */
import { writeFile } from 'node:fs/promises';
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

async function run(): Promise<void> {
  const { benchmarks: wanted, dataDir, jsonFile } = readOptions(process.argv.slice(2));
  const provider = process.env.MNEME_EMBEDDING_PROVIDER === 'encoder' ? 'encoder' : 'static';
  await using embedder = withVectorCache(await createEmbedder({ provider }), provider);
  const figures: Partial<Record<BenchmarkName, unknown>> = {};
  const bars: string[] = [];
  for (const name of wanted) {
    const report = await benchmarks[name](new InProcessRetrieval(embedder), dataDir);
    if (!report) continue;
    print([`\n## ${name}\n`, ...report.lines].join('\n'));
    bars.push(...report.thresholds.map(renderThreshold));
    figures[name] = report.figures;
  }
  print(['', ...bars].join('\n'));
  if (jsonFile) await writeFile(jsonFile, `${JSON.stringify(figures, null, 1)}\n`);
}

if (import.meta.main) await run();
