/** How well memories are found, and what their scores mean: `npm run bench:retrieval`. */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { createInstallation, type ServerName } from '../servers.ts';
import { measureConversations } from './conversations.ts';
import { conversationFiles } from './data-sets.ts';
import { everydayFile, measureEveryday } from './everyday.ts';
import { measureNotes } from './notes.ts';
import {
  type BenchmarkName,
  type RetrievalBenchmarkOptions,
  readOptions,
  usage,
} from './options.ts';
import { measureParaphrases } from './paraphrases.ts';
import { measurePassages } from './passages.ts';
import { type BenchmarkReport, isThresholdMet, renderThreshold } from './report.ts';
import { ApiRetrieval } from './retrieval-target.ts';
import { measureScores } from './scores.ts';
import { measureDocuments, measureLibrary } from './standalone-documents.ts';

/** Null when what it measures with is not there. */
type Benchmark = (
  service: ApiRetrieval,
  options: RetrievalBenchmarkOptions,
) => Promise<BenchmarkReport | null>;

const benchmarks: Readonly<Record<BenchmarkName, Benchmark>> = {
  conversations: (service, { dataDir }) => measureConversations(service, 'conversations', dataDir),
  chats: (service, { dataDir }) => measureConversations(service, 'chats', dataDir),
  documents: measureDocuments,
  library: measureLibrary,
  passages: measurePassages,
  everyday: (service, { dataDir }) => measureEveryday(service, dataDir),
  notes: measureNotes,
  paraphrases: (service, { dataDir }) => measureParaphrases(service, dataDir),
  scores: measureScores,
};

const files: Partial<Record<BenchmarkName, string>> = {
  ...conversationFiles,
  everyday: everydayFile,
  paraphrases: 'vectors/paraphrases.json',
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(options: RetrievalBenchmarkOptions): Promise<void> {
  const name = options.databaseUrl ? 'PostgreSQL' : 'embedded';
  const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
  print(`Node ${process.versions.node}, ${cores} cores, load ${load}, ${name}`);
  const reports = new Map<BenchmarkName, BenchmarkReport>();
  for (const part of options.benchmarks) {
    const report = await measure(part, name, options);
    if (report) {
      reports.set(part, report);
      print([`\n## ${part}\n`, ...report.lines].join('\n'));
    } else print(`\n${part}: skipped, no ${files[part]} in ${options.dataDir}`);
  }
  const bars = [...reports.values()].flatMap((report) => report.thresholds);
  print(['', ...bars.map(renderThreshold)].join('\n'));
  if (options.jsonFile) {
    const figures = Object.fromEntries(
      [...reports].map(([part, report]) => [
        part,
        {
          ...Object(report.figures),
          bars: report.thresholds.map((bar) => ({ ...bar, held: isThresholdMet(bar) })),
        },
      ]),
    );
    await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 1)}\n`);
  }
}

/** On an empty server, so that a part finds the same with the others and without them. */
async function measure(
  part: BenchmarkName,
  name: ServerName,
  options: RetrievalBenchmarkOptions,
): Promise<BenchmarkReport | null> {
  await using installation = await createInstallation(name, { ...options, profileDir: null });
  const server = await installation.start();
  try {
    using service = new ApiRetrieval(server);
    return await benchmarks[part](service, options);
  } finally {
    await server.stop();
  }
}

const options = readOptions(process.argv.slice(2));
if (options.help) print(usage);
else await run(options);
