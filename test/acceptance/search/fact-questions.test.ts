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

  it('forget the facts of a memory that is deleted', async () => {
    const account = await openScriptedAccount(stage);
    const { acme, globex } = await twoEmployers(account);
    await account.client.memories.remove({ params: { id: globex.id } });
    await stage.extractAll();
    const features = await factFeatures(account.client, question);
    expect([...features]).toEqual([[acme.id, expect.any(Number)]]);
    expect(features.get(acme.id)).toBeGreaterThan(0);
  });
});
