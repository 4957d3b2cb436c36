import type { MatchExplanation, Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import {
  day,
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from '../knowledge/scripted-extraction.ts';

const question = 'Where does Ana work?';

/** What a search says about the fact that is asked for, by id of the memory. */
async function factFeatures(
  client: Client,
  q: string,
  query: object = {},
): Promise<Map<string, number>> {
  const { results } = await client.search.post({ body: { q, explain: true, ...query } });
  const features = results.map(({ id, why_matched: why }) => [
    id,
    (why as MatchExplanation).features.fact ?? Number.NaN,
  ]);
  return new Map(features as [string, number][]);
}

describe.each(engines)('questions for facts on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  const order = async (client: Client, q: string, query: object = {}): Promise<string[]> =>
    (await client.search.post({ body: { q, ...query } })).results.map(({ id }) => id);

  /** Two employers of Ana, the later one first stated, in a text that matches less. */
  async function twoEmployers(account: ScriptedAccount): Promise<{ acme: Memory; globex: Memory }> {
    const globex = await account.remember(
      'person:Ana works_at organization:Globex from 2025 ; after the long search of last winter',
      { occurred_at: day(0) },
    );
    const acme = await account.remember('person:Ana works_at organization:Acme from 2020', {
      occurred_at: day(1),
    });
    return { acme, globex };
  }

  it('put the memory behind the fact that holds first, and explain it', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const tea = await account.remember('Ana drinks green tea at work.');
    expect((await order(account.client, question))[0]).toBe(globex.id);
    const features = await factFeatures(account.client, question);
    expect(features.get(globex.id)).toBeGreaterThan(0);
    expect(features.get(acme.id)).toBeLessThan(0);
    expect(features.get(tea.id)).toBe(0);
  });

  it('change nothing where no known fact of a named subject is asked for', async () => {
    const account = await openScriptedAccount(stage);
    await twoEmployers(account);
    for (const q of ['Where do I work?', 'Ana works', 'Where does Ben work?', 'Where is Acme?']) {
      const features = await factFeatures(account.client, q);
      expect([...features.values()], q).toEqual([0, 0]);
    }
  });

  it('find a person by first name, if only one has it', async () => {
    const account = await openScriptedAccount(stage);
    const ruiz = await account.remember('person:Ana_Ruiz works_at organization:Acme');
    expect((await factFeatures(account.client, question)).get(ruiz.id)).toBeGreaterThan(0);
    await account.remember('person:Ana_Ito works_at organization:Globex');
    expect((await factFeatures(account.client, question)).get(ruiz.id)).toBe(0);
    const ofOne = await factFeatures(account.client, 'Where does Ana Ruiz work?');
    expect(ofOne.get(ruiz.id)).toBeGreaterThan(0);
  });

  it('take people of several spaces who have the same full name for one', async () => {
    const account = await openScriptedAccount(stage);
    const { id: space_id } = await account.client.spaces.create({ body: { name: 'work' } });
    const text = 'person:Ana_Ruiz works_at organization:Acme';
    const own = await account.remember(text);
    const ofSpace = await account.remember(text, { space_id });
    const features = await factFeatures(account.client, question);
    expect(features.get(own.id)).toBeGreaterThan(0);
    expect(features.get(ofSpace.id)).toBeGreaterThan(0);
    const inSpace = await factFeatures(account.client, question, { space_id });
    expect([...inSpace.keys()]).toEqual([ofSpace.id]);
    expect(inSpace.get(ofSpace.id)).toBeGreaterThan(0);
  });

  it('prefer what holds to what begins later, and to what ends in time', async () => {
    const account = await openScriptedAccount(stage);
    const acme = await account.remember('person:Ana works_at organization:Acme from 2020 to 2027');
    const globex = await account.remember('person:Ana works_at organization:Globex from 2028');
    const features = await factFeatures(account.client, question);
    expect(features.get(acme.id)).toBeGreaterThan(0);
    expect(features.get(globex.id)).toBeLessThan(0);
    const later = await factFeatures(account.client, question, { as_of: '2027-06-01T00:00:00Z' });
    expect(later.get(acme.id)).toBeGreaterThan(0);
    const inGap = await factFeatures(account.client, question, { as_of: '2028-01-01T00:00:00Z' });
    expect(inGap.get(acme.id)).toBeLessThan(0);
    expect(inGap.get(globex.id)).toBeGreaterThan(0);
  });

  it('raise all that held in a period, and all that is meant by the past tense alone', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const initech = await account.remember('person:Ana works_at organization:Initech from 2024-05');
    for (const [q, held] of [
      ['Where did Ana work in 2024?', [acme, initech]],
      ['Where did Ana work in May 2023?', [acme]],
      ['Where did Ana work before 2025?', [acme, initech]],
      ['Where did Ana work?', [acme, initech, globex]],
    ] as const) {
      const features = await factFeatures(account.client, q);
      const raised = [...features].filter(([, value]) => value > 0).map(([id]) => id);
      expect(raised.toSorted(), q).toEqual(held.map(({ id }) => id).toSorted());
    }
  });

  it('prefer what held before where they are about the past', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    const q = 'Where did Ana work before?';
    const features = await factFeatures(account.client, q);
    expect(features.get(acme.id)).toBeGreaterThan(0);
    expect(features.get(globex.id)).toBe(0);
    expect((await order(account.client, q))[0]).toBe(acme.id);
  });

  it('prefer what held at a time that they name, or that as_of names', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    for (const [q, query] of [
      [question, { as_of: '2023-05-01T00:00:00Z' }],
      ['Where did Ana work in 2023?', {}],
    ] as const) {
      const features = await factFeatures(account.client, q, query);
      expect(features.get(acme.id), q).toBeGreaterThan(0);
      expect(features.get(globex.id), q).toBeLessThan(0);
    }
  });

  it('follow a fact that ends by the API, and is stated again', async () => {
    const account = await openScriptedAccount(stage);
    const { client, idOf } = account;
    const acme = await account.remember('person:Ana works_at organization:Acme', {
      occurred_at: day(-9),
    });
    const feature = async (): Promise<number> =>
      (await factFeatures(client, question)).get(acme.id) ?? Number.NaN;
    expect(await feature()).toBeGreaterThan(0);
    const [subject_id, object_id] = [await idOf('Ana'), await idOf('Acme')];
    const fact = { subject_id, object_id, predicate: 'works_at' };
    const ended = await client.knowledge.createFact({ body: { ...fact, valid_to: day(-1) } });
    expect(await feature()).toBeLessThan(0);
    await client.knowledge.removeFact({ params: { id: ended.id } });
    expect(await feature()).toBeLessThan(0);
    const past = await factFeatures(client, 'Where did Ana work before?');
    expect(past.get(acme.id)).toBeLessThan(0);
    await client.knowledge.createFact({ body: { ...fact, source_memory_id: acme.id } });
    expect(await feature()).toBeGreaterThan(0);
  });

  it('bring no memory before one with the words of the question', async () => {
    const account = await openScriptedAccount(stage);
    await twoEmployers(account);
    const exact = await account.remember(`They asked: ${question}`);
    expect((await order(account.client, question))[0]).toBe(exact.id);
  });

  it('know only the facts of memories that a key limited to spaces may see', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const acme = await account.remember('person:Ana works_at organization:Acme');
    const { id: space_id } = await client.spaces.create({ body: { name: 'secret' } });
    await account.remember('person:Ana works_at organization:Globex from 2026', { space_id });
    const { key } = await client.keys.create({
      body: { name: 'limited', scopes: ['search:read'], space_ids: ['default'] },
    });
    const features = await factFeatures(stage.service.client(key), question);
    expect(features.get(acme.id)).toBeGreaterThan(0);
  });

  it('know only the facts of memories that a token of one user may see', async () => {
    const account = await openScriptedAccount(stage);
    const { client, idOf } = account;
    const own = await account.remember('person:Ana works_at organization:Acme', { user_id: 'u1' });
    await account.remember('person:Ana works_at organization:Globex from 2026', { user_id: 'u2' });
    await account.remember('person:Ana works_at organization:Initech from 2026');
    const [subject_id, object_id] = [await idOf('Ana'), await idOf('Initech')];
    await client.knowledge.createFact({
      body: { subject_id, object_id, predicate: 'works_at', valid_from: day(-1) },
    });
    const { token } = await client.auth.createToken({ body: { user_id: 'u1' } });
    const ofUser = await factFeatures(stage.service.client(token), question);
    expect([...ofUser.keys()]).toEqual([own.id]);
    expect(ofUser.get(own.id)).toBeGreaterThan(0);
  });

  it('do not let the memories of one user end the facts of another', async () => {
    const account = await openScriptedAccount(stage);
    const own = await account.remember('person:Ana works_at organization:Acme', { user_id: 'u1' });
    const other = await account.remember('person:Ana works_at organization:Globex from 2026', {
      user_id: 'u2',
    });
    const features = await factFeatures(account.client, question);
    expect(features.get(own.id)).toBeGreaterThan(0);
    expect(features.get(other.id)).toBeGreaterThan(0);
  });

  it('know no namesake whom only memories that the caller may not see mention', async () => {
    const account = await openScriptedAccount(stage);
    const { client } = account;
    const ruiz = await account.remember('person:Ana_Ruiz works_at organization:Acme', {
      user_id: 'u1',
    });
    const { id: space_id } = await client.spaces.create({ body: { name: 'secret' } });
    const other = { space_id, user_id: 'u2' };
    await account.remember('person:Ana_Ito works_at organization:Globex', other);
    const { key } = await client.keys.create({
      body: { name: 'limited', scopes: ['search:read'], space_ids: ['default'] },
    });
    const { token } = await client.auth.createToken({ body: { user_id: 'u1' } });
    expect((await factFeatures(client, question)).get(ruiz.id)).toBe(0);
    for (const caller of [key, token]) {
      const features = await factFeatures(stage.service.client(caller), question);
      expect(features.get(ruiz.id)).toBeGreaterThan(0);
    }
    const ofUser = await factFeatures(client, question, { user_id: 'u1' });
    expect(ofUser.get(ruiz.id)).toBeGreaterThan(0);
  });

  it('forget the facts of a memory that has expired', async () => {
    const account = await openScriptedAccount(stage);
    const acme = await account.remember('person:Ana works_at organization:Acme from 2020');
    const expires_at = new Date(stage.clock.now().getTime() + 60_000).toISOString();
    await account.remember('person:Ana works_at organization:Globex from 2025', { expires_at });
    const feature = async (): Promise<number> =>
      (await factFeatures(account.client, question)).get(acme.id) ?? Number.NaN;
    expect(await feature()).toBeLessThan(0);
    stage.clock.advance(60_000);
    expect(await feature()).toBeGreaterThan(0);
  });

  it('forget the facts of a memory that is deleted', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    await account.client.memories.remove({ params: { id: globex.id } });
    // At once, and after the extraction has retracted what it stated.
    for (let i = 0; i < 2; i += 1) {
      const features = await factFeatures(account.client, question);
      expect([...features]).toEqual([[acme.id, expect.any(Number)]]);
      expect(features.get(acme.id)).toBeGreaterThan(0);
      await stage.extractAll();
    }
  });
});
