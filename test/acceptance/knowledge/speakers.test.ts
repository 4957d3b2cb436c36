import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError } from '../memories/memory-requests.ts';
import { createFrozenClock } from '../sessions/session-requests.ts';
import { runVerification, summarizeInconsistencies } from '../verify/run-verification.ts';

describe.each(engines)('what people say of themselves, on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  beforeAll(async () => {
    clock = createFrozenClock();
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const drain = () => service.running.context.extractionWorker.drain();
  const openAccount = async () => {
    const { client, id } = await service.createAccount();
    const remember = async (content: string, fields: object = {}): Promise<Memory> => {
      clock.advance(60_000);
      const memory = await client.memories.create({ body: { content, ...fields } });
      await drain();
      return memory;
    };
    return { accountId: id, client, remember };
  };
  const people = async (by: Client, query: object = {}) =>
    (await by.knowledge.entities({ query: { type: 'person', ...query } })).entities;
  const idOf = async (by: Client, name: string, query: object = {}): Promise<string> =>
    (await people(by, query)).find((one) => one.name === name)?.id ?? '';
  /** Facts of now about a person with this name. */
  const factsOf = async (by: Client, name: string, query: object = {}): Promise<string[]> => {
    const params = { id: await idOf(by, name, query) };
    const as_of = clock.now().toISOString();
    const { facts } = await by.knowledge.facts({ params, query: { as_of } });
    return facts.map((one) => `${one.predicate} ${one.object_value}`).toSorted();
  };
  const expectConsistent = async (account_id: string): Promise<void> =>
    expect(summarizeInconsistencies(await runVerification(service, { account_id }))).toEqual([]);

  it('are facts of their user_id, or of the account where a memory has none', async () => {
    const { client, remember } = await openAccount();
    await remember('I live in Lisbon with my partner Tom.', { user_id: 'ana' });
    await remember("I'm allergic to peanuts.", { user_id: 'ana' });
    await remember('I live in Porto.', { user_id: 'ben' });
    await remember('My birthday is 14 March.');
    expect(await factsOf(client, 'ana')).toEqual([
      'allergic_to peanuts',
      'lives_in Lisbon',
      'partner_of Tom',
    ]);
    expect(await factsOf(client, 'ben')).toEqual(['lives_in Porto']);
    expect(await factsOf(client, 'user')).toEqual(['birthday 14 March']);
    const entity = await client.knowledge.get({ params: { id: await idOf(client, 'ana') } });
    expect(entity).toMatchObject({ type: 'person', fact_count: 3 });
  });

  it('are shown to the token of a user as its own memories tell them', async () => {
    const { client, remember } = await openAccount();
    await remember('I live in Lisbon.', { user_id: 'ana' });
    await remember('I live in Porto.', { user_id: 'ben' });
    await remember('I live in Lyon.');
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const ana = service.client(token);
    expect((await people(ana)).map(({ name }) => name)).toEqual(['ana']);
    expect(await factsOf(ana, 'ana')).toEqual(['lives_in Lisbon']);
    const id = await idOf(client, 'ben');
    expect(await expectError(ana.knowledge.get({ params: { id } }))).toMatchObject({ status: 404 });
  });

  it('are facts of the person who speaks a turn that belongs to no user', async () => {
    const { client, remember } = await openAccount();
    const metadata = { role: 'user', speaker: 'Ana Ruiz' };
    await remember('I work at Acme Corp as a nurse.', { metadata });
    await remember('Ana Ruiz uses Redis.');
    const facts = await factsOf(client, 'Ana Ruiz');
    expect(facts).toEqual(['job_title nurse', 'uses Redis', 'works_at Acme Corp']);
    await remember('I own a canoe.', { metadata, user_id: 'ana' });
    expect(await factsOf(client, 'Ana Ruiz')).toEqual(facts);
  });

  it('are taken from what others say of "the user", too', async () => {
    const { client, remember } = await openAccount();
    await remember('I live in Rome. The user prefers short answers.', {
      user_id: 'ana',
      metadata: { role: 'assistant' },
    });
    await remember('User is allergic to shellfish and works at Novartis.', { user_id: 'ana' });
    expect(await factsOf(client, 'ana')).toEqual([
      'allergic_to shellfish',
      'prefers short answers',
      'works_at Novartis',
    ]);
    await remember('The user lives in Munich.');
    expect(await factsOf(client, 'user')).toEqual(['lives_in Munich']);
  });

  it.each([
    ['a machine', 'I live in Oslo.', { metadata: { role: 'assistant' } }],
    ['a mail', 'I live in Oslo.', { metadata: { source: 'email' } }],
    ['a page', 'I live in Oslo.', { type: 'url' }],
    ['a quotation', '> I live in Oslo.', {}],
    ['a question', 'Do I live in Oslo?', {}],
  ])('are not taken from what %s says', async (_, content, fields) => {
    const { client, remember } = await openAccount();
    await remember(content, { user_id: 'ana', ...fields });
    expect((await people(client)).map(({ name }) => name)).toEqual([]);
  });

  it('end when the same person says what holds now', async () => {
    const { client, remember } = await openAccount();
    const old = await remember('I live in Lisbon.', { user_id: 'ana' });
    await remember('I live in Lisbon.', { user_id: 'ben' });
    const now = await remember('I moved to Berlin last week.', { user_id: 'ana' });
    await remember('I use Slack at work.', { user_id: 'ana' });
    await remember('I stopped using Slack.', { user_id: 'ana' });
    expect(await factsOf(client, 'ana')).toEqual(['lives_in Berlin']);
    expect(await factsOf(client, 'ben')).toEqual(['lives_in Lisbon']);
    const { outdated_by } = await client.memories.get({ params: { id: old.id } });
    expect(outdated_by).toBe(now.id);
  });

  it('have an entity of each space', async () => {
    const { client, accountId, remember } = await openAccount();
    const { id: space_id } = await client.spaces.create({ body: { name: 'work' } });
    await remember('I live in Lisbon.', { user_id: 'ana' });
    const moved = await remember('I work at Acme.', { user_id: 'ana', space_id });
    expect(await factsOf(client, 'ana', { space_id })).toEqual(['works_at Acme']);
    expect(await factsOf(client, 'ana', { space_id: 'null' })).toEqual(['lives_in Lisbon']);
    await client.memories.update({ params: { id: moved.id }, body: { space_id: null } });
    await drain();
    expect(await people(client, { space_id })).toEqual([]);
    expect(await factsOf(client, 'ana')).toEqual(['lives_in Lisbon', 'works_at Acme']);
    await expectConsistent(accountId);
  });

  it('go to the person whom their entity was merged into', async () => {
    const { client, accountId, remember } = await openAccount();
    await remember('I live in Lisbon.', { user_id: 'ana' });
    await remember('Ana Ruiz uses Redis.');
    const [source_id, target_id] = [await idOf(client, 'ana'), await idOf(client, 'Ana Ruiz')];
    await client.knowledge.merge({ body: { source_id, target_id } });
    await remember("I'm allergic to nuts.", { user_id: 'ana' });
    expect((await people(client)).map(({ name }) => name)).toEqual(['Ana Ruiz']);
    const merged = ['allergic_to nuts', 'lives_in Lisbon', 'uses Redis'];
    expect(await factsOf(client, 'Ana Ruiz')).toEqual(merged);
    await expectConsistent(accountId);
  });

  it('are kept apart from a person of the same name, and keep a corrected name', async () => {
    const { client, accountId, remember } = await openAccount();
    await remember('Ana works at Globex.');
    await remember('I live in Lisbon.', { user_id: 'Ana' });
    const { entities: found } = await client.knowledge.entities({ query: { user_id: 'Ana' } });
    const id = found.find(({ name }) => name === 'Ana')?.id ?? '';
    expect((await people(client)).map(({ name }) => name)).toEqual(['Ana', 'Ana']);
    const params = { id };
    await client.knowledge.update({ params, body: { name: 'Ana of Lisbon' } });
    await remember('I own a canoe.', { user_id: 'Ana' });
    expect(await factsOf(client, 'Ana of Lisbon')).toEqual(['lives_in Lisbon', 'owns canoe']);
    expect(await factsOf(client, 'Ana')).toEqual(['works_at Globex']);
    await expectConsistent(accountId);
  });

  it('vanish with the memories of their user, and come again with new ones', async () => {
    const { client, accountId, remember } = await openAccount();
    await remember('I live in Lisbon.', { user_id: 'ana' });
    await remember('I live in Porto.', { user_id: 'ben' });
    const filter = { user_id: 'ana' };
    const dry = await client.memories.erase({ body: { filter, dry_run: true } });
    if (!('token' in dry)) throw new Error('a dry run has no token');
    await client.memories.erase({ body: { filter, token: dry.token } });
    await service.running.context.worker.drain();
    expect((await people(client)).map(({ name }) => name)).toEqual(['ben']);
    const { rows } = await sql`select id from entities
      where account_id = ${accountId}::uuid and speaker = 'user:ana'`.execute(
      service.running.context.app.engine.db,
    );
    expect(rows).toEqual([]);
    await remember('I live in Rome.', { user_id: 'ana' });
    expect(await factsOf(client, 'ana')).toEqual(['lives_in Rome']);
    await expectConsistent(accountId);
  });

  it('are those of the same entity again if facts about it were entered by hand', async () => {
    const { client, accountId, remember } = await openAccount();
    const { id } = await remember('I live in Lisbon.', { user_id: 'ana' });
    const subject_id = await idOf(client, 'ana');
    const said = { subject_id, predicate: 'likes', object_value: 'tea' };
    await client.knowledge.createFact({ body: said });
    await client.memories.remove({ params: { id } });
    expect(await factsOf(client, 'ana')).toEqual(['likes tea']);
    await expectConsistent(accountId);
    await remember('I live in Rome.', { user_id: 'ana' });
    expect(await factsOf(client, 'ana')).toEqual(['likes tea', 'lives_in Rome']);
    expect(await people(client)).toHaveLength(1);
    await expectConsistent(accountId);
  });

  it('leave a merged entity what others say of it, and no key', async () => {
    const { client, accountId, remember } = await openAccount();
    const own = await remember('I live in Lisbon.', { user_id: 'ana' });
    await remember('Ana Ruiz uses Redis.');
    const [source_id, target_id] = [await idOf(client, 'Ana Ruiz'), await idOf(client, 'ana')];
    await client.knowledge.merge({ body: { source_id, target_id } });
    await client.memories.remove({ params: { id: own.id } });
    expect(await factsOf(client, 'Ana Ruiz')).toEqual(['uses Redis']);
    await expectConsistent(accountId);
    await remember('I live in Rome.', { user_id: 'ana' });
    await remember('Ana Ruiz works at Acme.');
    expect(await factsOf(client, 'ana')).toEqual(['lives_in Rome']);
    expect(await factsOf(client, 'Ana Ruiz')).toEqual(['uses Redis', 'works_at Acme']);
    await expectConsistent(accountId);
  });

  it('are read of memories from before there were speakers', async () => {
    const { client, accountId } = await openAccount();
    const { db } = service.running.context.app.engine;
    const contents = ['I live in Lisbon.', 'Ana Ruiz uses Redis.', 'I own a canoe.'];
    for (const content of contents) {
      await client.memories.create({ body: { content, user_id: 'ana' } });
    }
    // The extraction of the version before has passed them.
    await sql`insert into extraction_cursors (account_id, cursor)
      select account_id, position from account_positions where account_id = ${accountId}::uuid
      on conflict (account_id) do update set cursor = excluded.cursor`.execute(db);
    await sql`insert into jobs (id, account_id, kind, payload, run_at, created_at)
      select gen_random_uuid(), account_id, 'knowledge.read_speakers',
        jsonb_build_object('after', null, 'last', max(id::text), 'rows', 0, 'expected', count(*)),
        max(created_at), max(created_at)
      from memories where account_id = ${accountId}::uuid group by account_id`.execute(db);
    clock.advance(60_000);
    await service.running.context.worker.drain();
    expect(await factsOf(client, 'ana')).toEqual(['lives_in Lisbon', 'owns canoe']);
    expect(await idOf(client, 'Ana Ruiz')).toBe('');
    await expectConsistent(accountId);
  });

  describe('in questions', () => {
    const firstOf = async (by: Client, q: string, query: object = {}) => {
      const [first] = (await by.search.post({ body: { q, ...query } })).results;
      return first?.type === 'memory' ? first.content : null;
    };

    const told = [
      'I live in Porto.',
      'I work as a cook.',
      'My boss is Oliver Grey.',
      'My sister is allergic to cats.',
      'I live in Lisbon.',
      'I work as a grid planner.',
      'I report to Helena Koch.',
      'I am allergic to peanuts.',
    ];
    let client: Client;
    beforeAll(async () => {
      const account = await openAccount();
      ({ client } = account);
      for (const content of told) {
        for (const user_id of [undefined, 'ana', 'ben'])
          await account.remember(content, { user_id });
      }
    });

    it.each([
      ['Where do I live?', 'I live in Lisbon.'],
      ['what is my job', 'I work as a grid planner.'],
      ['Who is my boss?', 'I report to Helena Koch.'],
      ['What am I allergic to?', 'I am allergic to peanuts.'],
      ['Where does the user live?', 'I live in Lisbon.'],
    ])('lift the memory behind the current fact: %j', async (question, expected) => {
      expect(await firstOf(client, question, { user_id: 'ana' })).toBe(expected);
      const { token } = await client.auth.createToken({ body: { user_id: 'ben' } });
      expect(await firstOf(service.client(token), question)).toBe(expected);
      const { results } = await client.search.post({ body: { q: question } });
      const ofNobody = results.find((one) => one.type === 'memory' && one.user_id === null);
      expect(ofNobody).toMatchObject({ content: expected });
    });

    it('of one user take nothing from what another says', async () => {
      const other = await openAccount();
      const own = await other.remember('I live in Lisbon.', { user_id: 'ana' });
      await other.remember('I live in Porto.', { user_id: 'ben' });
      const body = { q: 'Where do I live?', explain: true };
      const liftedFor = async (user_id?: string): Promise<string[]> => {
        const { results } = await other.client.search.post({ body: { ...body, user_id } });
        return results.flatMap(({ id, why_matched }) =>
          ((why_matched as { features?: { fact?: number } }).features?.fact ?? 0) > 0 ? [id] : [],
        );
      };
      expect(await liftedFor('ana')).toEqual([own.id]);
      // The account's own user has said nothing.
      expect(await liftedFor()).toEqual([]);
    });
  });
});
