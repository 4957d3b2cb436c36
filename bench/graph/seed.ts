import { sql } from 'kysely';
import type { App } from '../../packages/server/src/domains/ctx.ts';
import { createRandom } from '../random.ts';

/** How large a graph is, and how uneven. */
export interface GraphSize {
  readonly name: string;
  readonly memories: number;
  readonly relationships: number;
  /** Memories that more relationships lead to than to others. */
  readonly hubs: number;
  /** Of ten relationships, how many lead to a hub. */
  readonly tenthsToHubs: number;
  readonly walks: number;
}

export const fullGraphs: readonly GraphSize[] = [
  {
    name: 'even',
    memories: 40_000,
    relationships: 100_000,
    hubs: 0,
    tenthsToHubs: 0,
    walks: 400,
  },
  {
    name: 'dense, with hubs',
    memories: 20_000,
    relationships: 100_000,
    hubs: 40,
    tenthsToHubs: 2,
    walks: 400,
  },
];
export const quickGraphs: readonly GraphSize[] = fullGraphs.map((extent) => ({
  ...extent,
  memories: extent.memories / 50,
  relationships: extent.relationships / 50,
  hubs: Math.ceil(extent.hubs / 50),
  walks: 20,
}));

const content =
  'Ana said that the project should move to the new office in Berlin before the end of spring, ' +
  'since most of the team lives there and the old lease runs out.';
const types = ['related_to', 'supports', 'references', 'depends_on', 'similar_to'];
const chunkRows = 5_000;

/** Rows as the service itself writes them; in chunks, as one connection serves all. */
export async function seedGraph(app: App, accountId: string, extent: GraphSize): Promise<string[]> {
  const random = createRandom(20_261_121);
  const ids = Array.from({ length: extent.memories }, () => app.ids.uuid());
  const now = app.clock.now();
  for (let from = 0; from < ids.length; from += chunkRows) {
    const chunk = ids.slice(from, from + chunkRows);
    await sql`
      insert into memories (account_id, id, content, content_type, tags, metadata, priority,
        is_pinned, protection_level, created_at, updated_at)
      select ${accountId}::uuid, id, ${content} || id, 'text', '{berlin,office}',
        '{"source":"chat"}', 5, false, 'none', ${now}::timestamptz, ${now}::timestamptz
      from unnest(${chunk}::uuid[]) as id`.execute(app.engine.db);
  }
  const triples = new Map<string, { i: string; s: string; t: string; k: string; w: number }>();
  while (triples.size < extent.relationships) {
    const hub = random() * 10 < extent.tenthsToHubs;
    const s = ids[Math.floor(random() * ids.length)] ?? '';
    const t = ids[Math.floor(random() * (hub ? extent.hubs : ids.length))] ?? '';
    const k = types[Math.floor(random() * types.length)] ?? '';
    if (s !== t) triples.set(`${s} ${t} ${k}`, { i: app.ids.uuid(), s, t, k, w: 0.2 + random() });
  }
  const rows = [...triples.values()];
  for (let from = 0; from < rows.length; from += chunkRows) {
    const chunk = JSON.stringify(rows.slice(from, from + chunkRows));
    await sql`
      insert into relationships (account_id, id, source_id, target_id, type, weight,
        weight_set_at, decay_rate, pinned_memory_count, rules, metadata, created_at, updated_at)
      select ${accountId}::uuid, i, s, t, k, w, ${now}::timestamptz - interval '1 day' * (w * 30),
        0.02, 0, '{}', '{}', ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${chunk}::json) as row (i uuid, s uuid, t uuid, k text, w float8)
    `.execute(app.engine.db);
  }
  await sql`analyze memories`.execute(app.engine.db);
  await sql`analyze relationships`.execute(app.engine.db);
  return ids;
}
