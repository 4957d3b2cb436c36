import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../database/index.ts';
import { eachEngine, silentLog, type TestEngine } from '../database/testing.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const account = idOf(0);
const [own, next, bens, nobodys, erased] = [1, 2, 3, 4, 5].map(idOf);
const ana = { user_id: 'ana', agent_id: 'cook', run_id: null };
const nobody = { user_id: null, agent_id: null, run_id: null };

const memory = (id: string | undefined, owner: object, outdated_by: string | null | undefined) => ({
  id,
  content: 'Tea.',
  ...owner,
  outdated_by: outdated_by ?? null,
});
const memoryEvent = (outdated_by: string | null | undefined, owner: object = ana) => ({
  type: 'memory.updated',
  data: memory(own, owner, outdated_by),
  previous_data: memory(own, owner, outdated_by),
});

/** Stored by a version without owners of events, in the order of their positions. */
const stored = [
  { type: 'memory.created', data: memory(own, ana, null), previous_data: null },
  { type: 'audio.uploaded', data: memory(own, ana, null), previous_data: null },
  memoryEvent(next),
  memoryEvent(bens),
  memoryEvent(erased),
  memoryEvent(bens, nobody),
  { type: 'memory.deleted', data: { id: own, soft: true }, previous_data: null },
  { type: 'memory.created', data: { id: own, erased: true }, previous_data: null },
  { type: 'relationship.created', data: { source_id: own, target_id: next }, previous_data: null },
];

describe.each(eachEngine())('rows from before owners of mail and events on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    const { engine } = test;
    await migrate(engine, migrations, { log: silentLog, upTo: 36 });
    for (const [id, user] of [
      [own, 'ana'],
      [next, 'ana'],
      [bens, 'ben'],
      [nobodys, null],
    ]) {
      await sql`
        insert into memories (account_id, id, content, content_type, tags, metadata, priority,
          is_pinned, protection_level, created_at, updated_at, user_id)
        values (${account}, ${id}, 'Tea.', 'text', '{}', '{}', 5, false, 'none', now(), now(),
          ${user})`.execute(engine.db);
    }
    for (const [n, { type, data, previous_data }] of stored.entries()) {
      await sql`
        insert into events (account_id, position, id, type, data, previous_data, created_at)
        values (${account}, ${n}, ${idOf(100 + n)}, ${type}, ${JSON.stringify(data)}::json,
          ${previous_data && JSON.stringify(previous_data)}::json, now())`.execute(engine.db);
    }
    for (const [n, status] of ['completed', 'rejected', 'received'].entries()) {
      await sql`
        insert into inbound_mails (account_id, id, message_key, thread, sender, envelope_sender,
          recipient, subject, status, raw_bytes, created_at, response_memory_id)
        values (${account}, ${idOf(200 + n)}, ${Buffer.from([n])}, '{}', 'ana@example.com', '', 'r',
          's', ${status}, 1, now(), ${status === 'completed' ? nobodys : null})`.execute(engine.db);
    }
    await migrate(engine, migrations, { log: silentLog });
  });
  afterAll(() => test.cleanup());

  it('have the owner of the memory that is the data of an event, and otherwise none', async () => {
    const rows = await test.engine.db
      .selectFrom('events')
      .selectAll()
      .orderBy('position')
      .execute();
    const owners = rows.map(({ user_id, agent_id, run_id }) => ({ user_id, agent_id, run_id }));
    expect(owners).toEqual([ana, ana, ana, ana, ana, nobody, nobody, nobody, nobody]);
  });

  it('show in outdated_by only a memory of the same user, and any if it is nobody', async () => {
    const rows = await test.engine.db
      .selectFrom('events')
      .selectAll()
      .orderBy('position')
      .execute();
    const shown = rows.map(({ type, data, previous_data }) => ({ type, data, previous_data }));
    const hidden = memoryEvent(null);
    expect(shown).toEqual([...stored.slice(0, 3), hidden, hidden, ...stored.slice(5)]);
  });

  it('are mails of nobody, as their memories are', async () => {
    const rows = await test.engine.db.selectFrom('inbound_mails').selectAll().execute();
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatchObject(nobody);
  });
});
