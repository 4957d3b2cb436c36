import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';

/** Names that a comparison, an encoding or a query could take for others, or for no name. */
const similar = [
  ...['a', 'A', ' a', 'a ', 'a\u200b', 'ａ', '%61', '+a', '"a"', '{a}', 'a,b', '\\a', "'a'", '$1'],
  ...['\u00e9', 'e\u0301', '\ufb01', 'fi', '\u0130', 'i\u0307', 'ß', 'ss', 'null', 'NULL'],
  ...['default', 'true', '0', '-1', '*', '.', '..', '\n', '\u0001', '\ufffd', '__proto__'],
  ...['00000000-0000-0000-0000-000000000000', 'x'.repeat(255), '🙂'.repeat(255)],
];
const arbitraryName = fc.oneof(
  fc.constantFrom(...similar),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .map((text) => text.replaceAll('\0', '.')),
);
const arbitraryNames = fc.uniqueArray(arbitraryName, { minLength: 3, maxLength: 8 });

describe.each(engines)('spaces of any names on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const listed = async (client: Client, space: string): Promise<unknown[]> => {
    const { data } = await client.memories.list({ query: { space } });
    return data.map(({ content }) => content);
  };
  /** How a name is answered, in a body and in a query. */
  const answersTo = async (client: Client, space: string) => {
    const requests = [
      { method: 'POST', path: '/memories', body: { content: 'x', space } },
      { method: 'GET', path: '/memories', query: { space } },
    ];
    const answers = await Promise.all(requests.map((request) => client.request(request)));
    return answers.map(({ status, body }) => {
      const { request_id: _, ...error } = (body as { error: Record<string, unknown> }).error;
      return { status, error };
    });
  };

  it('are each found by their name alone, also after a swap, and not by limited keys', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryNames, async ([unused = '', ...names]) => {
        const { client } = await service.createAccount();
        const ids: string[] = [];
        for (const name of names) ids.push((await client.spaces.create({ body: { name } })).id);
        const named = [...names, unused];
        const memories = named.map((space, i) => ({ content: `of ${i}`, space }));
        const stored = await client.memories.bulkCreate({ body: { memories } });
        expect(stored.memories.map(({ space_id }) => space_id)).toEqual(ids);
        expect(stored.failed.map(({ index }) => index)).toEqual([names.length]);
        for (const [i, name] of names.entries()) {
          expect(await listed(client, name)).toEqual([`of ${i}`]);
        }

        const { key } = await client.keys.create({
          body: { name: 'limited', space_ids: ids.slice(0, 1) },
        });
        const limited = service.client(key);
        expect(await listed(limited, names[0] ?? '')).toEqual(['of 0']);
        const unknown = await answersTo(limited, unused);
        expect(unknown).toMatchObject([{ status: 404 }, { status: 404 }]);
        for (const hidden of names.slice(1)) {
          expect(await answersTo(limited, hidden)).toEqual(unknown);
        }

        const [first = '', second = ''] = names;
        const rename = (i: number, name: string) =>
          client.spaces.update({ params: { id: ids[i] ?? '' }, body: { name } });
        await rename(0, unused);
        await rename(1, first);
        await rename(0, second);
        expect(await listed(client, first)).toEqual(['of 1']);
        expect(await listed(client, second)).toEqual(['of 0']);
        expect(await answersTo(limited, first)).toEqual(unknown);
      }),
      { numRuns: runCount(15, 200), endOnFailure: true },
    );
  });
});
