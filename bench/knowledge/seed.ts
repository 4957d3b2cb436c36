import { sql } from 'kysely';
import type { App } from '../../packages/server/src/domains/ctx.ts';
import { createRandom } from '../random.ts';
import type { EntityGraphSize } from './workload.ts';

const content = 'Ana works at Acme and knows Ben, who moved to the new office in Berlin. Note ';
const predicates = ['works_at', 'uses', 'knows', 'part_of', 'located_in', 'related_to'];
const relationsPerMemory = 4;
const seeded = ['memories', 'entities', 'mentions', 'assertions', 'facts'];
const chunkRows = 5_000;

interface Relation {
  readonly i: string;
  readonly s: string;
  readonly o: string;
  readonly p: string;
  readonly c: number;
  readonly m: string;
}

/** Rows as the service itself writes them: entities, and what memories say of them. */
export async function seedEntities(
  app: App,
  accountId: string,
  extent: EntityGraphSize,
): Promise<string[]> {
  const { db } = app.engine;
  const now = app.clock.now();
  const made = (count: number): string[] => Array.from({ length: count }, () => app.ids.uuid());
  const memories = made(Math.ceil(extent.relations / relationsPerMemory));
  for (const chunk of chunks(memories)) {
    await sql`
      insert into memories (account_id, id, content, content_type, tags, metadata, priority,
        is_pinned, protection_level, created_at, updated_at)
      select ${accountId}::uuid, id, ${content} || id, 'text', '{}', '{}', 5, false, 'none',
        ${now}::timestamptz, ${now}::timestamptz
      from unnest(${chunk}::uuid[]) as id`.execute(db);
  }
  const ids = made(extent.entities);
  for (const chunk of chunks(ids)) {
    await sql`
      insert into entities (account_id, id, name, type, is_retained, created_at, updated_at)
      select ${accountId}::uuid, id, 'Ana ' || id, 'person', false, ${now}::timestamptz,
        ${now}::timestamptz
      from unnest(${chunk}::uuid[]) as id`.execute(db);
  }
  for (const chunk of chunks(relationsOf(app, ids, memories, extent))) {
    await insertRelations(app, accountId, chunk);
  }
  for (const table of seeded) {
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return ids;
}

function relationsOf(
  app: App,
  ids: readonly string[],
  memories: readonly string[],
  extent: EntityGraphSize,
): Relation[] {
  const random = createRandom(20_261_121);
  const relations = new Map<string, Relation>();
  while (relations.size < extent.relations) {
    const toHub = random() * 10 < extent.tenthsToHubs;
    // Nobody is left without a relation: nothing would speak of them.
    const s = ids[relations.size] ?? ids[Math.floor(random() * ids.length)] ?? '';
    const o = ids[Math.floor(random() * (toHub ? extent.hubs : ids.length))] ?? '';
    const p = predicates[Math.floor(random() * predicates.length)] ?? '';
    const m = memories[Math.floor(relations.size / relationsPerMemory)] ?? '';
    const c = 0.5 + random() / 2;
    if (s !== o) relations.set(`${s} ${p} ${o}`, { i: app.ids.uuid(), s, o, p, c, m });
  }
  return [...relations.values()];
}

async function insertRelations(
  app: App,
  accountId: string,
  relations: readonly Relation[],
): Promise<void> {
  const now = app.clock.now();
  const row = sql`
    json_to_recordset(${JSON.stringify(relations)}::json)
      as row (i uuid, s uuid, o uuid, p text, c real, m uuid)`;
  await sql`
    insert into assertions (account_id, id, subject_id, predicate, object_id, statement,
      confidence, observed_at, memory_id, is_manual, recorded_at)
    select ${accountId}::uuid, i, s, p, o, 'Ana works at Acme', c, ${now}::timestamptz, m, false,
      ${now}::timestamptz
    from ${row}`.execute(app.engine.db);
  await sql`
    insert into facts (account_id, id, subject_id, predicate, object_id, statement, confidence,
      sources, recorded_at)
    select ${accountId}::uuid, i, s, p, o, 'Ana works at Acme', c, array[i], ${now}::timestamptz
    from ${row}`.execute(app.engine.db);
  await sql`
    insert into mentions (account_id, memory_id, entity_id, confidence, names, observed_at,
      recorded_at)
    select distinct ${accountId}::uuid, m, e, 0.9::real, array['Ana'], ${now}::timestamptz,
      ${now}::timestamptz
    from ${row}, lateral (values (s), (o)) as spoken (e)
    on conflict do nothing`.execute(app.engine.db);
}

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += chunkRows)
    yield rows.slice(from, from + chunkRows);
}
