/** What the service costs and bears: `npm run bench`. */
import os from 'node:os';
import { runBackup } from './backup/backup.ts';
import { runBodies } from './bodies/bodies.ts';
import { runClusters } from './clusters/clusters.ts';
import { runDoor } from './door/door.ts';
import { runGraph } from './graph/graph.ts';
import { runKnowledge } from './knowledge/knowledge.ts';
import { runLoad } from './load/load.ts';
import { runMail } from './mail/mail.ts';
import { runMedia } from './media/media.ts';
import { runMemory } from './memory/memory.ts';
import { runNeighbour } from './neighbour/neighbour.ts';
import { type Options, type PartName, readOptions, type Say, usage } from './options.ts';
import { type Window, writeWindows } from './profiled.ts';
import { runSearch } from './search/search.ts';
import { runSpeed } from './speed.ts';
import { runWebhooks } from './webhooks/webhooks.ts';

/** Each says its figures, and tells when its phases ran, for the profiles. */
type Part = (options: Options, say: Say) => Promise<readonly Window[]>;

const parts: Readonly<Record<PartName, Part>> = {
  speed: runSpeed,
  door: runDoor,
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
};

const say: Say = (text) => void process.stdout.write(`${text}\n`);
const options = readOptions(process.argv.slice(2), process.env);

if (options.help) say(usage);
else {
  const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
  say(`Node ${process.versions.node}, ${cores} cores, load ${load}`);
  if (!options.databaseUrl) {
    say('PostgreSQL: skipped, neither --database-url nor MNEME_TEST_DATABASE_URL.');
  }
  const windows: Window[] = [];
  for (const name of options.parts) windows.push(...(await parts[name](options, say)));
  if (options.profileDir) await writeWindows(options.profileDir, windows);
}
