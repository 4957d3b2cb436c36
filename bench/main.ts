/** What the service costs and bears: `npm run bench`. */
import os from 'node:os';
import { runAuthentication } from './authentication/authentication.ts';
import { runBackup } from './backup/backup.ts';
import { runBodies } from './bodies/bodies.ts';
import { runClusters } from './clusters/clusters.ts';
import { runConsole } from './console/console.ts';
import { runGraph } from './graph/graph.ts';
import { runKnowledge } from './knowledge/knowledge.ts';
import { runLoad } from './load/load.ts';
import { runMail } from './mail/mail.ts';
import { runMcp } from './mcp/mcp.ts';
import { runMedia } from './media/media.ts';
import { runMemory } from './memory/memory.ts';
import { runNeighbour } from './neighbour/neighbour.ts';
import {
  type BenchmarkName,
  type BenchmarkOptions,
  type Print,
  readOptions,
  usage,
} from './options.ts';
import { type ProfileWindow, writeProfileWindows } from './profile-windows.ts';
import { runSearch } from './search/search.ts';
import { runSpeed } from './speed.ts';
import { runTelemetry } from './telemetry/telemetry.ts';
import { runWebhooks } from './webhooks/webhooks.ts';

/** Each says its figures, and tells when its phases ran, for the profiles. */
type Benchmark = (options: BenchmarkOptions, say: Print) => Promise<readonly ProfileWindow[]>;

const benchmarks: Readonly<Record<BenchmarkName, Benchmark>> = {
  speed: runSpeed,
  door: runAuthentication,
  bodies: runBodies,
  graph: runGraph,
  search: runSearch,
  load: runLoad,
  webhooks: runWebhooks,
  mail: runMail,
  media: runMedia,
  memory: runMemory,
  knowledge: runKnowledge,
  clusters: runClusters,
  backup: runBackup,
  neighbour: runNeighbour,
  mcp: runMcp,
  telemetry: runTelemetry,
  console: runConsole,
};

const print: Print = (text) => void process.stdout.write(`${text}\n`);
const options = readOptions(process.argv.slice(2), process.env);

if (options.help) print(usage);
else {
  const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
  print(`Node ${process.versions.node}, ${cores} cores, load ${load}`);
  if (!options.databaseUrl) {
    print('PostgreSQL: skipped, neither --database-url nor MNEME_TEST_DATABASE_URL.');
  }
  const windows: ProfileWindow[] = [];
  for (const name of options.benchmarks) windows.push(...(await benchmarks[name](options, print)));
  if (options.profileDir) await writeProfileWindows(options.profileDir, windows);
}
