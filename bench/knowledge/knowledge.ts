import type { Options, Say } from '../options.ts';
import type { Window } from '../profiled.ts';
import type { ServerName } from '../servers.ts';
import { createTexts, readVocabulary } from '../texts.ts';
import { quickExtent, wholeExtent } from './extent.ts';
import { measureReading, type ReadingFigures } from './reading.ts';
import { readingTable, readingVerdicts, walkTable, walkVerdicts } from './report.ts';
import { measureWalks, type WalkFigures } from './walks.ts';

/** How fast memories are read for whom and what they speak of, and walks over what they say. */
export async function runKnowledge(options: Options, say: Say): Promise<Window[]> {
  const extent = options.quick ? quickExtent : wholeExtent;
  const { databaseUrl, profileDir } = options;
  const engines: ServerName[] = ['embedded', ...(databaseUrl ? ['PostgreSQL' as const] : [])];
  say(`\nKnowledge: ${extent.memories} memories are read while somebody searches`);
  const vocabulary = await readVocabulary();
  const readings: ReadingFigures[] = [];
  const windows: Window[] = [];
  for (const name of engines) {
    const texts = createTexts(vocabulary, 1);
    const { figures, window } = await measureReading(
      name,
      { databaseUrl, profileDir },
      extent,
      texts,
    );
    readings.push(figures);
    windows.push(window);
  }
  say(`\n${readingTable(readings)}\n\n${readings.flatMap(readingVerdicts).join('\n')}`);
  const [first] = extent.graphs;
  say(`\nWalks over ${first?.entities} entities and ${first?.relations} relations`);
  const walks: WalkFigures[] = [];
  for (const graph of extent.graphs) {
    for (const name of engines) {
      walks.push(await measureWalks(name, name === 'embedded' ? null : databaseUrl, graph));
    }
  }
  say(`\n${walkTable(walks)}\n\n${walks.flatMap(walkVerdicts).join('\n')}`);
  return windows;
}
