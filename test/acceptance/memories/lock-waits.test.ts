import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { countBlockedBy } from '../../support/blocked-transactions.ts';
import { eventually } from '../../support/eventually.ts';
import { engines, serverEngine, startService } from '../../support/service.ts';
import { createMemory, expectError } from './memory-requests.ts';

/** The embedded engine has one transaction at a time: nobody meets another's there. */
const onServer = engines.includes(serverEngine);

describe.runIf(onServer).each([serverEngine] as const)('a memory of a session on %s', (engine) => {
  it.each(['restored', 'softly deleted'] as const)(
    'that is to be %s and waits for the session holds up nobody who stores in it',
    async (change) => {
      const service = await startService(engine);
      try {
        const { id: accountId, client } = await service.createAccount();
        const session = await client.cliSessions.create({ body: { name: 'talk' } });
        const { id } = await createMemory(client, 'said before', { session_id: session.id });
        const remove = () => client.memories.remove({ params: { id }, query: { soft: true } });
        if (change === 'restored') await remove();
        let changing: Promise<unknown> = Promise.resolve();
        await service.running.context.app.engine.transaction(async (tx) => {
          // Shorter than it takes PostgreSQL to look for a deadlock, which would hide who waits.
          await sql`set local lock_timeout = '500ms'`.execute(tx);
          await sql`select from cli_sessions
            where account_id = ${accountId}::uuid and id = ${session.id}::uuid for update`.execute(
            tx,
          );
          changing =
            change === 'restored'
              ? expectError(client.memories.restore({ params: { id } }))
              : remove().then(() => null);
          await eventually(() => countBlockedBy(tx), Boolean);
          await sql`
            insert into memories (account_id, id, session_id, content, content_type, content_hash,
              tags, metadata, priority, is_pinned, protection_level, created_at, updated_at)
            select account_id, ${randomUUID()}::uuid, session_id, content, content_type,
              content_hash, tags, metadata, priority, is_pinned, protection_level, created_at,
              updated_at
            from memories where account_id = ${accountId}::uuid and id = ${id}::uuid
            on conflict do nothing`.execute(tx);
        });
        const outcome = (await changing) as { code?: string } | null;
        expect(outcome?.code).toBe(change === 'restored' ? 'duplicate_memory' : undefined);
      } finally {
        await service.stop();
      }
    },
  );
});
