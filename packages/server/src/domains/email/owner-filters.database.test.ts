import { fileURLToPath } from 'node:url';
import type { OwnerFilter } from '@mneme/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { eachEngine, explaining, type TestEngine } from '../../database/testing.ts';
import { listMails } from './inbound/store/mails.ts';
import { listOutboundRows } from './outbound/store/outbound-mails.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const account = '00000000-0000-7000-8000-000000000001';
const mailCount = 20_000;
const ownCount = mailCount / 1_000;

/** One of 1,000 mails, and the reply to it, is of Ana; one of two has a reply. */
const insertMails = sql`
  insert into inbound_mails
    (account_id, id, message_key, thread, sender, envelope_sender, recipient, subject, status,
      raw_bytes, created_at, user_id, agent_id, run_id)
  select ${account}::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
    sha256(n::text::bytea), '{}', 'a@example.com', '', 'r@example.com', 's', 'completed', 1,
    now() - n * interval '1 second',
    case when n % 1000 = 0 then 'ana' else 'user' || n % 500 end,
    case when n % 1000 = 0 then 'cook' else 'agent' end,
    case when n % 1000 = 0 then 'r1' end
  from generate_series(1, ${mailCount}::int) as n`;
const insertReplies = sql`
  insert into outbound_mails
    (account_id, id, kind, mail_id, sender, recipient, message_id, subject, text, headers, status,
      created_at)
  select account_id, gen_random_uuid(), 'answer', id, 's', 'a@example.com', id::text, 's', '', '{}',
    'sent', created_at
  from inbound_mails where right(id::text, 1) in ('0', '2', '4', '6', '8')`;

describe.each(eachEngine({ migrations }))('mails of one owner among many on $name', ({ open }) => {
  let test: TestEngine;
  beforeAll(async () => {
    test = await open();
    // Autovacuum would write statistics of an empty table while the insertion has not ended.
    await sql`alter table inbound_mails set (autovacuum_enabled = off)`.execute(test.engine.db);
    await insertMails.execute(test.engine.db);
    await insertReplies.execute(test.engine.db);
  });
  afterAll(() => test.cleanup());

  const owners: readonly (readonly [string, OwnerFilter])[] = [
    ['user_id', { user_id: 'ana' }],
    ['agent_id', { agent_id: 'cook' }],
    ['run_id', { run_id: 'r1' }],
    ['user_id', { user_id: 'nobody' }],
  ];

  it.each(owners)(
    'are read by the index of %s, with statistics and without: %o',
    async (_, owner) => {
      const [name = ''] = Object.keys(owner);
      const filter = { status: undefined, visible: null, owner };
      for (const statement of [sql`select 1`, sql`analyze inbound_mails`]) {
        await statement.execute(test.engine.db);
        const { text, rowsRead } = await explaining(test.engine.db, (db) =>
          listMails(db, account, filter, { limit: 50, offset: 0 }),
        );
        expect(text).toContain(`using inbound_mails_${name.replace('_id', '')} `);
        expect(text).not.toMatch(/Seq Scan|Sort/);
        // The page, and the count of all.
        expect(rowsRead).toBeLessThanOrEqual(2 * ownCount);
      }
    },
  );

  it.runIf(isAvailable('valuesInPlans')).each(owners)(
    'have replies that are found from them: %s, %o',
    async (_, owner) => {
      await sql`analyze inbound_mails, outbound_mails`.execute(test.engine.db);
      const filter = {
        owner,
        status: undefined,
        recipient: undefined,
        visible: null,
        before: null,
      };
      const { text, rowsRead } = await explaining(test.engine.db, (db) =>
        listOutboundRows(db, account, { ...filter, limit: 51 }),
      );
      expect(text).toContain('outbound_mails_replies');
      expect(text).not.toContain('Seq Scan');
      expect(rowsRead).toBeLessThanOrEqual(2 * ownCount);
    },
  );
});
