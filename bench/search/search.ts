import os from 'node:os';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { hasBaseline, type ServerName } from '../servers.ts';
import { readVocabulary } from '../text-generator.ts';
import { scenarioTable, scenarioVerdicts } from './report.ts';
import { runScenario } from './scenario.ts';
import {
  fullWorkload,
  type MemoryLayout,
  memoryLayouts,
  quickWorkload,
  type WorkloadStage,
} from './workload.ts';

/** How long searches take: at several sizes, with many clients, filters, sessions and accounts. */
export async function runSearch(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const { quick, memories, databaseUrl, profileDir } = options;
  const extent = quick ? quickWorkload : fullWorkload;
  const stages = extent.stages.filter(
    ({ thresholdsOf }) => memories?.includes(thresholdsOf) ?? true,
  );
  if (!hasBaseline()) say('The yardstick ../shared/tools/floor.mjs is missing: no ratios.');
  if (quick) say('A quick run: its bars are those of many more memories, and mean nothing.');
  const shared = {
    databaseUrl,
    profileDir,
    extent,
    vocabulary: await readVocabulary(),
  };
  const windows: ProfileWindow[] = [];
  for (const stage of stages) {
    for (const layout of memoryLayouts) {
      const names = serversOf(stage, layout, options);
      if (names.length === 0) continue;
      const where = layout === 'many accounts' ? `${stage.accounts} accounts` : layout;
      say(`\nSearch: ${stage.memories} memories, ${where}, load ${os.loadavg()[0]?.toFixed(1)}`);
      const onWindow = (window: ProfileWindow) => void windows.push(window);
      const scene = { layout, like: stage.thresholdsOf };
      const figures = await runScenario({ ...shared, stage, layout, names, onWindow });
      say(`\n${scenarioTable(figures)}\n\n${scenarioVerdicts(scene, figures)}`);
    }
  }
  return windows;
}

/** The yardstick knows neither sessions nor accounts. */
const serversOf = (
  { servers }: WorkloadStage,
  layout: MemoryLayout,
  options: BenchmarkOptions,
): ServerName[] =>
  servers.filter((name) => {
    if (name === 'yardstick') return layout === 'one account' && hasBaseline();
    if (name === 'embedded (static)') return options.static;
    return name === 'embedded' || options.databaseUrl !== null;
  });
