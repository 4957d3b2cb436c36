import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ExplainNode, type KyselyPlugin, RawNode, SelectQueryNode, sql } from 'kysely';
import pg from 'pg';
import { distributeTables } from './distribution/distribute.ts';
import { type EmbeddedEngine, openEmbedded } from './embedded/embedded.ts';
import { copyTree } from './embedded/sync-files.ts';
import type { Db, Engine, EngineDeps, EngineLog } from './engine.ts';
import { NodeUnavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { placedTables, placementOf } from './placement.ts';
import { openServer } from './server/server.ts';
import { ensureDatabaseTemplate, hashDatabaseVersion } from './template.ts';
import {
  administer,
  closeClusterDatabase,
  createClusterDatabase,
  databaseUrl,
  onEachNode,
} from './testing-cluster.ts';

/** Test support on real databases; no server code imports it. */

/**
 * Environment variable with the URL of a PostgreSQL server on which tests may create and drop
 * databases.
 */
const SERVER_VARIABLE = 'MNEME_TEST_DATABASE_URL';

export interface TestEngine<E extends Engine = Engine> {
  engine: E;
  /** URL of the database (server engine only). */
  url?: string;
  /** Closes the engine and removes its database. */
  cleanup(): Promise<void>;
}

export interface TestEngineOptions {
  /** Folder of migrations to apply; done once for all tests. */
  migrations?: string | null;
  statementTimeoutMs?: number;
  /** Puts the data folder on a disk, for tests of durability. */
  onDisk?: boolean;
  deps?: Partial<EngineDeps>;
}

/** A log without output. */
export const silentLog: EngineLog = { debug() {}, info() {}, warn() {}, error() {} };

/** What the server of MNEME_TEST_DATABASE_URL is: `Citus` is the coordinator of a cluster. */
export type ServerEngineName = 'PostgreSQL' | 'Citus';

/**
 * The only engine of this run, set by vitest.config.ts where the embedded one is tested by another
 * run; null: the embedded engine, and PostgreSQL if it is available.
 */
export const onlyEngine = (process.env.MNEME_TEST_ONLY_ENGINE || null) as ServerEngineName | null;

export interface NamedEngine {
  readonly name: string;
  open(): Promise<TestEngine>;
}

/**
 * The engines to test on, for `describe.each`: embedded, and PostgreSQL if MNEME_TEST_DATABASE_URL
 * is set, or the only one of the run. Each `open` returns an empty (or just migrated) database.
 */
export const eachEngine = (options: TestEngineOptions = {}): NamedEngine[] =>
  knownEngines(options).filter(({ name }) => onlyEngine === null || name === onlyEngine);

function knownEngines(options: TestEngineOptions): NamedEngine[] {
  const engines = [
    { name: 'embedded', open: () => openTestEmbedded(options) as Promise<TestEngine> },
  ];
  const url = process.env[SERVER_VARIABLE];
  const name = onlyEngine ?? 'PostgreSQL';
  if (url) engines.push({ name, open: () => openTestServer(url, options) });
  return engines;
}

/** An engine with replaced members; the owner of the real engine closes it. */
export const overrideEngine = (real: Engine, replaced: Partial<Engine>): Engine =>
  Object.setPrototypeOf({ [Symbol.asyncDispose]: async () => undefined, ...replaced }, real);

/** The engine as if the node of some accounts were lost: single statements that name one fail. */
export function withLostAccounts(real: Engine, accountIds: ReadonlySet<string>): Engine {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const text = JSON.stringify(node);
      for (const id of accountIds) if (text.includes(id)) throw new NodeUnavailable('a node');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return overrideEngine(real, { db: real.db.withPlugin(plugin) });
}

/** Opens one of the test engines by name. */
export function openTestEngine(name: string, options: TestEngineOptions = {}): Promise<TestEngine> {
  const engine = knownEngines(options).find((one) => one.name === name);
  if (!engine) throw new Error(`Unknown engine ${name}`);
  return engine.open();
}

/** An embedded engine in a new folder: about 0.5 s, since initdb has already run. */
export async function openTestEmbedded(
  options: TestEngineOptions = {},
): Promise<TestEngine<EmbeddedEngine> & { dataDir: string }> {
  const { dataDir, remove } = await makeTestDataDir(options);
  const settings = { kind: 'embedded' as const, dataDir, ...limits(options) };
  const engine = await openEmbedded(settings, { log: silentLog, ...options.deps });
  async function cleanup(): Promise<void> {
    await engine[Symbol.asyncDispose]();
    await remove();
  }
  return { engine, dataDir, cleanup };
}

/** A data folder with a closed database, and a function that removes it. */
export async function makeTestDataDir(
  options: TestEngineOptions = {},
): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await makeTestFolder(options);
  copyTree(await template(options), path.join(dataDir, 'pg'));
  return { dataDir, remove: () => fs.rm(dataDir, { recursive: true, force: true }) };
}

/**
 * Name prefix of everything that the tests of this run create: workers that share a server may exit
 * without cleanup.
 */
const ownPrefix = (run = process.env.MNEME_TEST_RUN ?? '0'): string => `mneme-test-${run}-`;

/** Removes the databases and folders that a run has left behind. */
export async function removeTestLeftovers(run: string): Promise<void> {
  const prefix = ownPrefix(run);
  for (const parent of new Set([await pickFastFolder(), os.tmpdir()])) {
    for (const name of await fs.readdir(parent)) {
      if (!name.startsWith(prefix)) continue;
      await fs.rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
  const url = process.env[SERVER_VARIABLE];
  if (!url) return;
  const databases = (await administer(
    url,
    `select datname as name from pg_database
     where starts_with(datname, '${prefix.replaceAll('-', '_')}')`,
  )) as { name: string }[];
  for (const { name } of databases) await dropDatabase(url, name);
}

/** On a cluster: on each node. */
const onServer = (url: string, ...statements: string[]): Promise<unknown> =>
  onlyEngine === 'Citus' ? onEachNode(url, ...statements) : administer(url, ...statements);

const dropDatabase = async (url: string, name: string): Promise<void> => {
  await onServer(url, `drop database if exists ${name} with (force)`);
};

/** An empty folder, in memory if enough is free. */
export async function makeTestFolder(
  options: Pick<TestEngineOptions, 'onDisk'> = {},
): Promise<string> {
  const parent = options.onDisk ? os.tmpdir() : await pickFastFolder();
  return fs.mkdtemp(path.join(parent, ownPrefix()));
}

const memoryFolder = '/dev/shm';
const memoryBytesMin = 4 * 1024 ** 3;

/** In memory if enough is free: copying the database there is ten times faster. */
async function pickFastFolder(): Promise<string> {
  const stats = await fs.statfs(memoryFolder).catch(() => null);
  return stats && stats.bavail * stats.bsize > memoryBytesMin ? memoryFolder : os.tmpdir();
}

/** The database of a new folder, created once per machine in its temporary folder. */
const template = ({ migrations = null }: TestEngineOptions): Promise<string> =>
  ensureDatabaseTemplate(path.join(os.tmpdir(), 'mneme-templates'), migrations, silentLog);

function limits({ statementTimeoutMs }: TestEngineOptions): { statementTimeoutMs?: number } {
  return statementTimeoutMs === undefined ? {} : { statementTimeoutMs };
}

let databases = 0;

/**
 * Creates a database on the server at `url` and returns a function that drops it. It is empty, a
 * copy of a template with the `migrations` applied, or a copy of a database without connections.
 */
export async function makeTestDatabase(
  url: string,
  options: Pick<TestEngineOptions, 'migrations'> & { readonly copyOf?: string } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  databases += 1;
  const name = `${ownPrefix().replaceAll('-', '_')}${process.pid}_${databases}`;
  const { migrations, copyOf } = options;
  const template = copyOf
    ? new URL(copyOf).pathname.slice(1)
    : migrations && (await serverTemplate(url, migrations));
  await dropDatabase(url, name);
  if (template) {
    // The background worker of Citus stays connected.
    if (copyOf && onlyEngine === 'Citus') await closeClusterDatabase(url, template);
    await onServer(url, `create database ${name} template ${template}`);
    if (copyOf) await onServer(url, `alter database ${template} allow_connections true`);
  } else await createEmptyDatabase(url, name);
  return { url: databaseUrl(url, name), drop: () => dropDatabase(url, name) };
}

async function createEmptyDatabase(url: string, name: string): Promise<void> {
  if (onlyEngine === 'Citus') await createClusterDatabase(url, name);
  else await administer(url, `create database ${name}`);
}

const serverTemplates = new Map<string, Promise<string>>();

/** Name of a migrated template database without connections; created once and reused. */
function serverTemplate(url: string, migrations: string): Promise<string> {
  const key = `${url} ${migrations}`;
  const known = serverTemplates.get(key) ?? makeServerTemplate(url, migrations);
  serverTemplates.set(key, known);
  return known;
}

async function makeServerTemplate(url: string, migrations: string): Promise<string> {
  const placements = createHash('sha256').update(placedTables.map(placementOf).join());
  const kind = onlyEngine === 'Citus' ? `cluster_${placements.digest('hex').slice(0, 8)}_` : '';
  const name = `mneme_template_${kind}${await hashDatabaseVersion(migrations)}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // One process creates it; the others wait here and find it.
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`);
    const { rows } = await client.query(
      `select from pg_database where datname = '${name}' and not datallowconn`,
    );
    if (rows.length > 0) return name;
    // What a killed process has left.
    await dropDatabase(url, name);
    await createEmptyDatabase(url, name);
    const settings = { kind: 'server' as const, url: databaseUrl(url, name), poolMax: 1 };
    const engine = await openServer(settings, { log: silentLog });
    await migrate(engine, migrations, { log: silentLog });
    if (onlyEngine === 'Citus') await distributeTables(engine, { onTable: () => undefined });
    await engine[Symbol.asyncDispose]();
    if (onlyEngine === 'Citus') await closeClusterDatabase(url, name);
    else await client.query(`alter database ${name} allow_connections false`);
    return name;
  } finally {
    await client.end();
  }
}

async function openTestServer(url: string, options: TestEngineOptions): Promise<TestEngine> {
  const { url: own, drop } = await makeTestDatabase(url, options);
  const settings = { kind: 'server' as const, url: own, poolMax: 10, ...limits(options) };
  const engine = await openServer(settings, { log: silentLog, ...options.deps });
  async function cleanup(): Promise<void> {
    await engine[Symbol.asyncDispose]();
    await drop();
  }
  return { engine, url: own, cleanup };
}

export interface QueryPlan {
  /** The output of EXPLAIN ANALYZE. */
  readonly text: string;
  /** The rows of tables that the queries have read, with those that a filter then removed. */
  readonly rowsRead: number;
}

/** The plans of the queries that `read` runs, which get rows without their columns. */
export async function explaining(db: Db, read: (db: Db) => Promise<unknown>): Promise<QueryPlan> {
  const lines: string[] = [];
  const analyze = sql`analyze`.toOperationNode();
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (SelectQueryNode.is(node)) {
        return { ...node, explain: ExplainNode.create(undefined, analyze) };
      }
      if (!RawNode.is(node)) return node;
      const [first = '', ...others] = node.sqlFragments;
      return { ...node, sqlFragments: [`explain analyze ${first}`, ...others] };
    },
    async transformResult({ result }) {
      for (const row of result.rows) lines.push(toPlanLine(String(row['QUERY PLAN'])));
      return result;
    },
  };
  await read(db.withPlugin(plugin));
  return { text: lines.join('\n'), rowsRead: countRowsRead(lines) };
}

/** On a cluster, the plan of the shard as that of the table. */
const toPlanLine = (line: string): string =>
  line.replace('Custom Scan (Citus Adaptive)', 'Tasks').replaceAll(/_\d{6,}\b/g, '');

function countRowsRead(lines: readonly string[]): number {
  const counts = lines.map((line) => {
    const scan = / Scan .*\(actual time=\S+ rows=(\d+)\S* loops=(\d+)\)/.exec(line);
    if (scan) return Number(scan[1]) * Number(scan[2]);
    return Number(/Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? 0);
  });
  return counts.reduce((all, count) => all + count, 0);
}
