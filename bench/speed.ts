import os from 'node:os';
import { measureClient } from './client-cost.ts';
import type { Options, Say } from './options.ts';
import type { Window } from './profiled.ts';
import { table, verdictLines, verdicts } from './report.ts';
import { type Figures, quickExtent, runRound, wholeExtent } from './rounds.ts';
import { hasYardstick, type ServerName } from './servers.ts';
import { createTexts, readVocabulary } from './texts.ts';

/** How fast the service is, beside a yardstick that is measured in the same minutes. */
export async function runSpeed(options: Options, say: Say): Promise<Window[]> {
  const { quick, rounds: roundCount, databaseUrl, profileDir } = options;
  const extent = quick ? quickExtent : wholeExtent;
  const names = serverNames(databaseUrl, say);
  const vocabulary = await readVocabulary();
  say(`Speed: ${extent.memories} memories, rounds: ${roundCount}`);
  const client = await measureClient(createTexts(vocabulary, 0), quick ? 500 : 4_000);
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
  say(`\n${table(rounds)}\n\n${verdictLines(verdicts(rounds))}\n`);
  say(
    `The client against a server that does nothing: ${client.single1.toFixed(0)} single adds/s ` +
      `with 1 connection, ${client.single16.toFixed(0)} with 16, ${client.bulk.toFixed(0)} in ` +
      `bulk; ${client.cpuMicroseconds.toFixed(0)} µs of CPU a call.`,
  );
  return windows;
}

function serverNames(databaseUrl: string | null, say: Say): ServerName[] {
  if (!hasYardstick()) say('The yardstick ../shared/tools/floor.mjs is missing: no ratios.');
  return [
    ...(hasYardstick() ? (['yardstick'] as const) : []),
    'embedded',
    ...(databaseUrl ? (['PostgreSQL'] as const) : []),
  ];
}
