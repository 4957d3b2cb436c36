import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine, explaining, type TestEngine } from '../../../database/testing.ts';
import { inSpaces } from '../../ctx.ts';
import { visibleMemoriesSubquery } from '../../memories/index.ts';
import { factsOfEntities, mentionsOfEntities } from './neighbourhood.ts';

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
const account = '00000000-0000-7000-8000-000000000001';
const hub = '00000000-0000-7000-8000-000000000002';
const rows = 20_000;
const countMax = 100;

describe.each(eachEngine({ migrations }))('the edges of a hub on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    const { db } = test.engine;
    await sql`
      insert into memories (account_id, id, content, content_type, tags, metadata, priority,
        is_pinned, protection_level, created_at, updated_at)
      select ${account}::uuid, ('00000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid,
        'text ' || n, 'text', '{}', '{}', 5, false, 'none', now(), now()
      from generate_series(1, ${rows}::int) as n`.execute(db);
    await sql`
      insert into entities (account_id, id, name, type, is_retained, created_at, updated_at)
      values (${account}::uuid, ${hub}::uuid, 'Hub', 'person', false, now(), now())`.execute(db);
    await sql`
      insert into mentions
        (account_id, memory_id, entity_id, confidence, names, observed_at, recorded_at)
      select account_id, id, ${hub}::uuid, 0.5 + random() / 2, '{Hub}', now(), now()
      from memories`.execute(db);
    await sql`
      insert into assertions (account_id, id, subject_id, predicate, object_id, statement,
        confidence, observed_at, memory_id, is_manual, recorded_at)
      select account_id, id, ${hub}::uuid, 'knows', id, 'x', 0.5, now(), id, false, now()
      from memories`.execute(db);
    await sql`
      insert into facts (account_id, id, subject_id, predicate, object_id, statement, confidence,
        sources, recorded_at)
      select account_id, id, ${hub}::uuid, 'knows', id, 'x', 0.5 + random() / 2, array[id], now()
      from memories`.execute(db);
  });
  afterAll(() => test.cleanup());

  const visibility = { accountId: account, visible: null };
  const filter = () => ({
    now: new Date(Date.now() + 60_000),
    asOf: undefined,
    knownAt: undefined,
    entityTypes: undefined,
    predicates: undefined,
    countMax,
  });

  it('are read by the index of the surest, with statistics and without', async () => {
    const memories = visibleMemoriesSubquery(account, inSpaces(null));
    // The database gathers them table by table, in any order.
    for (const tables of ['', 'assertions, facts', 'memories, entities, mentions']) {
      if (tables !== '') await sql`analyze ${sql.raw(tables)}`.execute(test.engine.db);
      const mentions = await explaining(test.engine.db, (db) =>
        mentionsOfEntities(db, { visibility, memories }, [hub], filter()),
      );
      expect(mentions.text).toContain('using mentions_surest ');
      expect(mentions.text).not.toMatch(/Seq Scan/);
      const facts = await explaining(test.engine.db, (db) =>
        factsOfEntities(db, visibility, [hub], filter()),
      );
      expect(facts.text).toContain('using facts_surest_of_subject ');
      expect(facts.text).toContain('using facts_surest_of_object ');
      expect(facts.text).not.toMatch(/Seq Scan/);
    }
  });
});
