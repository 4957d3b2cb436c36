import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { distributeTables } from '../../packages/server/src/database/distribution/distribute.ts';
import { openEngine } from '../../packages/server/src/database/index.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { silentLog } from '../../packages/server/src/database/testing.ts';
import {
  administer,
  createClusterDatabase,
  databaseUrl,
} from '../../packages/server/src/database/testing-cluster.ts';
import { migrationsFolder } from '../../packages/server/src/instance/open-database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { findFreePort } from '../support/free-port.ts';

/** A Citus cluster that a test may damage: a coordinator with a standby, and two workers. */
export interface OwnCluster extends AsyncDisposable {
  /** Of the address that applications use, which moves to the coordinator of the day. */
  readonly address: DatabaseProxy;
  /** The database on the coordinator, without that address. */
  readonly coordinatorUrl: () => string;
  /** The database on each worker. */
  readonly workerUrls: readonly string[];
  killCoordinator(): void;
  /** Moves the address to the standby. */
  moveAddress(): void;
  /** Makes the standby the coordinator. The cluster has no standby then. */
  promoteStandby(): Promise<void>;
  /** Copies the coordinator to a new standby, which confirms each commit from now on. */
  addStandby(): Promise<void>;
}

/** One PostgreSQL server of the cluster. */
interface Server {
  readonly name: string;
  readonly port: number;
}

const settings = (port: number): string => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 64MB
max_connections = 100
max_prepared_transactions = 100
max_worker_processes = 20
shared_preload_libraries = 'citus'
wal_level = logical
citus.node_conninfo = 'sslmode=prefer'
citus.recover_2pc_interval = 5s
`;

/** The programs of PostgreSQL in the root folder that the test's variable names, and its data. */
class Programs {
  readonly #root = path.join(process.env.MNEME_TEST_CITUS_DIR ?? '', 'root');
  readonly #bin: string;

  constructor() {
    const [version = ''] = fs.readdirSync(path.join(this.#root, 'usr/lib/postgresql'));
    this.#bin = `/usr/lib/postgresql/${version}/bin`;
  }

  /** PostgreSQL refuses to run as root. */
  run(program: string, ...parameters: string[]): void {
    const command = [this.#root, '/usr/bin/env', 'HOME=/tmp', `${this.#bin}/${program}`];
    // Its output would hold a pipe open for as long as the server lives.
    const { status } = spawnSync('chroot', ['--userspec=5432:5432', ...command, ...parameters], {
      stdio: 'ignore',
    });
    if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} ended with ${status}`);
  }

  /** The data folder as the programs name it. */
  data = ({ name }: Server): string => `/data/mneme-test-${name}`;

  readonly file = (server: Server, name: string): string =>
    path.join(this.#root, this.data(server), name);

  start(server: Server): void {
    const data = this.data(server);
    this.run('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, 'start');
  }

  remove(server: Server): void {
    this.kill(server);
    const folder = path.join(this.#root, this.data(server));
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    fs.rmSync(`${folder}.log`, { force: true });
  }

  /** SIGKILL to the first process; the others end of it. Does nothing if it has ended. */
  kill(server: Server): void {
    const file = this.file(server, 'postmaster.pid');
    if (!fs.existsSync(file)) return;
    process.kill(Number(fs.readFileSync(file, 'utf8').split('\n', 1)[0]), 'SIGKILL');
    fs.rmSync(file);
  }
}

const urlOf = ({ port }: Server, database = 'postgres'): string =>
  databaseUrl(`postgres://postgres@127.0.0.1:${port}`, database);

/** Creates it with a distributed database, for tests that `isAvailable('ownCitus')` lets run. */
export async function ownCluster(): Promise<OwnCluster> {
  const programs = new Programs();
  const servers: Server[] = [];
  const ending = new AsyncDisposableStack();
  ending.defer(() => {
    for (const server of servers) programs.remove(server);
  });
  const reserve = async (name: string): Promise<Server> => {
    const server = { name: `${process.pid}-${name}`, port: await findFreePort() };
    servers.push(server);
    return server;
  };
  const create = async (name: string): Promise<Server> => {
    const server = await reserve(name);
    const locale = ['--locale-provider=builtin', '--locale=C.UTF-8', '-E', 'UTF8'];
    const data = programs.data(server);
    programs.run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale);
    fs.appendFileSync(programs.file(server, 'postgresql.conf'), settings(server.port));
    programs.start(server);
    return server;
  };
  let coordinator = await create('coordinator-1');
  const workers = [await create('worker-1'), await create('worker-2')];
  let standby: Server | undefined;
  const database = 'mneme';
  await joinNodes(coordinator, workers);
  await createClusterDatabase(urlOf(coordinator), database);
  await distributeDatabase(urlOf(coordinator, database));
  const address = ending.use(await startDatabaseProxy(urlOf(coordinator, database)));

  const cluster: OwnCluster = {
    address,
    coordinatorUrl: () => urlOf(coordinator, database),
    workerUrls: workers.map((worker) => urlOf(worker, database)),
    killCoordinator: () => programs.kill(coordinator),
    moveAddress() {
      if (!standby) throw new Error('The coordinator has no standby');
      address.setTarget(urlOf(standby, database));
    },
    async promoteStandby() {
      if (!standby) throw new Error('The coordinator has no standby');
      coordinator = standby;
      standby = undefined;
      programs.run('pg_ctl', '-D', programs.data(coordinator), '-w', 'promote');
      for (const name of ['postgres', database]) {
        const set = `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`;
        await administer(urlOf(coordinator, name), set);
      }
    },
    async addStandby() {
      standby = await reserve(`coordinator-${servers.length}`);
      const from = ['-h', '127.0.0.1', '-p', String(coordinator.port), '-U', 'postgres'];
      const copy = ['-D', programs.data(standby), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
      programs.run('pg_basebackup', ...from, ...copy);
      fs.appendFileSync(programs.file(standby, 'postgresql.conf'), `port = ${standby.port}\n`);
      programs.start(standby);
      // Not before the copy: a promoted standby would wait for another one.
      const wait = `alter system set synchronous_standby_names = '*'`;
      await administer(urlOf(coordinator), wait, 'select pg_reload_conf()');
    },
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
  await cluster.addStandby();
  return cluster;
}

async function joinNodes(coordinator: Server, workers: readonly Server[]): Promise<void> {
  for (const server of [coordinator, ...workers]) {
    await administer(urlOf(server), 'create extension citus');
  }
  await administer(
    urlOf(coordinator),
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
  );
}

async function distributeDatabase(url: string): Promise<void> {
  await using engine = await openEngine({ kind: 'server', url, poolMax: 1 }, { log: silentLog });
  await migrate(engine, migrationsFolder, { log: silentLog });
  await distributeTables(engine, { onTable: () => undefined });
}
