import { parseArgs } from 'node:util';

export const partNames = ['speed', 'door', 'graph', 'load'] as const;
export type PartName = (typeof partNames)[number];

/** Prints a line, or several. */
export type Say = (text: string) => void;

export interface Options {
  readonly parts: readonly PartName[];
  readonly quick: boolean;
  readonly rounds: number;
  readonly databaseUrl: string | null;
  /** Where CPU profiles of Mneme's processes go. */
  readonly profileDir: string | null;
  readonly help: boolean;
}

export const usage = `npm run bench -- [options]
  --only PART           speed, door, graph or load, several times if need be (all but load)
  --quick               a smoke test: few memories, one round
  --rounds N            speed: how often all is measured from an empty database on (3)
  --database-url URL    measures PostgreSQL, too; also MNEME_TEST_DATABASE_URL
  --cpu-prof DIR        speed and load: writes CPU profiles, for bench/profile.ts
`;

/** Load takes minutes: on request only. */
const usualParts: readonly PartName[] = ['speed', 'door', 'graph'];

/** Throws for what is no option, no part or no number of rounds. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      'database-url': { type: 'string' },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: 1 or more');
  return {
    parts: values.only ? values.only.map(partOf) : usualParts,
    quick: values.quick,
    rounds,
    databaseUrl: values['database-url'] ?? (env.MNEME_TEST_DATABASE_URL || null),
    profileDir: values['cpu-prof'] ?? null,
    help: values.help,
  };
}

function partOf(text: string): PartName {
  const part = partNames.find((name) => name === text);
  if (!part) throw new Error(`--only: one of ${partNames.join(', ')}, not ${text}`);
  return part;
}
