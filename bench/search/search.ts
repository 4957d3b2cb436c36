import os from 'node:os';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import type { Options, Say } from '../options.ts';
import type { Window } from '../profiled.ts';
import { hasYardstick, type ServerName } from '../servers.ts';
import { readVocabulary } from '../texts.ts';
import { type Layout, layouts, quickExtent, type Stage, wholeExtent } from './extent.ts';
import { sceneTable, sceneVerdicts } from './report.ts';
import { runScene } from './scene.ts';

/** How long searches take: at several sizes, with many clients, filters, sessions and accounts. */
export async function runSearch(options: Options, say: Say): Promise<Window[]> {
  const { quick, memories, databaseUrl, profileDir } = options;
  const extent = quick ? quickExtent : wholeExtent;
  const stages = extent.stages.filter(({ like }) => memories?.includes(like) ?? true);
  if (!hasYardstick()) say('The yardstick ../shared/tools/floor.mjs is missing: no ratios.');
  if (quick) say('A quick run: its bars are those of many more memories, and mean nothing.');
  const shared = {
    databaseUrl,
    profileDir,
    extent,
    vocabulary: await readVocabulary(),
    embedder: await createEmbedder({ provider: 'static' }),
  };
  const windows: Window[] = [];
  for (const stage of stages) {
    for (const layout of layouts) {
      const names = serversOf(stage, layout, databaseUrl !== null);
      if (names.length === 0) continue;
      const where = layout === 'many accounts' ? `${stage.accounts} accounts` : layout;
      say(`\nSearch: ${stage.memories} memories, ${where}, load ${os.loadavg()[0]?.toFixed(1)}`);
      const onWindow = (window: Window) => void windows.push(window);
      const scene = { layout, like: stage.like };
      const figures = await runScene({ ...shared, stage, layout, names, onWindow });
      say(`\n${sceneTable(figures)}\n\n${sceneVerdicts(scene, figures)}`);
    }
  }
  return windows;
}

/** The yardstick knows neither sessions nor accounts. */
const serversOf = ({ servers }: Stage, layout: Layout, hasDatabase: boolean): ServerName[] =>
  servers.filter((name) => {
    if (name === 'yardstick') return layout === 'one account' && hasYardstick();
    return name === 'embedded' || hasDatabase;
  });
