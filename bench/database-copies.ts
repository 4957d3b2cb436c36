/**
 * What copies of a database take: time, and how far the memory of the process rises. Each step runs
 * in a process of its own. `node bench/database-copies.ts [MB]`, 500 MB unless told.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import {
  type DatabaseBackup,
  dumpTables,
  type Engine,
  type EngineSettings,
  loadTables,
  openEngine,
  parseTableList,
  restoreFiles,
} from '../packages/server/src/database/index.ts';
import { makeTestDatabase, silentLog } from '../packages/server/src/database/testing.ts';

const mb = 2 ** 20;
const sampleMs = 20;
const writersCount = 16;
const baselineMs = 5_000;

interface Task {
  readonly step: StepName;
  readonly source: EngineSettings;
  readonly target: EngineSettings;
  readonly megabytes: number;
}

interface StepFigures {
  readonly megabytes: number;
  readonly seconds: number;
  readonly memoryRiseMb: number;
  readonly note?: string;
}

type StepName = 'fill' | 'backup' | 'busy' | 'restore' | 'load';

const schema = `create table notes (id int primary key, content text, vector bytea);
  create table counters (writer int primary key, value int not null)`;

const open = (settings: EngineSettings): Promise<Engine> =>
  openEngine(settings, { log: silentLog });

/** Runs work and says how long it took and how far the resident memory rose above its begin. */
async function measure(work: () => Promise<number>, note?: () => string): Promise<StepFigures> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, sampleMs);
  const begun = performance.now();
  const bytes = await work();
  clearInterval(timer);
  return {
    megabytes: bytes / mb,
    seconds: (performance.now() - begun) / 1_000,
    memoryRiseMb: (peak - before) / mb,
    ...(note ? { note: note() } : {}),
  };
}

async function readCopy(copy: DatabaseBackup): Promise<number> {
  let bytes = 0;
  for await (const { content } of copy.entries()) {
    for await (const chunk of content) bytes += chunk.length;
  }
  return bytes;
}

async function fill(engine: Engine, megabytes: number): Promise<number> {
  await sql.raw(schema).execute(engine.db);
  const rows = 8_192;
  for (let part = 0; part < megabytes / 16; part += 1) {
    await sql`insert into notes select n, repeat(md5(n::text), 50),
        decode(repeat(md5((n + 1)::text), 24), 'hex')
      from generate_series(${part * rows}::int, ${(part + 1) * rows - 1}::int) as n
    `.execute(engine.db);
  }
  await sql`insert into counters select n, 0 from generate_series(1, ${writersCount}::int) as n
  `.execute(engine.db);
  return megabytes * mb;
}

/** Commits of 16 writers for as long as `until` takes, by the second. */
async function commitsDuring(engine: Engine, until: Promise<unknown>): Promise<number> {
  let [writes, commits] = [true, 0];
  const begun = performance.now();
  const writers = Array.from({ length: writersCount }, async (_, index) => {
    while (writes) {
      await sql`update counters set value = value + 1 where writer = ${index + 1}`.execute(
        engine.db,
      );
      commits += 1;
    }
  });
  await until;
  writes = false;
  await Promise.all(writers);
  return commits / ((performance.now() - begun) / 1_000);
}

const startCopy = (engine: Engine, kind: Task['target']['kind']): Promise<DatabaseBackup> =>
  engine.kind === 'embedded' && kind === 'server' ? dumpTables(engine) : engine.backup();

const steps: Readonly<Record<StepName, (task: Task) => Promise<StepFigures>>> = {
  async fill({ source, megabytes }) {
    await using engine = await open(source);
    return await measure(() => fill(engine, megabytes));
  },
  async backup({ source }) {
    await using engine = await open(source);
    await engine.ping();
    return await measure(async () => {
      await using copy = await engine.backup();
      return await readCopy(copy);
    });
  },
  async busy({ source }) {
    await using engine = await open(source);
    const quiet = await commitsDuring(engine, new Promise((end) => setTimeout(end, baselineMs)));
    let busy = 0;
    return await measure(
      async () => {
        await using copy = await engine.backup();
        const reading = readCopy(copy);
        busy = await commitsDuring(engine, reading);
        return await reading;
      },
      () => `${quiet.toFixed(0)} commits/s before, ${busy.toFixed(0)} during`,
    );
  },
  async restore({ source, target }) {
    if (target.kind !== 'embedded') throw new TypeError('files are restored into a folder');
    await using engine = await open(source);
    const figures = await measure(async () => {
      await using copy = await engine.backup();
      await restoreFiles(copy.entries(), path.join(target.dataDir, 'pg'));
      return copy.approximateBytes;
    });
    const begun = performance.now();
    await using restored = await open(target);
    await restored.ping();
    return { ...figures, note: `opened in ${((performance.now() - begun) / 1_000).toFixed(1)} s` };
  },
  async load({ source, target }) {
    await using from = await open(source);
    await using to = await open(target);
    await sql.raw(schema).execute(to.db);
    return await measure(async () => {
      await using copy = await startCopy(from, 'server');
      let bytes = 0;
      const entries = copy.entries()[Symbol.asyncIterator]();
      const first = await entries.next();
      let list = '';
      for await (const chunk of first.value.content) list += Buffer.from(chunk).toString();
      async function* rest() {
        for (let next = await entries.next(); !next.done; next = await entries.next()) {
          bytes += next.value.size;
          yield next.value;
        }
      }
      await loadTables(to, parseTableList(list), rest());
      return bytes;
    });
  },
};

async function runStep(step: StepName, task: Omit<Task, 'step'>, title: string): Promise<void> {
  const child = fork(import.meta.filename, {
    // Optimising PostgreSQL's code takes hundreds of megabytes soon after each start, copy or not.
    execArgv: ['--liftoff-only'],
    env: { ...process.env, BENCH_STEP: '1' },
  });
  child.send({ ...task, step });
  const failed = once(child, 'exit').then(([status]) => {
    throw new Error(`${title} ended with ${status}`);
  });
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [StepFigures];
  await failed.catch(() => undefined);
  const { megabytes, seconds, memoryRiseMb, note = '' } = figures;
  const cells = [megabytes.toFixed(0), seconds.toFixed(1), memoryRiseMb.toFixed(0), note];
  process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
}

async function runAll(megabytes: number): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-bench-copies-'));
  const embeddedSettings = (name: string): EngineSettings => ({
    kind: 'embedded',
    dataDir: path.join(folder, name),
  });
  const url = process.env.MNEME_TEST_DATABASE_URL;
  process.stdout.write('| | MB | s | memory rises by, MB | |\n| --- | --- | --- | --- | --- |\n');
  const run = (step: StepName, source: EngineSettings, target: EngineSettings, title: string) =>
    runStep(step, { source, target, megabytes }, title);
  try {
    const [source, restored, loaded] = [
      embeddedSettings('source'),
      embeddedSettings('restored'),
      embeddedSettings('loaded'),
    ];
    await run('fill', source, source, 'embedded: filled');
    await run('backup', source, source, 'embedded: backup');
    await run('busy', source, source, 'embedded: backup during the writes of 16 writers');
    await run('restore', source, restored, 'embedded: backup into a folder');
    await run('load', source, loaded, 'embedded → embedded, tables');
    if (!url) return;
    const database = await makeTestDatabase(url);
    await using _ = { [Symbol.asyncDispose]: database.drop };
    const server = { kind: 'server' as const, url: database.url, poolMax: 16 };
    await run('load', source, server, 'embedded → PostgreSQL, tables');
    await run('backup', server, server, 'PostgreSQL: backup');
    await run('busy', server, server, 'PostgreSQL: backup during the writes of 16 writers');
    await run('load', server, embeddedSettings('from-server'), 'PostgreSQL → embedded, tables');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.env.BENCH_STEP) {
  const [task] = (await once(process, 'message')) as [Task];
  process.send?.(await steps[task.step](task));
  process.disconnect();
} else await runAll(Number(process.argv[2] ?? 500));
