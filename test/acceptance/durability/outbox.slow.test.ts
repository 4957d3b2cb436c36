import { type Client, createClient } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { systemCtx, withTransaction } from '../../../packages/server/src/domains/ctx.ts';
import { Journal } from '../../../packages/server/src/events/journal.ts';
import {
  createDataLocation,
  createSiblingLocation,
  type ServerProcess,
  startServerProcess,
} from '../../support/server-process.ts';
import { engines, type Service, serverEngine, startService } from '../../support/service.ts';
import type { AnyEvent } from '../memories/memory-requests.ts';

/** Vectors are not the subject. */
const env = { MNEME_EMBEDDING_PROVIDER: 'static' };

type Type = 'memory.created' | undefined;

/** Reads on with its cursor, as a subscriber does, and keeps all that it ever saw. */
class Follower {
  readonly seen: AnyEvent[] = [];
  readonly #client: Client;
  readonly #type: Type;
  #cursor: string | undefined;

  constructor(client: Client, type?: Type) {
    this.#client = client;
    this.#type = type;
  }

  async read(): Promise<void> {
    for (;;) {
      const query = { type: this.#type, limit: 7, cursor: this.#cursor };
      const page = await this.#client.events.list({ query });
      this.seen.push(...page.data);
      this.#cursor = page.next_cursor ?? this.#cursor;
      if (!page.has_more) return;
    }
  }

  /** What a reader sees who begins only now. */
  async fresh(): Promise<string[]> {
    const late = new Follower(this.#client, this.#type);
    await late.read();
    return late.seen.map(({ id }) => id);
  }
}

describe.each(engines)('following GET /events on %s', (engine) => {
  it('sees every event once, in one order, while many write through all servers', async () => {
    await using ending = new AsyncDisposableStack();
    const place = await createDataLocation(engine);
    ending.defer(() => place.remove());
    const first = ending.use(await startServerProcess(place, { env }));
    const servers: ServerProcess[] = [first];
    if (place.databaseUrl !== null) {
      const other = await createSiblingLocation(place);
      ending.defer(() => other.remove());
      servers.push(ending.use(await startServerProcess(other, { env })));
    }
    const clients = servers.map(({ url }) =>
      createClient({ url, apiKey: first.adminKey, retries: 0 }),
    );
    const followers = clients.map((client) => new Follower(client, 'memory.created'));
    const writing = Promise.all(
      Array.from({ length: 12 }, (_, i) => write(clients[i % clients.length] as Client, i)),
    );
    let done = false;
    const end = writing.finally(() => {
      done = true;
    });
    await Promise.all(
      followers.map(async (follower) => {
        while (!done) await follower.read();
      }),
    );
    const written = (await end).flat();
    for (const follower of followers) {
      await follower.read();
      const ids = follower.seen.map(({ data }) => String(data.id));
      expect(ids.toSorted()).toEqual(written.toSorted());
      expect(follower.seen.map(({ id }) => id)).toEqual(await follower.fresh());
    }
  });
});

/** Single and bulk creates by turns; the ids of all. */
async function write(client: Client, writer: number): Promise<string[]> {
  const ids: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const content = `Writer ${writer}, turn ${turn}.`;
    if (turn % 3 === 2) {
      const memories = Array.from({ length: 5 }, (_, i) => ({ content: `${content} Item ${i}.` }));
      const answer = await client.memories.bulkCreate({ body: { memories } });
      ids.push(...answer.memories.map(({ id }) => id));
    } else ids.push((await client.memories.create({ body: { content } })).id);
  }
  return ids;
}

describe.each(engines)('a transaction held open while later ones commit on %s', (engine) => {
  /** Before its place in the order is taken, or after: the account then waits for it. */
  it.each(['before', 'after'] as const)('loses no event, held %s its position', async (moment) => {
    await using ending = new AsyncDisposableStack();
    const service = await startService(engine);
    ending.defer(() => service.stop());
    const [own, other] = [await service.createAccount(), await service.createAccount()];
    const followers = [own, other].map(({ client }) => new Follower(client, 'memory.created'));
    await own.client.memories.create({ body: { content: 'Before.' } });

    const held = await hold(service, own.id, moment);
    const names = Array.from({ length: 8 }, (_, i) => `Later ${i}.`);
    const laterOwn = names.map((content) => own.client.memories.create({ body: { content } }));
    // A transaction of its own for each, while single creates may share one.
    const laterOther = names.map((content) =>
      other.client.memories.bulkCreate({ body: { memories: [{ content }] } }),
    );
    const reads = followers.map((follower) => follower.read());
    if (engine === serverEngine) {
      // There others go on, and so does this account until its position is taken.
      await Promise.all(laterOther);
      if (moment === 'before') await Promise.all(laterOwn);
      await Promise.all(reads);
      await Promise.all(followers.map((follower) => follower.read()));
      expect(followers[1]?.seen).toHaveLength(8);
      expect(followers[0]?.seen).toHaveLength(moment === 'before' ? 9 : 1);
    }
    held.release();
    await Promise.all([...laterOwn, ...laterOther, ...reads, held.committed]);
    await Promise.all(followers.map((follower) => follower.read()));

    const told = followers.map(({ seen }) => seen.map(({ data }) => data.content ?? data.held));
    expect(told[0]?.toSorted()).toEqual(['Before.', 'Held.', ...names].toSorted());
    expect(told[1]?.toSorted()).toEqual(names);
    for (const follower of followers) {
      expect(follower.seen.map(({ id }) => id)).toEqual(await follower.fresh());
    }
  });
});

/** Opens a transaction that has written its event and waits; resolves once it waits. */
async function hold(
  { running }: Service,
  accountId: string,
  moment: 'before' | 'after',
): Promise<{ release(): void; committed: Promise<void> }> {
  const waiting = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pause = (): Promise<void> => {
    waiting.resolve();
    return released.promise;
  };
  const { app } = running.context;
  const event = {
    accountId,
    type: 'memory.created',
    spaceId: null,
    data: { held: 'Held.' },
  } as const;
  const before = (): Promise<void> =>
    withTransaction(systemCtx(app, accountId), async ({ journal }) => {
      journal.addEvent(event);
      await pause();
    });
  const after = (): Promise<void> =>
    app.engine.transaction(async (tx) => {
      const journal = new Journal();
      journal.addEvent(event);
      await journal.flush(tx, app);
      await pause();
    });
  const committed = moment === 'before' ? before() : after();
  await Promise.race([waiting.promise, committed]);
  return { release: released.resolve, committed };
}
