import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachEngine, explaining, type TestEngine } from '../../../database/testing.ts';
import { inSpaces } from '../../ctx.ts';
import { listMemoryRows } from './list.ts';
import { listSessionMemoryRows } from './session.ts';

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
const account = '00000000-0000-7000-8000-000000000001';
const session = '00000000-0000-7000-8000-000000000002';
const memories = 5_000;
const inSession = 200;
const limit = 101;
const visible = inSpaces(null);

describe.each(eachEngine({ migrations }))('a page of many memories on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    const { db } = test.engine;
    const id = sql`('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid`;
    const rows = sql`generate_series(1, ${memories}::int) as n`;
    await sql`
      insert into memories (account_id, id, content, content_type, tags, metadata, priority,
        is_pinned, protection_level, created_at, updated_at, session_id, session_ordinal)
      select ${account}::uuid, ${id}, 'Note ' || n, 'text', '{}', '{}', 5, false, 'none',
        now() + n * interval '1 s', now(), case when n <= ${inSession} then ${session}::uuid end,
        case when n <= ${inSession} then n end
      from ${rows}`.execute(db);
    await sql`
      insert into documents (account_id, id, kind, content_type, tags, priority, pinned, created_at,
        hidden, position)
      select ${account}::uuid, ${id}, 'memory', 'text', '{}', 5, false, now(), false, n
      from ${rows}`.execute(db);
    await sql`analyze memories, documents`.execute(db);
  });
  afterAll(() => test.cleanup());

  it.each([
    [
      'the account',
      (db: TestEngine['engine']['db']) =>
        listMemoryRows(db, account, {
          visible,
          sort: 'created_at',
          order: 'desc',
          after: null,
          limit,
          includeDeleted: false,
          now: new Date(),
        }),
    ],
    [
      'a session',
      (db: TestEngine['engine']['db']) =>
        listSessionMemoryRows(
          db,
          account,
          session,
          { visible, owner: {}, now: new Date() },
          { limit, offset: 0 },
        ),
    ],
  ])('of %s reads no more of the table than its own rows and their documents', async (_, list) => {
    const { text, rowsRead } = await explaining(test.engine.db, list);
    expect(text).not.toMatch(/Seq Scan|hashed/);
    // A session also counts its memories.
    expect(rowsRead).toBeLessThanOrEqual(2 * inSession + 2 * limit);
  });
});
