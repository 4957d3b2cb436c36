import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { expectError } from '../memories/memory-requests.ts';
import {
  createMemories,
  createRelationship,
  idsOf,
  relationshipParams,
} from './relationship-requests.ts';

const denied = { status: 403, code: 'space_access_denied' };

describe.each(engines)('relationships and keys limited to spaces on %s', (engine) => {
  let service: Service;
  let whole: Client;
  /** May use the space `own` alone. */
  let limited: Client;
  let [own, ownToo, other, none] = ['', '', '', ''];
  let ownSpace = '';

  beforeAll(async () => {
    service = await startService(engine);
    whole = (await service.createAccount()).client;
    const space = async (name: string) => (await whole.spaces.create({ body: { name } })).id;
    ownSpace = await space('own');
    [own = '', ownToo = ''] = await createMemories(whole, 2, { space_id: ownSpace });
    [other = ''] = await createMemories(whole, 1, { space_id: await space('other') });
    [none = ''] = await createMemories(whole, 1);
    const body = { name: 'limited', space_ids: [ownSpace] };
    limited = service.client((await whole.keys.create({ body })).key);
  });
  afterAll(() => service.stop());

  it('links memories of spaces that it may use, and no others: 403', async () => {
    const made = await createRelationship(limited, own, ownToo, { type: 'leads_to' });
    expect(await expectError(createRelationship(limited, own, other))).toMatchObject(denied);
    expect(await expectError(createRelationship(limited, other, own))).toMatchObject(denied);
    expect(await expectError(createRelationship(limited, own, none))).toMatchObject({
      ...denied,
      details: { space_id: 'default' },
    });
    const relationships = [{ source_id: own, target_id: other, type: 'supports' }];
    expect(await limited.relationships.batch({ body: { relationships } })).toMatchObject({
      succeeded: [],
      failed: [{ index: 0, error: { code: 'space_access_denied' } }],
    });
    await limited.relationships.remove({ params: relationshipParams(made) as never });
  });

  it('is refused a list or a walk from a memory that it may not use: 403', async () => {
    for (const memoryId of [other, none]) {
      const params = { memoryId };
      expect(await expectError(limited.relationships.list({ params }))).toMatchObject(denied);
      expect(await expectError(limited.relationships.related({ params }))).toMatchObject(denied);
    }
  });

  it('is refused every change of a relationship with another space: 403', async () => {
    for (const made of [
      await createRelationship(whole, own, other, { type: 'supports' }),
      await createRelationship(whole, none, own, { type: 'supports' }),
    ]) {
      const params = relationshipParams(made) as never;
      for (const call of [
        () => limited.relationships.update({ params, body: { weight: 0.1 } }),
        () => limited.relationships.reinforce({ params }),
        () => limited.relationships.weaken({ params }),
        () => limited.relationships.remove({ params }),
      ]) {
        expect(await expectError(call())).toMatchObject(denied);
      }
      const { outgoing = [] } = await whole.relationships.list({
        params: { memoryId: made.source_id },
        query: { type: 'supports' },
      });
      expect(outgoing).toMatchObject([{ usage_count: 0, weight: expect.closeTo(1, 4) }]);
      await whole.relationships.remove({ params });
    }
  });

  it('is shown no relationship with another space, and walks through none', async () => {
    const [far = ''] = await createMemories(whole, 1, { space_id: ownSpace });
    await createRelationship(whole, own, other);
    await createRelationship(whole, none, own);
    await createRelationship(whole, other, far);
    const near = await createRelationship(whole, ownToo, own);
    const params = { memoryId: own };
    const seen = await limited.relationships.list({ params });
    expect([idsOf(seen.outgoing), idsOf(seen.incoming), seen.total]).toEqual([[], [near.id], 1]);
    const walked = await limited.relationships.related({ params, query: { depth: 5 } });
    expect(walked.memories.map(({ memory }) => memory.id)).toEqual([ownToo]);
    expect(idsOf(walked.relationships)).toEqual([near.id]);
    expect(JSON.stringify([seen, walked])).not.toMatch(new RegExp(`${other}|${none}|${far}`));
    const all = await whole.relationships.related({ params, query: { depth: 5 } });
    expect(all.memories.map(({ memory }) => memory.id).sort()).toEqual(
      [ownToo, other, none, far].sort(),
    );
  });

  it('sees a memory that moves into its space with its relationships', async () => {
    const [moving = '', staying = ''] = [
      ...(await createMemories(whole, 1)),
      ...(await createMemories(whole, 1, { space_id: ownSpace })),
    ];
    await createRelationship(whole, moving, staying);
    const params = { memoryId: staying };
    expect(await limited.relationships.list({ params })).toMatchObject({ total: 0 });
    await whole.memories.update({ params: { id: moving }, body: { space_id: ownSpace } });
    expect(await limited.relationships.list({ params })).toMatchObject({ total: 1 });
  });
});
