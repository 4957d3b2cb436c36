import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import {
  day,
  dayMs,
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from '../knowledge/scripted-extraction.ts';
import { runVerification } from '../verify/run-verification.ts';

const acmeText = 'person:Ana works_at organization:Acme';
const globexText = 'person:Ana works_at organization:Globex ; since a long search last winter';
const question = 'Ana works';

describe.each(engines)('a memory whose facts have all ended, on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  const find = async (client: Client, q: string, query: object = {}) =>
    (await client.search.post({ body: { q, ...query } })).results.map((one) => ({
      id: one.id,
      outdatedBy: one.type === 'memory' ? one.outdated_by : null,
    }));
  const outdatedBy = async (client: Client, { id }: Memory): Promise<string | null> =>
    (await client.memories.get({ params: { id } })).outdated_by;
  const list = async (client: Client, outdated: boolean): Promise<string[]> =>
    (await client.memories.list({ query: { outdated } })).data.map(({ id }) => id).toSorted();

  /** The later statement has fewer words of the question. */
  async function twoEmployers(
    account: ScriptedAccount,
    fields: object = {},
  ): Promise<{ acme: Memory; globex: Memory }> {
    const acme = await account.remember(acmeText, { occurred_at: day(-9), ...fields });
    const globex = await account.remember(globexText, { occurred_at: day(-2), ...fields });
    return { acme, globex };
  }

  it('ranks behind the memory that states the current one, and names it', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    expect(await find(account.client, question)).toEqual([
      { id: globex.id, outdatedBy: null },
      { id: acme.id, outdatedBy: globex.id },
    ]);
    expect(await outdatedBy(account.client, acme)).toBe(globex.id);
    expect(await list(account.client, true)).toEqual([acme.id]);
    expect(await list(account.client, false)).toEqual([globex.id]);
  });

  it('names the end of the chain, of facts and of what supersedes', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const initech = await account.remember('person:Ana works_at organization:Initech', {
      occurred_at: day(-1),
    });
    expect(await outdatedBy(account.client, acme)).toBe(initech.id);
    expect(await outdatedBy(account.client, globex)).toBe(initech.id);
    const note = await account.remember('She is her own boss now.', { supersedes: [initech.id] });
    expect(await outdatedBy(account.client, acme)).toBe(note.id);
    const hits = await find(account.client, question);
    expect(hits.find(({ id }) => id === acme.id)?.outdatedBy).toBe(note.id);
  });

  it('is not one that states a fact that holds, or a fact without an end', async () => {
    const account = await openScriptedAccount(stage);
    const both = await account.remember(`${acmeText} ; person:Ana uses product:Vim`, {
      occurred_at: day(-9),
    });
    const uses = await account.remember('person:Ana uses product:Nano', { occurred_at: day(-8) });
    await account.remember(globexText, { occurred_at: day(-2) });
    expect(await outdatedBy(account.client, both)).toBeNull();
    expect(await outdatedBy(account.client, uses)).toBeNull();
    expect(await list(account.client, true)).toEqual([]);
    const left = await account.remember('person:Ana uses product:Vim to 2026-03-01');
    expect(await outdatedBy(account.client, both)).toBe(left.id);
  });

  it('is not one that tells the past on purpose', async () => {
    const account = await openScriptedAccount(stage);
    const fields = { occurred_at: day(-9) };
    const past = await account.remember(`${acmeText} from 2018 to 2020`, fields);
    const left = await account.remember('person:Ana works_at organization:Initech to 2025', fields);
    await account.remember(globexText, { occurred_at: day(-2) });
    const joined = await account.remember(`${acmeText} from 2017`, { occurred_at: day(-1) });
    for (const one of [past, left, joined]) {
      expect(await outdatedBy(account.client, one)).toBeNull();
    }
  });

  it('keeps its place for a question about the past, and stands first as of then', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const before = await find(account.client, 'Where was Ana before?');
    expect(before.map(({ id }) => id)).toEqual([acme.id, globex.id]);
    const then = await find(account.client, question, { as_of: day(-5) });
    expect(then.map(({ id }) => id)).toEqual([acme.id, globex.id]);
    const later = await find(account.client, question, { as_of: day(-1) });
    expect(later.map(({ id }) => id)).toEqual([globex.id, acme.id]);
  });

  it('hides nothing: results without superseded memories and recall have it, marked', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const found = await find(account.client, question, { include_superseded: false });
    expect(found.map(({ id }) => id)).toEqual([globex.id, acme.id]);
    const recalled = await account.client.search.recall({ body: { query: question } });
    const marks = recalled.memories.map(({ id, outdated_by }) => [id, outdated_by]);
    expect(Object.fromEntries(marks)).toEqual({ [globex.id]: null, [acme.id]: globex.id });
    expect(recalled.context).toContain(`outdated by [${globex.id}]`);
  });

  it('brings in no successor that does not answer nearly as well', async () => {
    const account = await openScriptedAccount(stage);
    const acme = await account.remember(`A secret recipe for quince jelly. ; ${acmeText}`, {
      occurred_at: day(-9),
    });
    const globex = await account.remember('person:Ana works_at organization:Globex', {
      occurred_at: day(-2),
    });
    const hits = await find(account.client, 'secret recipe for quince jelly');
    expect(hits[0]).toEqual({ id: acme.id, outdatedBy: globex.id });
  });

  it('is not outdated by another owner, another space, or an entry by hand', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const own = await account.remember(acmeText, { occurred_at: day(-9), user_id: 'u1' });
    await account.remember(globexText, { occurred_at: day(-2), user_id: 'u2' });
    await account.remember(globexText, { occurred_at: day(-2), user_id: 'u1', agent_id: 'a' });
    await account.remember(globexText, { occurred_at: day(-2) });
    const { id: space_id } = await client.spaces.create({ body: { name: 'other' } });
    await account.remember(globexText, { occurred_at: day(-2), user_id: 'u1', space_id });
    const [subject_id, object_id] = [await account.idOf('Ana'), await account.idOf('Globex')];
    await client.knowledge.createFact({
      body: { subject_id, object_id, predicate: 'works_at', valid_from: day(-3) },
    });
    expect(await outdatedBy(client, own)).toBeNull();
    const globex = await account.remember(`${globexText}!`, { user_id: 'u1' });
    expect(await outdatedBy(client, own)).toBe(globex.id);
    const { token } = await client.auth.createToken({ body: { user_id: 'u1' } });
    expect(await outdatedBy(stage.service.client(token), own)).toBe(globex.id);
  });

  it('is not outdated by what it supersedes', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const { acme, globex } = await twoEmployers(account);
    const supersede = (newer: Memory, older: Memory) =>
      client.relationships.create({
        params: { memoryId: newer.id },
        body: { target_id: older.id, relationship_type: 'supersedes' },
      });
    await supersede(acme, globex);
    expect(await outdatedBy(client, globex)).toBe(acme.id);
    expect(await outdatedBy(client, acme)).toBeNull();
    expect(await list(client, true)).toEqual([globex.id]);
    expect(await find(client, question)).toEqual([
      { id: acme.id, outdatedBy: null },
      { id: globex.id, outdatedBy: acme.id },
    ]);
    const params = { sourceId: acme.id, targetId: globex.id, type: 'supersedes' };
    await client.relationships.remove({ params });
    const note = await account.remember('She told a joke.', { supersedes: [globex.id] });
    await supersede(acme, note);
    expect(await outdatedBy(client, globex)).toBe(acme.id);
    expect(await outdatedBy(client, note)).toBe(acme.id);
    expect(await outdatedBy(client, acme)).toBeNull();
    const hits = await find(client, question);
    expect(hits.find(({ id }) => id === globex.id)?.outdatedBy).toBe(acme.id);
  });

  it('is not a protected one, as long as it is protected', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const { acme, globex } = await twoEmployers(account);
    const protect = (protection_level: 'none' | 'soft' | 'hard') =>
      client.memories.protect({ params: { id: acme.id }, body: { protection_level } });
    await protect('hard');
    expect(await outdatedBy(client, acme)).toBeNull();
    expect(await list(client, true)).toEqual([]);
    expect((await find(client, question))[0]).toEqual({ id: acme.id, outdatedBy: null });
    await account.remember('person:Ana works_at organization:Initech', { occurred_at: day(-1) });
    expect(await outdatedBy(client, acme)).toBeNull();
    const faults = { faults: [], outdated: 0 };
    expect(await runVerification(stage.service, { account_id: account.id })).toMatchObject(faults);
    await protect('soft');
    expect(await outdatedBy(client, acme)).toBeNull();
    await protect('none');
    expect(await outdatedBy(client, acme)).not.toBeNull();
    expect((await find(client, question)).map(({ id }) => id)).not.toEqual([acme.id, globex.id]);
    expect(await runVerification(stage.service, { account_id: account.id })).toMatchObject(faults);
  });

  it('is not outdated by a mail of an unverified sender, until a caller confirms it', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const { acme, globex } = await twoEmployers(account, {
      metadata: { source: 'email', email_verified: false },
    });
    const own = await account.remember(`${acmeText} !`, { occurred_at: day(-8) });
    expect(await outdatedBy(client, own)).toBeNull();
    const verify = async (email_verified: boolean) => {
      const body = { metadata: { email_verified } };
      await client.memories.update({ params: { id: globex.id }, body });
      await stage.extractAll();
    };
    await verify(true);
    expect(await outdatedBy(client, own)).toBe(globex.id);
    expect(await outdatedBy(client, acme)).toBeNull();
    await verify(false);
    expect(await outdatedBy(client, own)).toBeNull();
  });

  it('is current again once what outdates it is deleted, changed or retracted', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const { acme, globex } = await twoEmployers(account);
    const params = { id: globex.id };
    await client.memories.remove({ params, query: { soft: true } });
    // At once, and after the extraction has retracted what it stated.
    expect(await outdatedBy(client, acme)).toBeNull();
    await stage.extractAll();
    expect(await outdatedBy(client, acme)).toBeNull();
    await client.memories.restore({ params });
    await stage.extractAll();
    expect(await outdatedBy(client, acme)).toBe(globex.id);
    await client.memories.update({ params, body: { content: 'A quiet day.' } });
    await stage.extractAll();
    expect(await outdatedBy(client, acme)).toBeNull();
    expect((await find(client, question))[0]).toEqual({ id: acme.id, outdatedBy: null });
    await client.memories.update({ params, body: { content: globexText } });
    await stage.extractAll();
    const { facts } = await client.knowledge.facts({
      params: { id: await account.idOf('Ana') },
      query: {},
    });
    const stated = facts.find(({ source_memory_ids: ids }) => ids.includes(globex.id));
    await client.knowledge.removeFact({ params: { id: stated?.id ?? '' } });
    expect(await outdatedBy(client, acme)).toBeNull();
  });

  it('is found among what was stored before there were marks, by a job', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const { worker, app } = stage.service.running.context;
    const run = (query: ReturnType<typeof sql>) => query.execute(app.engine.db);
    const ofAccount = sql`where account_id = ${account.id}::uuid`;
    await run(sql`update assertions set ended_at = null, ended_by = null ${ofAccount}`);
    await run(sql`update documents set facts_ended_at = null, facts_ended_by = '{}' ${ofAccount}`);
    expect(await outdatedBy(account.client, acme)).toBeNull();
    const body = { account_id: account.id };
    expect(await runVerification(stage.service, body)).toMatchObject({ faults: [], outdated: 1 });
    await run(sql`insert into jobs (id, account_id, kind, payload, run_at, created_at)
      select gen_random_uuid(), account_id, 'knowledge.mark_ended',
        jsonb_build_object('after', null), max(recorded_at), max(recorded_at)
      from assertions ${ofAccount} group by account_id`);
    await worker.drain();
    expect(await outdatedBy(account.client, acme)).toBe(globex.id);
    expect(await runVerification(stage.service, body)).toMatchObject({ faults: [], outdated: 0 });
  });

  it('is current again once what outdates it is erased', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    await account.client.memories.remove({ params: { id: globex.id }, query: { soft: false } });
    expect(await outdatedBy(account.client, acme)).toBeNull();
    expect(await list(account.client, true)).toEqual([]);
  });

  it('follows a merge of the subjects', async () => {
    const account = await openScriptedAccount(stage);
    const acme = await account.remember('person:Ana_Ruiz works_at organization:Acme', {
      occurred_at: day(-9),
    });
    const globex = await account.remember('person:A_R works_at organization:Globex', {
      occurred_at: day(-2),
    });
    expect(await outdatedBy(account.client, acme)).toBeNull();
    const [target_id, source_id] = [await account.idOf('Ana Ruiz'), await account.idOf('A R')];
    await account.client.knowledge.merge({ body: { source_id, target_id } });
    expect(await outdatedBy(account.client, acme)).toBe(globex.id);
  });

  it('counts from the moment at which its fact ends', async () => {
    const account = await openScriptedAccount(stage);
    const acme = await account.remember(acmeText);
    const globex = await account.remember(
      'person:Ana works_at organization:Globex from 2026-03-04',
    );
    const state = async () => [
      await outdatedBy(account.client, acme),
      await list(account.client, true),
      (await find(account.client, question)).find(({ id }) => id === acme.id)?.outdatedBy,
    ];
    expect(await state()).toEqual([null, [], null]);
    // Last in this file: the clock of all its accounts.
    stage.clock.advance(3 * dayMs);
    expect(await state()).toEqual([globex.id, [acme.id], globex.id]);
  });
});
