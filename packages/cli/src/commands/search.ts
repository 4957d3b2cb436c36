import type { Client } from '@mneme/sdk';
import type { CommandContext } from '../context.ts';
import { excerpt, formatTimeRange } from '../format.ts';
import { renderTable } from '../output/table.ts';

type SearchResponse = Awaited<ReturnType<Client['search']['post']>>;

/** Score, id and text of each result. */
export function describeSearch({ results }: SearchResponse, { display }: CommandContext): string[] {
  if (results.length === 0) return ['nothing found'];
  const rows = results.map((hit) => {
    const score = hit.score.toFixed(2);
    if (hit.type === 'memory') return [score, hit.id, excerpt(hit.content)];
    // The recording is a memory; its segments are not.
    const timeRange = formatTimeRange(hit.start_time, hit.end_time);
    return [score, hit.audio_file_id, `${timeRange} ${excerpt(hit.text)}`];
  });
  return renderTable(rows, { width: display.width, textColumns: [2] });
}
