import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import type { ServerName } from '../servers.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { type ExtractionFigures, measureExtraction } from './extraction.ts';
import { extractionTable, extractionVerdicts, walkTable, walkVerdicts } from './report.ts';
import { measureWalks, type WalkFigures } from './walks.ts';
import { fullWorkload, quickWorkload } from './workload.ts';

/** How fast memories are read for whom and what they speak of, and walks over what they say. */
export async function runKnowledge(
  options: BenchmarkOptions,
  say: Print,
): Promise<ProfileWindow[]> {
  const extent = options.quick ? quickWorkload : fullWorkload;
  const { databaseUrl, profileDir } = options;
  const engines: ServerName[] = ['embedded', ...(databaseUrl ? ['PostgreSQL' as const] : [])];
  say(`\nKnowledge: ${extent.memories} memories are read while somebody searches`);
  const vocabulary = await readVocabulary();
  const readings: ExtractionFigures[] = [];
  const windows: ProfileWindow[] = [];
  for (const name of engines) {
    const texts = createTextGenerator(vocabulary, 1);
    const { figures, window } = await measureExtraction(
      name,
      { databaseUrl, profileDir },
      extent,
      texts,
    );
    readings.push(figures);
    windows.push(window);
  }
  say(`\n${extractionTable(readings)}\n\n${readings.flatMap(extractionVerdicts).join('\n')}`);
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
