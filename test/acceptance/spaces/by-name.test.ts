import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const missing = { status: 404, code: 'space_not_found' };

describe.each(engines)('a space by its name on %s', (engine) => {
  let service: Service;
  let client: Client;
  /** The ids of the spaces `Research` and `research`. */
  let upper: string;
  let lower: string;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const prepareAccount = async (): Promise<void> => {
    client = (await service.createAccount()).client;
    upper = (await client.spaces.create({ body: { name: 'Research' } })).id;
    lower = (await client.spaces.create({ body: { name: 'research' } })).id;
  };
  const store = (content: string, space?: string) =>
    client.memories.create({ body: { content, ...(space !== undefined && { space }) } });
  const contentsOf = (memories: readonly { content: string }[]) =>
    memories.map(({ content }) => content).toSorted();
  const contentsIn = async (space: string) =>
    contentsOf((await client.memories.list({ query: { space } })).data);

  it('takes new memories, and narrows lists, searches, recall and erasures', async () => {
    await prepareAccount();
    const memory = await store('tea of one', 'Research');
    expect(memory.space_id).toBe(upper);
    expect(memory).not.toHaveProperty('space');
    await store('tea of two', 'research');
    await store('tea of nobody');

    expect(await contentsIn('Research')).toEqual(['tea of one']);
    const searched = await client.search.get({ query: { q: 'tea', space: 'research' } });
    expect(searched.results.map(({ space_id }) => space_id)).toEqual([lower]);
    const posted = await client.search.post({ body: { q: 'tea', space: 'Research' } });
    expect(posted.results.map(({ space_id }) => space_id)).toEqual([upper]);
    const recalled = await client.search.recall({
      body: { query: 'tea', space: 'Research', threshold: 0 },
    });
    expect(contentsOf(recalled.memories)).toEqual(['tea of one']);
    const { results } = await client.search.batch({
      body: {
        queries: [
          { q: 'tea', space: 'Research' },
          { q: 'tea', space: 'nowhere' },
          { q: 'tea', space: 'research' },
        ],
      },
    });
    expect(results).toMatchObject([
      { results: [{ space_id: upper }] },
      { error: { code: 'space_not_found' } },
      { results: [{ space_id: lower }] },
    ]);

    const filter = { space: 'Research' };
    const dryRun = await client.memories.erase({ body: { filter, dry_run: true } });
    if (!('token' in dryRun)) throw new Error('no dry run');
    expect(dryRun.count).toBe(1);
    const body = { filter, token: dryRun.token };
    const run = await client.memories.erase({ body });
    if (!('job_id' in run)) throw new Error('no job');
    await eventually(
      () => client.jobs.get({ params: { id: run.job_id } }),
      ({ status }) => status === 'completed',
    );
    expect(contentsOf((await client.memories.list()).data)).toEqual([
      'tea of nobody',
      'tea of two',
    ]);
  });

  it('is named by each item of a bulk create; an unknown name fails alone', async () => {
    await prepareAccount();
    const spaces = ['Research', 'research', 'nowhere', 'Research', undefined];
    const memories = spaces.map((space, i) => ({ content: `item ${i}`, ...(space && { space }) }));
    const both = { content: 'both', space: 'Research', space_id: upper };
    const answer = await client.memories.bulkCreate({ body: { memories: [...memories, both] } });
    expect(answer.memories.map(({ space_id }) => space_id)).toEqual([upper, lower, upper, null]);
    expect(answer.failed).toMatchObject([
      { index: 2, error: { code: 'space_not_found' } },
      { index: 5, error: { code: 'validation_error', details: { fields: { space: {} } } } },
    ]);
    // A body that a thread parses.
    const large = Array.from({ length: 100 }, (_, i) => ({
      content: `${i} ${'x'.repeat(1_000)}`,
      space: i % 2 === 0 ? 'Research' : 'research',
    }));
    const { created } = await client.memories.bulkCreate({ body: { memories: large } });
    expect(created).toBe(100);
    const listed = await client.memories.list({ query: { space: 'research', limit: 100 } });
    expect(listed.data.map(({ space_id }) => space_id)).toEqual(Array(51).fill(lower));
  });

  it('takes what moves: a PATCH and a bulk change', async () => {
    await prepareAccount();
    const first = await store('first');
    const second = await store('second');
    const moved = await client.memories.update({
      params: { id: first.id },
      body: { space: 'Research' },
    });
    expect(moved.space_id).toBe(upper);
    const body = { ids: [first.id, second.id], set: { space: 'research' } };
    expect(await client.memories.bulkUpdate({ body })).toMatchObject({ updated: 2, failed: [] });
    expect(await contentsIn('research')).toEqual(['first', 'second']);
  });

  it('takes a conversation, whose turns and derived memories are in it', async () => {
    await prepareAccount();
    const messages = [{ role: 'user', content: 'I live in Lisbon.' }];
    const body = { messages, space: 'research' };
    const { turns, memories } = await client.memories.fromMessages({ body });
    expect(memories).toMatchObject([{ space_id: lower, action: 'added' }]);
    const turn = await client.memories.get({ params: { id: turns[0] ?? '' } });
    expect(turn.space_id).toBe(lower);
    // The name of its own space wins over the space of the session, as an id does.
    const session = await client.cliSessions.create({ body: { name: 'chat', space: 'Research' } });
    expect(session.space_id).toBe(upper);
    const joined = await client.memories.fromMessages({
      body: { ...body, session_id: session.id, messages: [{ role: 'user', content: 'Hello.' }] },
    });
    const params = { id: joined.turns[0] ?? '' };
    expect((await client.memories.get({ params })).space_id).toBe(lower);
  });

  it('takes files, of a form and in parts; a later rename does not matter to these', async () => {
    await prepareAccount();
    const file = new Blob(['a note about tea']);
    const sent = { file, filename: 'note.txt', space: 'Research' };
    const uploaded = await client.memories.upload(sent);
    expect(uploaded.space_id).toBe(upper);
    await expect(client.memories.upload({ ...sent, space: 'nowhere' })).rejects.toMatchObject(
      missing,
    );
    await expect(client.memories.upload({ ...sent, space_id: upper })).rejects.toMatchObject({
      status: 422,
      details: { fields: { space: { code: 'invalid_format' } } },
    });

    const text = (value: string): string => Buffer.from(value).toString('base64');
    const startUpload = (space: string, more = '') =>
      client.media.createUpload({
        headers: {
          'upload-length': '5',
          'upload-metadata': `filename ${text('b.txt')},space ${text(space)}${more}`,
        },
      });
    const upload = await startUpload('research');
    await client.spaces.update({ params: { id: lower }, body: { name: 'renamed' } });
    const { memory_id } = await client.memories.uploadInParts(
      { file: new Blob(['hello']), filename: 'b.txt' },
      { uploadId: upload.id },
    );
    expect((await client.memories.get({ params: { id: memory_id } })).space_id).toBe(lower);
    await expect(startUpload('research')).rejects.toMatchObject(missing);
    await expect(startUpload('renamed', `,space_id ${text(lower)}`)).rejects.toMatchObject({
      status: 422,
      details: { fields: { space: { code: 'invalid_format' } } },
    });
  });

  it('is 422 together with space_id, naming the field, whatever both mean', async () => {
    await prepareAccount();
    const fields = { space: { code: 'invalid_format', message: expect.any(String) } };
    for (const space_id of [upper, lower, 'default', null]) {
      await expect(
        client.memories.create({ body: { content: 'x', space: 'Research', space_id } }),
      ).rejects.toMatchObject({ status: 422, code: 'validation_error', details: { fields } });
    }
    await expect(
      client.clusters.full({ body: { space: 'Research', team_space_id: upper } }),
    ).rejects.toMatchObject({ status: 422, details: { fields } });
  });

  it.each(['space=', 'space=a&space=b', 'space=%00', 'space[]=a'])(
    'is 422 unless it is one text that can be a name: %s',
    async (query) => {
      await prepareAccount();
      const path = `/memories?${query}`;
      expect(await client.request({ method: 'GET', path })).toMatchObject({
        status: 422,
        body: { error: { code: 'validation_error' } },
      });
    },
  );

  it.each([null, '', 5, ['Research'], 'x'.repeat(256), '\ud800'])(
    'is 422 in a body unless it is one text that can be a name: %j',
    async (space) => {
      await prepareAccount();
      const body = { content: 'x', space };
      expect(await client.request({ method: 'POST', path: '/memories', body })).toMatchObject({
        status: 422,
        body: { error: { details: { fields: { space: {} } } } },
      });
    },
  );

  it('is exactly as stored: no other case, padding or word for no space', async () => {
    await prepareAccount();
    for (const space of ['RESEARCH', 'research ', 'default', 'null', upper]) {
      await expect(store('x', space)).rejects.toMatchObject(missing);
      await expect(client.memories.list({ query: { space } })).rejects.toMatchObject(missing);
    }
    for (const name of ['default', 'a/b, c=d&e +%', '日本 🙂', upper]) {
      const { id } = await client.spaces.create({ body: { name } });
      expect((await store('y', name)).space_id).toBe(id);
      expect(await contentsIn(name)).toEqual(['y']);
    }
  });

  it('follows a rename, a removal and a new space of the name at once', async () => {
    await prepareAccount();
    await client.spaces.update({ params: { id: upper }, body: { name: 'Archive' } });
    await expect(store('x', 'Research')).rejects.toMatchObject(missing);
    expect((await store('x', 'Archive')).space_id).toBe(upper);
    await client.spaces.remove({ params: { id: lower } });
    await expect(store('x', 'research')).rejects.toMatchObject(missing);
    const { id } = await client.spaces.create({ body: { name: 'research' } });
    expect((await store('x', 'research')).space_id).toBe(id);
  });

  it('means in the run of an erasure the same space as in its dry run, else 409', async () => {
    await prepareAccount();
    await store('kept', 'Research');
    await store('other', 'research');
    const filter = { space: 'research' };
    const dryRun = await client.memories.erase({ body: { filter, dry_run: true } });
    if (!('token' in dryRun)) throw new Error('no dry run');
    const { token } = dryRun;
    await client.spaces.update({ params: { id: lower }, body: { name: 'Archive' } });
    await client.spaces.update({ params: { id: upper }, body: { name: 'research' } });
    await expect(client.memories.erase({ body: { filter, token } })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
    });
    // The id, and the name that the space has by now, are the same filter.
    const renamed = { space: 'Archive' };
    expect(await client.memories.erase({ body: { filter: renamed, token } })).toHaveProperty(
      'job_id',
    );
    expect(await contentsIn('research')).toEqual(['kept']);
  });

  it('is replayed with its request by an Idempotency-Key, after a rename too', async () => {
    await prepareAccount();
    const post = (body: object, key: string) =>
      client.request({
        method: 'POST',
        path: '/memories',
        body,
        headers: { 'idempotency-key': key },
      });
    const body = { content: 'once', space: 'Research' };
    const first = await post(body, 'a');
    expect(first).toMatchObject({ status: 201, body: { space_id: upper } });
    await client.spaces.update({ params: { id: upper }, body: { name: 'Archive' } });
    const again = await post(body, 'a');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    // Another request, although it means the same space.
    const { content } = body;
    expect(await post({ content, space_id: upper }, 'a')).toMatchObject({ status: 409 });
    expect(await contentsIn('Archive')).toEqual(['once']);
  });

  it('pages with a cursor, which both forms of the filter share', async () => {
    await prepareAccount();
    for (const content of ['a', 'b', 'c']) {
      await client.memories.create({ body: { content, space: 'Research', tags: ['t'] } });
    }
    const page = (filter: { space: string } | { space_id: string }, cursor?: string | null) => {
      const from = cursor == null ? {} : { cursor };
      return client.memories.list({ query: { ...filter, ...from, tags: ['t'], limit: 1 } });
    };
    const first = await page({ space: 'Research' });
    const second = await page({ space: 'Research' }, first.next_cursor);
    const third = await page({ space_id: upper }, second.next_cursor);
    const all = [first, second, third].flatMap(({ data }) => data);
    expect(contentsOf(all)).toEqual(['a', 'b', 'c']);
    expect(third.has_more).toBe(false);
    await expect(page({ space: 'research' }, first.next_cursor)).rejects.toMatchObject({
      status: 400,
    });
    for (const name of ['x', 'y'])
      await client.clusters.create({ body: { name, space: 'Research' } });
    const clusters = await client.clusters.list({ query: { limit: 1, space: 'Research' } });
    const others = await client.clusters.list({
      query: { limit: 1, space: 'Research', cursor: clusters.next_cursor ?? '' },
    });
    expect(others.data.map(({ name }) => name)).toEqual(['y']);
  });

  it('tells a key that is limited to spaces nothing of the names of others', async () => {
    await prepareAccount();
    const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [upper] } });
    const limited = service.client(key);
    const answerTo = async (space: string) => {
      const { status, body } = await limited.request({
        method: 'POST',
        path: '/memories',
        body: { content: 'x', space },
      });
      const { request_id: _, ...error } = (body as { error: Record<string, unknown> }).error;
      return { status, error };
    };
    expect(await answerTo('research')).toEqual(await answerTo('nowhere'));
    expect(await answerTo('research')).toMatchObject({ status: 404 });
    // By its id, which nobody guesses, it is refused as before.
    await expect(limited.memories.list({ query: { space_id: lower } })).rejects.toMatchObject({
      status: 403,
    });
    const own = await limited.memories.create({ body: { content: 'x', space: 'Research' } });
    expect(own.space_id).toBe(upper);
  });

  it('is known to a token of one user as to its key', async () => {
    await prepareAccount();
    await store('of nobody', 'Research');
    const tokenOf = async (by: Client) => {
      const { token } = await by.auth.createToken({ body: { user_id: 'ana' } });
      return service.client(token);
    };
    const create = (by: Client, space: string) =>
      by.memories.create({ body: { content: `in ${space}`, space } });
    const ana = await tokenOf(client);
    expect(await create(ana, 'Research')).toMatchObject({ space_id: upper, user_id: 'ana' });
    const { data } = await ana.memories.list({ query: { space: 'Research' } });
    expect(contentsOf(data)).toEqual(['in Research']);
    await expect(create(ana, 'nowhere')).rejects.toMatchObject(missing);

    const scopes = ['memories:write', 'admin'] as const;
    const { key } = await client.keys.create({
      body: { name: 'limited', space_ids: [lower], scopes: [...scopes] },
    });
    const limited = await tokenOf(service.client(key));
    expect((await create(limited, 'research')).space_id).toBe(lower);
    await expect(create(limited, 'Research')).rejects.toMatchObject(missing);
  });

  it('is of the own account alone', async () => {
    await prepareAccount();
    const other = (await service.createAccount()).client;
    await expect(
      other.memories.create({ body: { content: 'x', space: 'Research' } }),
    ).rejects.toMatchObject(missing);
    const { id } = await other.spaces.create({ body: { name: 'Research' } });
    const memory: Memory = await other.memories.create({
      body: { content: 'x', space: 'Research' },
    });
    expect(memory.space_id).toBe(id);
  });

  it('restricts a webhook, which keeps the space through a rename', async () => {
    await prepareAccount();
    const body = { url: 'https://example.com/hook', events: ['memory.*'] };
    const webhook = await client.webhooks.create({ body: { ...body, space: 'Research' } });
    expect(webhook.space_id).toBe(upper);
    expect((await client.webhooks.create({ body })).space_id).toBeNull();
    await client.spaces.update({ params: { id: upper }, body: { name: 'Archive' } });
    const listed = await client.webhooks.list({ query: { space: 'Archive' } });
    expect(listed.data.map(({ id }) => id)).toEqual([webhook.id]);
    const patched = await client.webhooks.update({
      params: { webhookId: webhook.id },
      body: { space: 'research' },
    });
    expect(patched.space_id).toBe(lower);
  });
});
