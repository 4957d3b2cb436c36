import { allRoutes } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectedError } from '../contract/example-data.ts';
import { createForm, errorCodeOf, parseJson, uploadForm } from '../media/http-requests.ts';
import { absentId, createMemory, expectError, idsOf } from '../memories/memory-requests.ts';
import { decisions } from './user-token-decisions.ts';

const deniedUser = { status: 403, code: 'user_access_denied' };
const unknownMemory = { status: 404, code: 'memory_not_found' };
const called = allRoutes.filter(({ access }) => access !== 'public');
const refused = called
  .filter(({ id }) => decisions[id] === 'refused')
  .map((route) => [route.id, route] as const);

describe('routes for tokens of one user', () => {
  it('have a decision each: filtered or refused', () => {
    expect(Object.keys(decisions).toSorted()).toEqual(called.map(({ id }) => id).toSorted());
  });
});

describe.each(engines)('a token of one user on %s', (engine) => {
  let service: Service;
  let whole: Client;
  let ana: Client;
  let ben: Client;
  /** Ids of memories: two of Ana, two of Ben, one of nobody. */
  let own: string;
  let other: string;
  let bens: string;
  let bens2: string;
  let nobodys: string;

  const tokenFor = async (user_id: string): Promise<Client> => {
    const { token } = await whole.auth.createToken({ body: { user_id } });
    return service.client(token);
  };
  beforeAll(async () => {
    service = await startService(engine);
    ({ client: whole } = await service.createAccount());
    [ana, ben] = [await tokenFor('ana'), await tokenFor('ben')];
    const tags = ['drink'];
    own = (await createMemory(ana, 'Ana drinks green tea every morning.', { tags })).id;
    other = (await createMemory(ana, 'Ana drinks black tea at night.', { tags })).id;
    bens = (await createMemory(ben, 'Ben drinks secret tea every morning.', { tags })).id;
    bens2 = (await createMemory(ben, 'Ben drinks another secret tea.', { tags })).id;
    nobodys = (await createMemory(whole, 'Somebody drinks secret tea.', { tags })).id;
  });
  afterAll(() => service.stop());

  it('says whom it is limited to, and writes only in the name of that user', async () => {
    const issued = await whole.auth.createToken({ body: { user_id: 'ana' } });
    expect(issued).toMatchObject({ user_id: 'ana' });
    expect(await whole.auth.createToken({})).toMatchObject({ user_id: null });
    const { data } = await whole.auth.listTokens({});
    expect(data.find(({ id }) => id === issued.id)).toMatchObject({ user_id: 'ana' });
    const client = service.client(issued.token);
    const unnamed = await createMemory(client, 'A new note.');
    expect(unnamed).toMatchObject({ user_id: 'ana' });
    const named = await createMemory(client, 'A second note.', { user_id: 'ana', agent_id: 'a' });
    expect(named).toMatchObject({ user_id: 'ana', agent_id: 'a' });
    const { memories } = await client.memories.bulkCreate({
      body: { memories: [{ content: 'In bulk.' }] },
    });
    expect(memories).toMatchObject([{ user_id: 'ana' }]);
    const file = { filename: 'note.txt' };
    const upload = (fields: Record<string, string>) =>
      uploadForm(
        { url: service.url, key: issued.token },
        createForm(Buffer.from(`A file ${JSON.stringify(fields)}.`), fields, file),
      );
    const uploaded = parseJson(await upload({}));
    expect(uploaded).toMatchObject({ user_id: 'ana' });
    expect(errorCodeOf(await upload({ user_id: 'ben' }))).toBe('user_access_denied');
    for (const { id } of [...memories, named, unnamed, uploaded])
      await client.memories.remove({ params: { id } });
  });

  it('sees only itself among tokens, revokes only itself, and makes no other one', async () => {
    const { token, id } = await whole.auth.createToken({ body: { user_id: 'ana' } });
    const another = await whole.auth.createToken({});
    const client = service.client(token);
    expect((await client.auth.listTokens({})).data).toMatchObject([{ id }]);
    const refusal = client.auth.createToken({ body: { user_id: 'ana' } });
    await expect(refusal).rejects.toMatchObject(deniedUser);
    const revoked = client.auth.revokeToken({ params: { id: another.id } });
    await expect(revoked).rejects.toMatchObject({ status: 404 });
    await client.auth.revokeToken({ params: { id } });
    await expect(client.memories.list({})).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('refuses another user in a body and in a filter: 403 user_access_denied', async () => {
    const user_id = 'ben';
    const query = { user_id, q: 'tea' };
    const attempts: (() => Promise<unknown>)[] = [
      () => createMemory(ana, 'For Ben.', { user_id }),
      () => ana.memories.list({ query: { user_id } }),
      () => ana.memories.list({ query: { user_id, sort: 'salience' } }),
      () => ana.memories.erase({ body: { filter: { user_id }, dry_run: true } }),
      () => ana.search.get({ query }),
      () => ana.search.post({ body: query }),
      () => ana.search.global({ query }),
      () => ana.search.recall({ body: { query: 'tea', user_id } }),
      () => ana.search.topic({ query: { topic: 'drink', user_id } }),
      () => ana.search.aggregate({ query: { query: 'tea', group_by: 'tags', user_id } }),
      () => ana.search.similar({ params: { memoryId: own }, query: { user_id } }),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ ...deniedUser, details: { user_id } });
    }
    const items = await ana.memories.bulkCreate({
      body: { memories: [{ content: 'For Ben.', user_id }, { content: 'Mine.' }] },
    });
    expect(items.failed).toMatchObject([{ index: 0, error: { code: 'user_access_denied' } }]);
    const [mine] = items.memories;
    await ana.memories.remove({ params: { id: mine?.id ?? '' } });
    const { results } = await ana.search.batch({ body: { queries: [query] } });
    expect(results).toMatchObject([{ error: { code: 'user_access_denied' } }]);
    // A session and the label of a cluster show what every user's memories say.
    const session = await whole.cliSessions.create({ body: { name: 'chat' } });
    const joining = createMemory(ana, 'In a session.', { session_id: session.id });
    await expect(joining).rejects.toMatchObject(deniedUser);
    const grouped = ana.search.aggregate({ query: { query: 'tea', group_by: 'clusters' } });
    await expect(grouped).rejects.toMatchObject(deniedUser);
  });

  it("answers 404 for another user's memory, whatever is done with it", async () => {
    const before = await whole.memories.get({ params: { id: bens } });
    for (const id of [bens, nobodys, absentId]) {
      const params = { id };
      const link = { relationship_type: 'related_to', target_id: id } as const;
      const attempts: (() => Promise<unknown>)[] = [
        () => ana.memories.get({ params }),
        () => ana.memories.update({ params, body: { priority: 1 } }),
        () => ana.memories.update({ params, body: { content: 'Taken over.' } }),
        () => ana.memories.remove({ params }),
        () => ana.memories.remove({ params, query: { soft: true } }),
        () => ana.memories.restore({ params }),
        () => ana.memories.pin({ params }),
        () => ana.memories.unpin({ params }),
        () => ana.memories.protect({ params, body: { protection_level: 'hard' } }),
        () => ana.memories.verify({ params }),
        () => ana.memories.feedback({ params, body: { helpful: true } }),
        () => ana.memories.topics({ params }),
        () => ana.memories.quality({ params }),
        () => ana.search.similar({ params: { memoryId: id } }),
        () => ana.relationships.list({ params: { memoryId: id } }),
        () => ana.relationships.related({ params: { memoryId: id } }),
        () => ana.relationships.create({ params: { memoryId: own }, body: link }),
        () =>
          ana.relationships.create({ params: { memoryId: id }, body: { ...link, target_id: own } }),
        () => createMemory(ana, 'Newer.', { supersedes: [id] }),
        () => ana.memories.update({ params: { id: own }, body: { supersedes: [id] } }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(unknownMemory);
      const ids = [id];
      const many = [
        await ana.memories.bulkUpdate({ body: { ids, set: { priority: 1 } } }),
        await ana.memories.bulkTags({ body: { ids, add: ['x'] } }),
        await ana.memories.bulkDelete({ body: { ids } }),
      ];
      for (const { failed } of many) {
        expect(failed).toMatchObject([{ error: { code: 'memory_not_found' } }]);
      }
    }
    const { salience: _, ...unchanged } = before;
    expect(await whole.memories.get({ params: { id: bens } })).toMatchObject(unchanged);
  });

  it('finds only the memories of its user, by every search', async () => {
    const q = 'secret tea in the morning';
    const mine = [own, other].toSorted();
    const sorted = (list: readonly { readonly id: string }[]) =>
      list.map(({ id }) => id).toSorted();
    expect(idsOf((await ana.memories.list({})).data).toSorted()).toEqual(mine);
    const salient = await ana.memories.list({ query: { sort: 'salience' } });
    expect(idsOf(salient.data).toSorted()).toEqual(mine);
    const found = await ana.search.get({ query: { q } });
    expect(sorted(found.results)).toEqual(mine);
    expect(found.facets.memories).toBeLessThanOrEqual(2);
    expect(sorted((await ana.search.post({ body: { q } })).results)).toEqual(mine);
    const { results } = await ana.search.batch({
      body: { queries: [{ q }, { q: '"secret tea"' }] },
    });
    expect(JSON.stringify(results)).not.toMatch(/secret tea\.|Ben|Somebody/);
    const recalled = await ana.search.recall({ body: { query: q, threshold: 0 } });
    expect(sorted(recalled.memories)).toEqual(mine);
    expect(recalled.context).not.toMatch(/secret/);
    expect(await ana.search.topic({ query: { topic: 'drink' } })).toMatchObject({ total: 2 });
    const query = { query: q, group_by: 'tags', threshold: 0 } as const;
    expect(await ana.search.aggregate({ query })).toMatchObject({ total_count: 2 });
    const near = await ana.search.similar({ params: { memoryId: own }, query: { threshold: 0 } });
    expect(near.results.map(({ memory }) => memory.id)).toEqual([other]);
    const global = await ana.search.global({ query: { q: 'secret drinks' } });
    expect(sorted(global.results.memory)).toEqual(mine);
    expect(global.total).toBe(4);
    const why = await ana.search.get({ query: { q, explain: true, why: bens } });
    expect(why.why).toMatchObject({ reason: 'not_found', score: null, why_matched: null });
  });

  it("sees no relationship to another user's memory, and none that leads through it", async () => {
    const link = (memoryId: string, target_id: string) =>
      whole.relationships.create({
        params: { memoryId },
        body: { relationship_type: 'related_to', target_id },
      });
    const [a, b] = [
      (await createMemory(ana, 'Ana keeps bees.')).id,
      (await createMemory(ana, 'Ana sells honey.')).id,
    ];
    await link(a, bens);
    await link(bens, b);
    const params = { memoryId: a };
    expect(await ana.relationships.list({ params })).toMatchObject({ total: 0 });
    const walk = await ana.relationships.related({ params, query: { depth: 3 } });
    expect(walk).toMatchObject({ memories: [], relationships: [] });
    const named = { sourceId: a, targetId: bens, type: 'related_to' };
    const unknown = { status: 404, code: 'relationship_not_found' };
    const attempts = [
      () => ana.relationships.update({ params: named, body: { weight: 0.5 } }),
      () => ana.relationships.weaken({ params: named, body: {} }),
      () => ana.relationships.reinforce({ params: named, body: {} }),
      () => ana.relationships.remove({ params: named }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(unknown);
    const recalled = await ana.search.recall({
      body: { query: 'Who keeps bees?', threshold: 0.9 },
    });
    expect(recalled.memories.map(({ user_id }) => user_id)).not.toContain('ben');
    for (const id of [a, b]) await ana.memories.remove({ params: { id } });
  });

  it("does not learn that another user's memory supersedes one", async () => {
    const { id } = await createMemory(ana, 'Ana lives in Oslo.');
    const newer = await createMemory(whole, 'Everybody lives in Rome.', { supersedes: [id] });
    expect(await whole.memories.get({ params: { id } })).toMatchObject({ outdated_by: newer.id });
    expect(await ana.memories.get({ params: { id } })).toMatchObject({ outdated_by: null });
    const { results } = await ana.search.get({ query: { q: 'Where does Ana live? Oslo' } });
    const result = results.find((one) => one.id === id);
    expect(result).toMatchObject({ outdated_by: null });
    expect(result).not.toHaveProperty('warnings');
    const listed = await ana.memories.list({ query: { outdated: true } });
    expect(listed.data).toEqual([]);
    await ana.memories.remove({ params: { id } });
  });

  it('stores what another user has stored, and replays no request of another user', async () => {
    const body = { content: 'The same content.' };
    const headers = { 'idempotency-key': 'same' };
    const send = (client: Client) =>
      client.request({ method: 'POST', path: '/memories', body, headers });
    const first = await send(ben);
    expect(first).toMatchObject({ status: 201, body: { user_id: 'ben' } });
    expect(await send(ana)).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } },
    });
    const stored = await ana.memories.create({ body });
    expect(stored.user_id).toBe('ana');
    await ana.memories.remove({ params: { id: stored.id } });
    await ben.memories.remove({ params: { id: (first.body as { id: string }).id } });
  });

  it("erases by filter only its user's memories", async () => {
    const cleo = await tokenFor('cleo');
    const { id } = await createMemory(cleo, 'Cleo dances.', { tags: ['drink'] });
    const filter = { tags: ['drink'] };
    const dry = await cleo.memories.erase({ body: { filter, dry_run: true } });
    expect(dry).toMatchObject({ count: 1 });
    const { token } = dry as { token: string };
    const { job_id } = (await cleo.memories.erase({ body: { filter, token } })) as {
      job_id: string;
    };
    const receipt = await eventually(
      () => whole.jobs.get({ params: { id: job_id } }),
      ({ status }) => status === 'completed',
    );
    expect(receipt.result).toMatchObject({ erased: 1 });
    await expect(cleo.memories.get({ params: { id } })).rejects.toMatchObject(unknownMemory);
    for (const kept of [own, bens, bens2, nobodys]) {
      expect(await whole.memories.get({ params: { id: kept } })).toMatchObject({ id: kept });
    }
  });

  it('keeps to the spaces of its key as well', async () => {
    const space = await whole.spaces.create({ body: { name: 'kitchen' } });
    const { key } = await whole.keys.create({ body: { name: 'cook', space_ids: [space.id] } });
    const { token } = await service.client(key).auth.createToken({ body: { user_id: 'ana' } });
    const client = service.client(token);
    const error = await expectError(client.memories.get({ params: { id: own } }));
    expect(error).toMatchObject({ status: 403, code: 'space_access_denied' });
    const hidden = await expectError(client.memories.get({ params: { id: bens } }));
    expect(hidden).toMatchObject(unknownMemory);
    expect((await client.memories.list({})).data).toEqual([]);
  });

  it.each(refused)('is refused on %s: 403 user_access_denied', async (_id, route) => {
    const { token } = await service.operator().auth.createToken({ body: { user_id: 'ana' } });
    const path = route.path.replaceAll(/:\w+/g, absentId);
    const answer = await service.client(token).request({ method: route.method, path });
    expect(answer).toMatchObject({ status: 403, body: expectedError(route, 'user_access_denied') });
  });
});
