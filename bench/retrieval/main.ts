/** How well memories are found, and what their scores mean: `npm run bench:retrieval`. */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { install, type ServerName } from '../servers.ts';
import { conversationFiles } from './data.ts';
import { type Options, type PartName, readOptions, usage } from './options.ts';
import { measureParaphrases } from './paraphrases.ts';
import { barLine, heldBar, type PartReport } from './report.ts';
import { measureScores } from './scores.ts';
import { Service } from './service.ts';
import { measureDocuments } from './standalone.ts';
import { measureTalks } from './talks.ts';

/** Null when what it measures with is not there. */
type Part = (service: Service, options: Options) => Promise<PartReport | null>;

const parts: Readonly<Record<PartName, Part>> = {
  conversations: (service, { dataDir }) => measureTalks(service, 'conversations', dataDir),
  chats: (service, { dataDir }) => measureTalks(service, 'chats', dataDir),
  documents: measureDocuments,
  paraphrases: (service, { dataDir }) => measureParaphrases(service, dataDir),
  scores: measureScores,
};

const files: Partial<Record<PartName, string>> = {
  ...conversationFiles,
  paraphrases: 'vectors/paraphrases.json',
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(options: Options): Promise<void> {
  const name = options.databaseUrl ? 'PostgreSQL' : 'embedded';
  const [cores, load] = [os.availableParallelism(), os.loadavg()[0]?.toFixed(1)];
  say(`Node ${process.versions.node}, ${cores} cores, load ${load}, ${name}`);
  const reports = new Map<PartName, PartReport>();
  for (const part of options.parts) {
    const report = await measure(part, name, options);
    if (report) {
      reports.set(part, report);
      say([`\n## ${part}\n`, ...report.lines].join('\n'));
    } else say(`\n${part}: skipped, no ${files[part]} in ${options.dataDir}`);
  }
  const bars = [...reports.values()].flatMap((report) => report.bars);
  say(['', ...bars.map(barLine)].join('\n'));
  if (options.jsonFile) {
    const figures = Object.fromEntries(
      [...reports].map(([part, report]) => [
        part,
        {
          ...Object(report.figures),
          bars: report.bars.map((bar) => ({ ...bar, held: heldBar(bar) })),
        },
      ]),
    );
    await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 1)}\n`);
  }
}

/** On an empty server, so that a part finds the same with the others and without them. */
async function measure(
  part: PartName,
  name: ServerName,
  options: Options,
): Promise<PartReport | null> {
  await using installation = await install(name, { ...options, profileDir: null });
  const server = await installation.start();
  try {
    using service = new Service(server);
    return await parts[part](service, options);
  } finally {
    await server.stop();
  }
}

const options = readOptions(process.argv.slice(2));
if (options.help) say(usage);
else await run(options);
