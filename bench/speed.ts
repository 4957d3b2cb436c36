/** How fast the service is, beside a yardstick that is measured in the same minutes. */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureClient } from './client-cost.ts';
import { table, verdictLines, verdicts } from './report.ts';
import { type Figures, quickExtent, runRound, type Window, wholeExtent } from './rounds.ts';
import { hasYardstick, type ServerName } from './servers.ts';
import { createTexts, readVocabulary } from './texts.ts';

const usage = `npm run bench -- [options]
  --quick               a smoke test: few memories, one round
  --rounds N            how often all is measured from an empty database on (3)
  --database-url URL    measures PostgreSQL, too; also MNEME_TEST_DATABASE_URL
  --cpu-prof DIR        writes CPU profiles, for bench/profile.ts
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    'database-url': { type: 'string' },
    'cpu-prof': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const roundCount = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(roundCount) || roundCount < 1) throw new Error('--rounds: 1 or more');
  const extent = values.quick ? quickExtent : wholeExtent;
  const databaseUrl = values['database-url'] ?? (process.env.MNEME_TEST_DATABASE_URL || null);
  const profileDir = values['cpu-prof'] ?? null;
  const names = serverNames(databaseUrl);
  const vocabulary = await readVocabulary();
  const load = os.loadavg()[0]?.toFixed(1);
  say(
    `Node ${process.versions.node}, ${os.availableParallelism()} cores, load ${load}; ` +
      `${extent.memories} memories, rounds: ${roundCount}`,
  );
  const client = await measureClient(createTexts(vocabulary, 0), values.quick ? 500 : 4_000);
  const windows: Window[] = [];
  const rounds = new Map<ServerName, Figures[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= roundCount; round += 1) {
    const figures = await runRound({
      names,
      vocabulary,
      extent,
      seed: round,
      databaseUrl,
      profileDir,
      onWindow: (window) => windows.push(window),
    });
    for (const [name, each] of figures) rounds.get(name)?.push(each);
    say(`round ${round} of ${roundCount} is done, load ${os.loadavg()[0]?.toFixed(1)}`);
  }
  if (profileDir) {
    await mkdir(profileDir, { recursive: true });
    await writeFile(path.join(profileDir, 'windows.json'), JSON.stringify(windows));
  }
  say(`\n${table(rounds)}\n\n${verdictLines(verdicts(rounds))}\n`);
  say(
    `The client against a server that does nothing: ${client.single1.toFixed(0)} single adds/s ` +
      `with 1 connection, ${client.single16.toFixed(0)} with 16, ${client.bulk.toFixed(0)} in ` +
      `bulk; ${client.cpuMicroseconds.toFixed(0)} µs of CPU a call.`,
  );
}

function serverNames(databaseUrl: string | null): ServerName[] {
  if (!hasYardstick()) say('The yardstick ../shared/tools/floor.mjs is missing: no ratios.');
  if (!databaseUrl) say('PostgreSQL: skipped, neither --database-url nor MNEME_TEST_DATABASE_URL.');
  return [
    ...(hasYardstick() ? (['yardstick'] as const) : []),
    'embedded',
    ...(databaseUrl ? (['PostgreSQL'] as const) : []),
  ];
}

if (values.help) say(usage);
else await main();
