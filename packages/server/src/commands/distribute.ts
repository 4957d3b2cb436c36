import type { Command } from 'commander';
import {
  countOtherConnections,
  DatabaseUnsuitable,
  distributeTables,
  type Engine,
  findClusterProblems,
  openEngine,
  readSchemaState,
  readTableStates,
  type TableState,
} from '../database/index.ts';
import { migrationsFolder } from '../instance/open-database.ts';
import { readConfig } from '../kernel/config.ts';
import { createLog } from '../kernel/log.ts';
import { formatCount } from './progress.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly check?: boolean;
  readonly json?: boolean;
}

/**
 * `mneme-server distribute`: distributes the tables of a PostgreSQL database with Citus. With
 * `--check`, changes nothing, and exits with 1 if something is missing.
 */
export function registerDistributeCommand(program: Command, terminal: Terminal): void {
  program
    .command('distribute')
    .description('distribute the data over the nodes of a Citus cluster, by account')
    .option('--check', 'show where the tables are, and change nothing')
    .option('--json', 'print the result as JSON')
    .action(async ({ check = false, json = false }: Options) => {
      await using engine = await openServerEngine(terminal);
      const problems = [
        ...(await findClusterProblems(engine.db)),
        ...(await findSchemaProblems(engine)),
      ];
      if (!check) await distribute(engine, problems, terminal);
      // Without Citus there is no catalogue of its tables.
      const tables = problems.length > 0 ? [] : await readTableStates(engine.db);
      report({ problems, tables }, json, terminal);
    });
}

async function openServerEngine({ env, warn }: Terminal): Promise<Engine> {
  const { config, warnings } = readConfig(env);
  for (const warning of warnings) warn(`mneme: ${warning}`);
  if (config.databaseUrl === null) {
    throw new DatabaseUnsuitable(
      'The embedded database cannot be distributed: move the data to the coordinator of a Citus ' +
        'cluster first, with `mneme move --to <url>`.',
    );
  }
  const log = createLog('error', { write: (line) => warn(line.trimEnd()) });
  // With one connection, each other one is that of another process.
  return openEngine({ kind: 'server', url: config.databaseUrl, poolMax: 1 }, { log });
}

async function findSchemaProblems(engine: Engine): Promise<string[]> {
  const { pending, version } = await readSchemaState(engine, migrationsFolder);
  if (version === 0) return ['The database has no tables of Mneme: run `mneme-server migrate`.'];
  if (pending.length === 0) return [];
  return ['The database has the schema of an older version: run `mneme-server migrate`.'];
}

async function distribute(
  engine: Engine,
  problems: readonly string[],
  { warn }: Terminal,
): Promise<void> {
  if (problems.length > 0) throw new DatabaseUnsuitable(problems.join('\n'));
  if ((await countOtherConnections(engine.db)) > 0) {
    throw new DatabaseUnsuitable('Servers still use the database: stop them first.');
  }
  await distributeTables(engine, {
    onTable(step, { name, placement }, { number, total }) {
      const what =
        step === 'distribute'
          ? `Distributing ${name} (${placement})`
          : `Removing the rows of ${name} that the coordinator still has`;
      warn(`${number} of ${total}: ${what} …`);
    },
  });
}

interface Report {
  readonly problems: readonly string[];
  readonly tables: readonly TableState[];
}

function report({ problems, tables }: Report, json: boolean, terminal: Terminal): void {
  const missing = tables.filter(({ isPlaced }) => !isPlaced);
  const isDone = problems.length === 0 && missing.length === 0;
  if (!isDone) terminal.setExitCode(1);
  if (json) {
    terminal.print(JSON.stringify({ distributed: isDone, problems, tables: tables.map(toJson) }));
    return;
  }
  for (const line of [...problems, ...describeTables(tables)]) terminal.print(line);
  if (problems.length > 0) return;
  terminal.print(
    isDone
      ? `All ${formatCount(tables.length, 'table')} are where they belong.`
      : `${formatCount(missing.length, 'table')} must be distributed: run \`mneme distribute\`.`,
  );
}

const toJson = ({ name, placement, isPlaced, hasLocalCopy }: TableState) => ({
  name,
  placement,
  placed: isPlaced,
  local_copy: hasLocalCopy,
});

function describeTables(tables: readonly TableState[]): string[] {
  const width = Math.max(0, ...tables.map(({ name }) => name.length));
  return tables.map(({ name, placement, isPlaced, hasLocalCopy }) => {
    const state = isPlaced ? 'ok' : 'missing';
    const note = hasLocalCopy ? '  the coordinator still has its rows' : '';
    return `${name.padEnd(width)}  ${placement.padEnd(9)}  ${state}${note}`;
  });
}
