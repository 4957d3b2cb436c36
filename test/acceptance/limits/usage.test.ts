import type { Client, RawResponse } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { advanceToNextDay, postRequest } from './usage-and-windows.ts';

const kinds = [
  'create',
  'bulk',
  'atomic bulk',
  'patch',
  'soft delete',
  'delete',
  'delete many',
  'restore',
  'space',
  'remove space',
  'session',
  'messages',
  'remove session',
  'key',
  'revoke',
  'rotate',
] as const;

/** One thing somebody does; the number picks from what there is, or from a few contents. */
interface Act {
  readonly kind: (typeof kinds)[number];
  readonly n: number;
}
const act: fc.Arbitrary<Act> = fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(12) });
/** Acts of one step happen at the same time. */
const steps = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), {
  minLength: 8,
  maxLength: 16,
});

interface Known {
  readonly memories: string[];
  readonly spaces: string[];
  readonly sessions: string[];
  readonly keys: string[];
}

const pick = (ids: readonly string[], n: number): string =>
  ids[n % Math.max(1, ids.length)] ?? '019b8d1c-0000-7000-8000-00000000dead';

async function perform(client: Client, known: Known, { kind, n }: Act): Promise<RawResponse> {
  const content = `note ${n}`;
  const memory = `/memories/${pick(known.memories, n)}`;
  const space = `/spaces/${pick(known.spaces, n)}`;
  const session = `/cli-sessions/${pick(known.sessions, n)}`;
  const key = `/api-keys/${pick(known.keys, n)}`;
  const space_id = n % 3 === 0 ? (known.spaces[n % 4] ?? null) : null;
  const memories = [0, 1, 2].map((i) => ({ content: `note ${(n + i) % 8}`, space_id }));
  switch (kind) {
    case 'create':
      return client.request(postRequest('/memories', { content, space_id }));
    case 'bulk':
      return client.request(postRequest('/memories/bulk', { memories }));
    case 'atomic bulk':
      return client.request(postRequest('/memories/bulk?atomic=true', { memories }));
    case 'patch':
      return client.request({ method: 'PATCH', path: memory, body: { content } });
    case 'soft delete':
      return client.request({ method: 'DELETE', path: `${memory}?soft=true` });
    case 'delete':
      return client.request({ method: 'DELETE', path: memory });
    case 'delete many': {
      const ids = [n, n + 1, n].map((i) => pick(known.memories, i));
      return client.request(postRequest('/memories/bulk/delete', { ids, soft: n % 2 === 0 }));
    }
    case 'restore':
      return client.request({ method: 'POST', path: `${memory}/restore` });
    case 'space':
      return client.request(postRequest('/spaces', { name: `space ${n % 5}` }));
    case 'remove space':
      return client.request({ method: 'DELETE', path: space });
    case 'session':
      return client.request(postRequest('/cli-sessions', { name: content }));
    case 'messages': {
      const messages = [0, 1].map(() => ({ role: 'user', content }));
      return client.request(postRequest(`${session}/messages`, { messages }));
    }
    case 'remove session':
      return client.request({ method: 'DELETE', path: session });
    case 'key':
      return client.request(postRequest('/api-keys', { name: content }));
    case 'revoke':
      return client.request({ method: 'DELETE', path: key });
    case 'rotate':
      return client.request({ method: 'POST', path: `${key}/rotate` });
  }
}

/** Remembers what an answer says was made. */
function note(known: Known, { kind }: Act, { status, body }: RawResponse): void {
  if (status !== 201) return;
  const made = body as { id: string; memories?: { id: string }[] };
  if (kind === 'create') known.memories.push(made.id);
  if (made.memories) known.memories.push(...made.memories.map(({ id }) => id));
  if (kind === 'space') known.spaces.push(made.id);
  if (kind === 'session') known.sessions.push(made.id);
  if (kind === 'key') known.keys.push(made.id);
}

/** What the lists of an account really hold, as its usage names it. */
async function heldBy(client: Client) {
  const held = { memories: 0, spaces: 0, api_keys: 0, webhooks: 0 };
  const query = { limit: 100 };
  const { list } = client.memories;
  let cursor: string | null = null;
  do {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const page: Awaited<ReturnType<typeof list>> = await list({
      query: { ...query, include_deleted: true, ...place },
    });
    held.memories += page.data.length;
    cursor = page.next_cursor;
  } while (cursor !== null);
  held.spaces = (await client.spaces.list({ query })).pagination.total;
  held.webhooks = (await client.webhooks.list({ query })).total;
  const { data, pagination } = await client.keys.list({ query });
  expect(pagination.has_more).toBe(false);
  held.api_keys = data.filter(({ revoked_at }) => revoked_at === null).length;
  return held;
}

/** Stored versions of memories, told by the events of the account. */
async function versionsOf(client: Client) {
  const created = await listEvents(client, 'memory.created');
  const updated = await listEvents(client, 'memory.updated');
  const rewritten = updated.filter(({ changes }) => changes?.includes('content'));
  return {
    memories_created_today: created.length,
    embeddings: created.length + rewritten.length,
  };
}

describe.each(engines)('the usage of an account on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
    advanceToNextDay(clock);
  });
  afterAll(() => service.stop());

  it('equals what its lists hold, whatever was done, and at the same time', async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { client } = await service.createAccount('enterprise');
        const known: Known = { memories: [], spaces: [], sessions: [], keys: [] };
        for (const kind of ['create', 'space', 'session', 'key'] as const) {
          const one = { kind, n: 1 };
          note(known, one, await perform(client, known, one));
        }
        for (const step of all) {
          const answers = await Promise.all(step.map((one) => perform(client, known, one)));
          for (const [i, answer] of answers.entries()) {
            const one = step[i] as Act;
            expect(answer.status, JSON.stringify([one, answer.body])).toBeLessThan(500);
            note(known, one, answer);
            const says = `${one.kind} ${answer.status < 300}`;
            met.set(says, (met.get(says) ?? 0) + 1);
          }
          const { usage } = await client.account.get();
          expect(usage).toMatchObject(await heldBy(client));
        }
        expect((await client.account.get()).usage).toMatchObject(await versionsOf(client));
      }),
      { numRuns: runCount(5, 50), endOnFailure: true },
    );
    // Everything was done at least once; a run in which all was refused would prove nothing.
    for (const kind of kinds) expect(met.get(`${kind} true`) ?? 0, kind).toBeGreaterThan(0);
    for (const kind of ['create', 'atomic bulk', 'delete', 'space', 'remove space', 'patch']) {
      expect(met.get(`${kind} false`) ?? 0, kind).toBeGreaterThan(0);
    }
  });
});
