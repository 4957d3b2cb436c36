import { parseArgs } from 'node:util';

export const benchmarkNames = [
  'speed',
  'door',
  'bodies',
  'graph',
  'search',
  'load',
  'webhooks',
  'mail',
  'media',
  'memory',
  'knowledge',
  'clusters',
  'backup',
  'neighbour',
  'mcp',
  'telemetry',
  'console',
] as const;
export type BenchmarkName = (typeof benchmarkNames)[number];

/** At how many memories searches are measured. */
export const searchSizes = [5_000, 50_000, 200_000] as const;
export type SearchSize = (typeof searchSizes)[number];

/** Prints a line, or several. */
export type Print = (text: string) => void;

export interface BenchmarkOptions {
  readonly benchmarks: readonly BenchmarkName[];
  readonly quick: boolean;
  readonly rounds: number;
  /** Search: at so many memories only; null: at each number that it knows. Clusters: 200,000. */
  readonly memories: readonly SearchSize[] | null;
  readonly databaseUrl: string | null;
  /** Speed, search: measures the embedded engine with static word vectors, too. */
  readonly static: boolean;
  /** Where CPU profiles of Mneme's processes go. */
  readonly profileDir: string | null;
  readonly help: boolean;
}

export const usage = `npm run bench -- [options]
  --only PART           speed, door, bodies, graph, search, load, webhooks, mail, media, memory,
                        knowledge, clusters, backup, neighbour, mcp, telemetry or console, several
                        if need be (speed, door and graph)
  --quick               a smoke test: few memories, one round
  --rounds N            speed: how often all is measured from an empty database on (3)
  --memories N          search: at 5000, 50000 or 200000 only, several times if need be; clusters:
                        200000 instead of 20000, on PostgreSQL
  --database-url URL    measures PostgreSQL, too; also MNEME_TEST_DATABASE_URL
  --static              speed, search: measures the embedded engine with static word vectors,
                        too
  --cpu-prof DIR        speed, search, load, webhooks, knowledge, clusters: writes CPU profiles,
                        for bench/profile.ts
`;

/** The others take minutes: on request only. */
const defaultBenchmarks: readonly BenchmarkName[] = ['speed', 'door', 'graph'];

/** Throws for what is no option, no part, no number of rounds and no size. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): BenchmarkOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      memories: { type: 'string', multiple: true },
      'database-url': { type: 'string' },
      static: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: 1 or more');
  return {
    benchmarks: values.only ? values.only.map(parseBenchmarkName) : defaultBenchmarks,
    quick: values.quick,
    rounds,
    memories: values.memories?.map(parseSearchSize) ?? null,
    databaseUrl: values['database-url'] ?? (env.MNEME_TEST_DATABASE_URL || null),
    static: values.static,
    profileDir: values['cpu-prof'] ?? null,
    help: values.help,
  };
}

function parseBenchmarkName(text: string): BenchmarkName {
  const part = benchmarkNames.find((name) => name === text);
  if (!part) throw new Error(`--only: one of ${benchmarkNames.join(', ')}, not ${text}`);
  return part;
}

function parseSearchSize(text: string): SearchSize {
  const size = searchSizes.find((number) => String(number) === text);
  if (!size) throw new Error(`--memories: one of ${searchSizes.join(', ')}, not ${text}`);
  return size;
}
