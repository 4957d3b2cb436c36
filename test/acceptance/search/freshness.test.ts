import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptySearch, onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('what search sees on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** What matches, without the nearest others that fill the page. */
  const found = async (q: string, query: Record<string, unknown> = {}): Promise<string[]> => {
    const { results, facets } = await client.search.post({ body: { q, ...query } });
    const matches = onlyMemoryResults(results).slice(0, facets.memories);
    return matches.map(({ content }) => content);
  };

  it('a memory is found by the very next search after its 201', async () => {
    ({ client } = await service.createAccount());
    for (const i of [1, 2, 3, 4, 5]) {
      const content = `Parcel number ${i * 1_111} has arrived`;
      await client.memories.create({ body: { content } });
      expect((await found(`parcel ${i * 1_111}`))[0]).toBe(content);
    }
  });

  it('new content is found right after the patch, the former no more', async () => {
    ({ client } = await service.createAccount());
    const { id } = await client.memories.create({ body: { content: 'The zebra is striped' } });
    await client.memories.update({ params: { id }, body: { content: 'Violins need strings' } });
    expect(await found('violin')).toEqual(['Violins need strings']);
    expect(await found('zebra')).toEqual([]);
    expect(await found('"zebra"')).toEqual([]);
  });

  it('new tags, priority, metadata and space filter right after the patch', async () => {
    ({ client } = await service.createAccount());
    const space = await client.spaces.create({ body: { name: 'attic' } });
    const content = 'The zebra is striped';
    const { id } = await client.memories.create({ body: { content, tags: ['old'] } });
    await client.memories.update({
      params: { id },
      body: { tags: ['new'], priority: 8, metadata: { a: 'b' }, space_id: space.id },
    });
    const filters = { tags: ['new'], min_priority: 8, metadata: { a: 'b' }, space_id: space.id };
    expect(await found('zebra', filters)).toEqual([content]);
    expect(await found('zebra', { tags: ['old'] })).toEqual([]);
    expect(await found('zebra', { space_id: null })).toEqual([]);
  });

  it('a deleted memory is gone right after its 204', async () => {
    ({ client } = await service.createAccount());
    const { id } = await client.memories.create({ body: { content: 'The zebra is striped' } });
    expect(await found('zebra')).toHaveLength(1);
    await client.memories.remove({ params: { id } });
    const answer = await client.search.get({ query: { q: 'The zebra is striped' } });
    expect(answer).toEqual(emptySearch);
  });

  it('a soft-deleted memory is left out until it is restored', async () => {
    ({ client } = await service.createAccount());
    const content = 'The zebra is striped';
    const { id } = await client.memories.create({ body: { content, metadata: { a: 'b' } } });
    await client.memories.remove({ params: { id }, query: { soft: true } });
    expect(await found('zebra')).toEqual([]);
    expect(await found('"the zebra"', { metadata: { a: 'b' } })).toEqual([]);
    await client.memories.restore({ params: { id } });
    expect(await found('zebra')).toEqual([content]);
  });

  it('bulk creates and bulk deletes hold for the next search, too', async () => {
    ({ client } = await service.createAccount());
    const memories = [{ content: 'zebra one' }, { content: 'zebra two' }, { content: 'zebra six' }];
    const made = await client.memories.bulkCreate({ body: { memories } });
    expect(await found('zebra')).toHaveLength(3);
    const ids = made.memories.slice(0, 2).map(({ id }) => id);
    await client.memories.bulkDelete({ body: { ids } });
    expect(await found('zebra')).toEqual(['zebra six']);
  });

  it('a memory is found while many others are being written', async () => {
    ({ client } = await service.createAccount());
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const content = `Parcel number ${i * 1_111} has arrived`;
        await client.memories.create({ body: { content } });
        expect(await found(`parcel ${i * 1_111}`)).toContain(content);
      }),
    );
  });

  it('another account never sees it, not even by its statistics', async () => {
    const mine = await service.createAccount();
    const theirs = await service.createAccount();
    const body = { content: 'The zebra is striped' };
    await mine.client.memories.create({ body });
    const before = await mine.client.search.post({ body: { q: 'striped zebra', explain: true } });
    for (const i of [1, 2, 3]) {
      const content = `The zebra is striped ${i}`;
      await theirs.client.memories.create({ body: { content } });
    }
    const after = await mine.client.search.post({ body: { q: 'striped zebra', explain: true } });
    expect(after.results).toHaveLength(1);
    // The first search was an access, which raises the salience.
    const evidenceOf = ({ results: [first] }: typeof after) =>
      first?.type === 'memory' && { ...first.why_matched?.features, salience: 0 };
    expect(evidenceOf(after)).toEqual(evidenceOf(before));
    expect(evidenceOf(after)).toHaveProperty('whole_text', expect.any(Number));
  });

  it('a key limited to spaces finds what they hold, and counts no more', async () => {
    const account = await service.createAccount();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => account.client.spaces.create({ body: { name } })),
    );
    for (const space_id of [null, one?.id ?? '', two?.id ?? '']) {
      const content = `zebra of ${space_id}`;
      await account.client.memories.create({ body: { content, space_id } });
    }
    const keyFor = async (space_ids: string[]) => {
      const { key } = await account.client.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(key);
    };
    client = await keyFor([one?.id ?? '']);
    expect(await found('zebra')).toEqual([`zebra of ${one?.id}`]);
    expect((await client.search.get({ query: { q: 'zebra' } })).facets.memories).toBe(1);
    const denied = { status: 403, code: 'space_access_denied' };
    await expect(found('zebra', { space_id: two?.id })).rejects.toMatchObject(denied);
    await expect(found('zebra', { space_id: null })).rejects.toMatchObject(denied);
    client = await keyFor(['default', two?.id ?? '']);
    expect((await found('zebra')).sort()).toEqual(['zebra of null', `zebra of ${two?.id}`].sort());
    expect(await found('zebra', { space_id: null })).toEqual(['zebra of null']);
  });
});
