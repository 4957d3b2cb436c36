import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TextAnalyzer } from '../../../packages/server/src/providers/language/index.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { createFrozenClock } from '../sessions/session-requests.ts';
import { scriptedLanguage } from './scripted-extraction.ts';

const kind = 'knowledge.read_stored';
const texts = Array.from({ length: 70 }, (_, i) => `person:P${i} works_at organization:Acme`);

/** As the upgrade to knowledge leaves an account: all is stored, nothing is read, a job waits. */
describe.each(engines)('memories from before there was knowledge, on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let whileRead: (text: string) => Promise<void>;
  const language: TextAnalyzer = {
    ...scriptedLanguage,
    async extract(source) {
      await whileRead(source.text);
      return scriptedLanguage.extract(source);
    },
  };
  const run = (query: ReturnType<typeof sql>) =>
    query.execute(service.running.context.app.engine.db);
  const queue = (accountId: string) =>
    run(sql`
    insert into jobs (id, account_id, kind, payload, run_at, created_at)
    select gen_random_uuid(), account_id, ${kind},
      jsonb_build_object('after', null, 'last', max(id::text), 'rows', 0, 'expected', count(*)),
      max(created_at), max(created_at)
    from memories where account_id = ${accountId}::uuid group by account_id`);
  const jobs = async () =>
    (await run(sql`select status, progress from jobs where kind = ${kind}`)).rows;
  const logOf = async () => (await run(sql`select * from assertions order by id`)).rows;
  /** An account whose memories the reader has passed. */
  const stored = async (contents: readonly string[]) => {
    const { id, client } = await service.createAccount();
    for (let from = 0; from < contents.length; from += 50) {
      const memories = contents.slice(from, from + 50).map((content) => ({ content }));
      await client.memories.bulkCreate({ body: { memories } });
    }
    await run(sql`insert into extraction_cursors (account_id, cursor)
      select account_id, position from account_positions where account_id = ${id}::uuid`);
    await queue(id);
    return client;
  };
  const drain = async () => {
    clock.advance(60_000);
    await service.running.context.worker.drain();
  };

  beforeEach(async () => {
    whileRead = async () => {};
    clock = createFrozenClock();
    service = await startService(engine, { overrides: { clock, language } });
  });
  afterEach(() => service.stop());

  it('are read page by page, told of, and a second reading changes nothing', async () => {
    const client = await stored(texts);
    await drain();
    expect(await jobs()).toEqual([{ status: 'completed', progress: 1 }]);
    expect((await client.knowledge.entities({ query: { limit: 1 } })).total).toBe(71);
    expect(await listEvents(client, 'entity.extracted')).toHaveLength(70);
    const log = await logOf();
    expect(log).toHaveLength(70);
    await run(sql`update jobs set status = 'queued', finished_at = null,
      payload = payload || '{"after": null}' where kind = ${kind}`);
    await drain();
    expect(await logOf()).toEqual(log);
  });

  it('that change or are deleted while they are read are left to the reader', async () => {
    const client = await stored(['person:Ana knows person:Ben', 'person:Cy knows person:Di']);
    const { data } = await client.memories.list();
    const idOf = (part: string) => data.find(({ content }) => content.includes(part))?.id ?? '';
    whileRead = async (text) => {
      whileRead = async () => {};
      expect(text).toContain('Ana');
      const content = 'person:Eve knows person:Fay';
      await client.memories.update({ params: { id: idOf('Ana') }, body: { content } });
      await service.running.context.extractionWorker.drain();
      await client.memories.remove({ params: { id: idOf('Cy') } });
    };
    await drain();
    const names = async () =>
      (await client.knowledge.entities()).entities.map(({ name }) => name).sort();
    expect(await names()).toEqual(['Eve', 'Fay']);
    expect((await logOf()).map((row) => (row as { statement: string }).statement)).toEqual([
      'person:Eve knows person:Fay',
    ]);
  });

  it('of which one cannot be read keep no other from it', async () => {
    const client = await stored([...texts.slice(0, 20), 'person:Poison', ...texts.slice(20)]);
    whileRead = async (text) => {
      if (text.includes('Poison')) throw new Error('unreadable');
    };
    await drain();
    expect(await jobs()).toEqual([{ status: 'completed', progress: 1 }]);
    expect((await client.knowledge.entities({ query: { limit: 1 } })).total).toBe(71);
    const skipped = service.logLines.filter((line) => line.includes('memory skipped'));
    expect(skipped).toHaveLength(1);
  });
});
