import os from 'node:os';
import { measureClientCost } from './client-cost.ts';
import type { BenchmarkOptions, Print } from './options.ts';
import type { ProfileWindow } from './profile-windows.ts';
import { evaluateThresholds, renderTable, renderVerdicts } from './report.ts';
import { fullWorkload, quickWorkload, type RoundFigures, runRound } from './rounds.ts';
import { hasBaseline, type ServerName } from './servers.ts';
import { createTextGenerator, readVocabulary } from './text-generator.ts';

/** How fast the service is, beside a yardstick that is measured in the same minutes. */
export async function runSpeed(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const { quick, rounds: roundCount, databaseUrl, profileDir } = options;
  const extent = quick ? quickWorkload : fullWorkload;
  const names = serversToMeasure(options, say);
  const vocabulary = await readVocabulary();
  say(`Speed: ${extent.memories} memories, rounds: ${roundCount}`);
  const client = await measureClientCost(createTextGenerator(vocabulary, 0), quick ? 500 : 4_000);
  const windows: ProfileWindow[] = [];
  const rounds = new Map<ServerName, RoundFigures[]>(names.map((name) => [name, []]));
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
  say(`\n${renderTable(rounds)}\n\n${renderVerdicts(evaluateThresholds(rounds))}\n`);
  say(
    'The client against a server that does nothing: ' +
      `${client.singlePerSecond1.toFixed(0)} single adds/s with 1 connection, ` +
      `${client.singlePerSecond16.toFixed(0)} with 16, ` +
      `${client.bulkPerSecond.toFixed(0)} in bulk; ` +
      `${client.cpuMicroseconds.toFixed(0)} µs of CPU a call.`,
  );
  return windows;
}

function serversToMeasure(options: BenchmarkOptions, say: Print): ServerName[] {
  if (!hasBaseline()) say('The yardstick ../shared/tools/floor.mjs is missing: no ratios.');
  return [
    ...(hasBaseline() ? (['yardstick'] as const) : []),
    'embedded',
    ...(options.static ? (['embedded (static)'] as const) : []),
    ...(options.databaseUrl ? (['PostgreSQL'] as const) : []),
  ];
}
