import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const benchmarkNames = [
  'conversations',
  'chats',
  'documents',
  'library',
  'passages',
  'everyday',
  'notes',
  'paraphrases',
  'scores',
] as const;
export type BenchmarkName = (typeof benchmarkNames)[number];

export interface RetrievalBenchmarkOptions {
  readonly benchmarks: readonly BenchmarkName[];
  /** Holds the sets of conversations and the paraphrases. */
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Where the figures go as JSON. */
  readonly jsonFile: string | null;
  readonly help: boolean;
}

/** Beside the checkout. */
const sharedData = fileURLToPath(new URL('../../../shared/data', import.meta.url));

export const usage = `npm run bench:retrieval -- [options]
  --only PARTS          ${benchmarkNames.join(', ')}, with commas between (all)
  --data DIR            the sets that are not in the repository (../shared/data)
  --database-url URL    on PostgreSQL instead of the embedded engine
  --json FILE           writes the figures as JSON
`;

/** Throws for what is no option and no part. */
export function readOptions(args: readonly string[]): RetrievalBenchmarkOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      data: { type: 'string' },
      'database-url': { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const wanted =
    values.only?.flatMap((list) => list.split(',').map(parseBenchmarkName)) ?? benchmarkNames;
  return {
    benchmarks: benchmarkNames.filter((name) => wanted.includes(name)),
    dataDir: values.data ?? sharedData,
    databaseUrl: values['database-url'] ?? null,
    jsonFile: values.json ?? null,
    help: values.help,
  };
}

function parseBenchmarkName(text: string): BenchmarkName {
  const part = benchmarkNames.find((name) => name === text.trim());
  if (!part) throw new Error(`--only: one of ${benchmarkNames.join(', ')}, not ${text}`);
  return part;
}
